package import Notation

/// A world at rest, as it stood or as it was read: both are the same if they are written the same.
///
/// It is written only where it is wanted, without a tree between: a full world has thousands of
/// numbers.
package struct SavedWorld: Hashable, Sendable {
    private enum Content: Sendable {
        case bodies(WorldBodies)
        case tree(Node)
    }

    private let content: Content

    /// `bodies` rest.
    init(_ bodies: WorldBodies) { content = .bodies(bodies) }

    /// Whatever was read: what cannot be of a world shows when it is restored.
    package init(_ tree: Node) { content = .tree(tree) }

    /// As it is written.
    package var tree: Node {
        switch content {
        case .bodies: Node(encoding: self)
        case .tree(let tree): tree
        }
    }

    package static func == (one: SavedWorld, other: SavedWorld) -> Bool { one.tree == other.tree }

    package func hash(into hasher: inout Hasher) { hasher.combine(tree) }
}

extension SavedWorld: Encodable {
    private enum CodingKeys: String, CodingKey { case bodies, items, behaviors, settled }
    private enum BodyKeys: String, CodingKey { case animator, bodies, handles }

    /// Described beside what its bodies are, for versions that know bodies otherwise: items where
    /// they are now, and what behaviors have become where that is not what they were made of.
    package func encode(to encoder: any Encoder) throws {
        let world: WorldBodies
        switch content {
        case .tree(let tree):
            var container = encoder.singleValueContainer()
            return try container.encode(tree)
        case .bodies(let bodies): world = bodies
        }
        var table = encoder.container(keyedBy: CodingKeys.self)
        var bodies = table.nestedContainer(keyedBy: BodyKeys.self, forKey: .bodies)
        try bodies.encode(world.animator, forKey: .animator)
        try bodies.encode(world.placedItems.map(\.body), forKey: .bodies)
        try bodies.encode(world.placedBehaviors.map(\.handle), forKey: .handles)
        try table.encode(world.items, forKey: .items)
        let sources = world.placedBehaviors.map(\.behavior.source)
        try table.encode(sources.map { Node(.object($0)) }, forKey: .behaviors)
        let settled = zip(sources, world.behaviors.map(\.source)).filter { $0 != $1 }
        guard !settled.isEmpty else { return }
        try table.encode(settled.map { Node(.object($0.1)) }, forKey: .settled)
    }

    /// What `WorldBodies` is decoded from.
    var bodies: Node {
        let tree = tree
        let described = ["items", "behaviors"].map { Node.Member($0, tree[$0] ?? Node(.null)) }
        return Node(.object((tree["bodies"]?.members ?? []) + described))
    }

    /// The items and behaviors as they would have to be made now, as a scene's table.
    var description: Node {
        let tree = tree
        let settled = tree["settled"]?.array ?? []
        let behaviors = (tree["behaviors"]?.array ?? []).map { behavior in
            settled.first { $0["id"] == behavior["id"] } ?? behavior
        }
        return Node(
            .object([
                .init("items", tree["items"] ?? Node(.null)),
                .init("behaviors", Node(.array(behaviors))),
            ]))
    }
}
