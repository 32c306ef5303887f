import Dynamics
package import Geometry
package import Notation

/// The parameters of `dynamics`: a world described, from which it can be made again.
///
/// Valid by construction: whatever a behavior names is an item or a group. Lengths in points.
package struct WorldParameters: Hashable, Sendable {
    let viewport: Size
    /// In the order in which they lie on each other, the topmost last.
    var items: [WorldItem] = []
    /// In the order in which they were added.
    var behaviors: [WorldBehavior] = []
    /// Whether a pan drags items.
    var drag = true
    /// Of the attachment to the finger, in hertz; 0 is rigid.
    var dragFrequency = 0.0
    /// The damping ratio of a soft one: 1 does not swing.
    var dragDamping = 1.0

    package init(viewport: Size) { self.viewport = viewport }

    /// Reads the keys of a component's table.
    package init(_ table: inout TableReader, viewport: Size) throws(TableError) {
        self.init(viewport: viewport)
        let items =
            try table.tables("items", countMin: 0, countMax: World.itemsMax) ?? []
        let behaviors =
            try table.tables("behaviors", countMin: 0, countMax: World.behaviorsMax) ?? []
        drag = try table.bool("drag", default: drag)
        dragFrequency = try table.number("drag_frequency", default: dragFrequency, in: .distance)
        dragDamping = try table.number("drag_damping", default: dragDamping, in: .distance)
        let place = "\(table.path), "
        var names = WorldNames()
        for (index, node) in items.enumerated() {
            let item = try WorldItem(node, path: place, number: index + 1, among: names)
            names.items.append(item.id)
            self.items.append(item)
        }
        try read(behaviors, path: place, names: &names)
    }

    /// Groups first, because the others may name them wherever they stand.
    private mutating func read(
        _ nodes: [Node], path: String, names: inout WorldNames
    ) throws(TableError) {
        var read: [WorldBehavior?] = Array(repeating: nil, count: nodes.count)
        for isGroup in [true, false] {
            for (index, node) in nodes.enumerated()
            where (node["kind"]?.string == WorldBehavior.Kind.group.rawValue) == isGroup {
                let behavior = try WorldBehavior(
                    node, path: path, number: index + 1, among: names, viewport: viewport)
                try names.insert(behavior, path: path, line: node.line)
                read[index] = behavior
            }
        }
        behaviors = read.compactMap { $0 }
    }
}

/// The names that there are in a world, and what is counted in it.
struct WorldNames {
    var items: [String] = []
    /// Each with its members.
    private(set) var groups: [(id: String, members: [String])] = []
    private(set) var behaviors: [String] = []
    private var fields = 0
    private var segments = 0

    /// The group that an item is a member of.
    func group(of item: String) -> String? {
        groups.first { $0.members.contains(item) }?.id
    }

    /// Why a behavior may not act on what it names so; nil: it may.
    func objection(to name: String) -> String? {
        if groups.contains(where: { $0.id == name }) { return nil }
        let shown = TableReader.shortened(name)
        guard items.contains(name) else { return "there is no item \"\(shown)\"" }
        return group(of: name).map { "\"\(shown)\" is a member of the group \"\($0)\"" }
    }

    /// Takes a behavior in, as far as the world's bounds allow.
    mutating func insert(
        _ behavior: WorldBehavior, path: String, line: Int? = nil
    ) throws(TableError) {
        func error(_ key: String, _ message: String) -> TableError {
            TableError(
                path: "\(path)behavior \(behavior.id)", key: key, line: line, message: message)
        }
        if behaviors.contains(behavior.id) {
            throw error("id", "is taken by another behavior")
        }
        guard behaviors.count < World.behaviorsMax else {
            throw error("id", "a world has at most \(World.behaviorsMax) behaviors")
        }
        switch behavior.rule {
        case .field: fields += 1
        case .collision(_, let collision, _):
            segments += collision.boundaries.reduce(0) { $0 + $1.path.count - 1 }
        case .group(let members):
            if items.contains(behavior.id) || groups.contains(where: { $0.id == behavior.id }) {
                throw error("id", "is taken by an item")
            }
            groups.append((behavior.id, members))
        case .attachment, .snap, .push, .gravity, .properties: break
        }
        guard fields <= World.fieldsMax else {
            throw error("kind", "a world has at most \(World.fieldsMax) fields")
        }
        guard segments <= World.segmentsMax else {
            throw error(
                "boundaries", "a world has at most \(World.segmentsMax) pieces of boundaries")
        }
        behaviors.append(behavior.id)
    }
}
