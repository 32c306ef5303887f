import Dynamics
package import Geometry
package import Notation

/// The parameters of `dynamics`: the description of a world.
///
/// Valid by construction: each name in a behavior is an item or a group. Lengths in points.
package struct WorldParameters: KindParameters {
    package typealias Component = World

    let viewport: Size
    /// The topmost last.
    var items: [WorldItem] = []
    /// In the order in which they were added.
    var behaviors: [WorldBehavior] = []
    /// Whose pans drag items.
    var drag = WorldDragRule.each
    /// The frequency of the attachment to the finger, in hertz; 0 is rigid.
    var dragFrequency = 0.0
    /// The damping ratio of a soft one: 1 does not swing.
    var dragDamping = 1.0

    package init(viewport: Size) { self.viewport = viewport }

    package mutating func declare(in table: inout ParameterTable) throws(TableError) {
        let items = try table.nodes(
            "items", self.items.map { Node(encoding: $0) }, of: WorldItem.shape,
            count: 0...World.itemsMax)
        let behaviors = try table.nodes(
            "behaviors", self.behaviors.map { Node(.object($0.source)) }, of: WorldBehavior.shape,
            count: 0...World.behaviorsMax)
        var rule = drag
        try table.value("drag", WorldDragRule.shape, rule.node) { (table) throws(TableError) in
            rule = try WorldDragRule(&table, default: rule)
        }
        drag = rule
        try table.number("drag_frequency", &dragFrequency, in: .distance)
        try table.number("drag_damping", &dragDamping, in: .distance)
        if let path = table.reader?.path {
            try read(items ?? [], behaviors ?? [], path: "\(path), ")
        }
    }

    /// The names that reactions and commands may use: of items and groups, and of behaviors.
    package var itemNames: [String] {
        items.map(\.id) + behaviors.filter(\.isGroup).map(\.id)
    }
    package var behaviorNames: [String] { behaviors.map(\.id) }
    package var boundaryNames: [String] {
        behaviors.flatMap { behavior in
            guard case .collision(_, let collision, _) = behavior.rule else { return [String]() }
            return collision.boundaries.map(\.id)
        }
    }
    /// The boundary's name for the viewport's edges.
    package static let boundsName = WorldBehavior.boundsName

    package var contentBytes: Int { items.reduce(0) { $0 + ($1.content?.jsonBytes ?? 0) } }

    package var bulk: Bulk { Bulk(items: items.count, behaviors) }

    /// Reads the items, then the behaviors that name them.
    private mutating func read(
        _ items: [Node], _ behaviors: [Node], path: String
    ) throws(TableError) {
        var names = WorldNames()
        for (index, node) in items.enumerated() {
            let item = try WorldItem(node, path: path, number: index + 1, among: names)
            names.append(item)
            self.items.append(item)
        }
        try read(behaviors, path: path, names: &names)
    }

    /// Reads groups first: other behaviors may name them before they stand.
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

/// The names in a world, and its numbers of fields and segments.
struct WorldNames {
    var items: [String] = []
    /// The items that follow tokens, each with the symbol of its token.
    private(set) var tokens: [(item: String, symbol: Int)] = []
    /// Each with its members.
    private(set) var groups: [(id: String, members: [String])] = []
    private(set) var behaviors: [String] = []
    private var fields = 0
    private var segments = 0

    mutating func append(_ item: WorldItem) {
        items.append(item.id)
        if let token = item.token { tokens.append((item.id, token)) }
    }

    /// The group that an item is a member of.
    func group(of item: String) -> String? {
        groups.first { $0.members.contains(item) }?.id
    }

    /// Why a behavior may not act on a name; nil: it may.
    func objection(to name: String) -> String? {
        if groups.contains(where: { $0.id == name }) { return nil }
        let shown = TableReader.shortened(name)
        guard items.contains(name) else {
            let known = items + groups.map(\.id)
            return "there is no item \"\(shown)\", \(knownNames(nearestTo: name, among: known))"
        }
        return group(of: name).map { "\"\(shown)\" is a member of the group \"\($0)\"" }
    }

    /// Adds a behavior; throws beyond the world's bounds.
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
            if let token = tokens.first(where: { members.contains($0.item) }) {
                throw error(
                    "items",
                    "\"\(token.item)\" follows a token, and cannot be a member of a group")
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

extension Bulk {
    /// The bulk of a world.
    init(items: Int, _ behaviors: some Sequence<WorldBehavior>) {
        self.init(items: items, fields: 0, pairs: 0)
        let groups = Set(behaviors.lazy.filter(\.isGroup).map(\.id))
        for behavior in behaviors {
            switch behavior.rule {
            case .field: fields += 1
            case .collision(let names, let collision, _):
                // A group touches with each of its members.
                let count = names.contains(where: groups.contains) ? items : names.count
                let segments = collision.boundaries.reduce(0) { $0 + $1.path.count - 1 }
                pairs += count * segments + count * (count - 1) / 2
            case .attachment, .snap, .push, .gravity, .properties, .group: break
            }
        }
    }
}

extension WorldParameters {
    /// The table of a behavior with other values written into it; nil: there is no such behavior.
    package func members(ofBehavior id: String, setting values: [Node.Member]) -> [Node.Member]? {
        behaviors.first { $0.id == id }?.setting(values)
    }
}

/// Which contacts of a world drag its items.
enum WorldDragRule: Hashable, Sendable {
    /// No contact drags.
    case none
    /// One contact of the world at a time, and two make a pinch or a rotation.
    case one
    /// The contacts on each item or group move it, whatever others do on other items.
    case each

    private static let oneName = "one"

    /// `true` is `each`, as before there were several.
    static let shape = ValueShape.either([.bool, .choice([oneName])])

    var node: Node {
        switch self {
        case .none: Node(.bool(false))
        case .one: Node(.string(Self.oneName))
        case .each: Node(.bool(true))
        }
    }

    /// Reads the key `drag` of a table.
    init(_ table: inout TableReader, default value: WorldDragRule) throws(TableError) {
        guard let node = table.node("drag") else {
            self = value
            return
        }
        if let isDragged = node.bool {
            self = isDragged ? .each : .none
        } else if node.string == Self.oneName {
            self = .one
        } else {
            throw table.error("drag", "must be true, false or \"\(Self.oneName)\"")
        }
    }
}
