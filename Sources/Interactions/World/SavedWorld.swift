package import Notation

/// A world at rest, from memory or from a document. Two are equal if they encode alike.
///
/// It is encoded only on demand and without a tree: a full world has thousands of numbers.
package struct SavedWorld: Hashable, Sendable {
    private enum Content: Sendable {
        case bodies(WorldBodies)
        case tree(Node)
    }

    private let content: Content

    /// `bodies` rest.
    init(_ bodies: WorldBodies) { content = .bodies(bodies) }

    /// Any tree; restoring finds out whether it is a world.
    package init(_ tree: Node) { content = .tree(tree) }

    /// The encoded world.
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

    /// Writes the bodies, and beside them a description for versions with other bodies: items where
    /// they are now, and behaviors as they have become where they differ from their source.
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

    /// The tree that `WorldBodies` decodes.
    var bodies: Node {
        let tree = tree
        let described = ["items", "behaviors"].map { Node.Member($0, tree[$0] ?? Node(.null)) }
        return Node(.object((tree["bodies"]?.members ?? []) + described))
    }

    /// The items and behaviors as they are now, as a scene's table.
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
