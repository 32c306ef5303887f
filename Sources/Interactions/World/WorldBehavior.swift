import Dynamics
import Geometry
import Notation

/// A behavior of a world, described by the names of the items that it acts on.
struct WorldBehavior: Hashable, Sendable {
    /// Named as in scenes.
    enum Kind: String, CaseIterable {
        case attachment, snap, push, gravity, collision, item, field, group
    }

    /// The action. The engine's values stand here without items; names stand beside them.
    enum Rule: Hashable, Sendable {
        case attachment(WorldAttachment)
        case snap(item: String, point: Vector, damping: Double)
        case push(items: [String], Push)
        case gravity(items: [String], Gravity)
        /// With the insets of the viewport as a boundary; nil: the viewport is no boundary.
        case collision(items: [String], Collision, insets: [Double]?)
        case properties(items: [String], ItemProperties)
        case field(items: [String], Field)
        /// Several items as one body under the behavior's id.
        case group(members: [String])
    }

    let id: String
    let rule: Rule
    /// The table that it was read from. Setting a property reads it again.
    let source: [Node.Member]

    /// The items that it acts on.
    var names: [String] {
        switch rule {
        case .attachment(let attachment): attachment.names
        case .snap(let item, _, _): [item]
        case .push(let items, _), .gravity(let items, _), .collision(let items, _, _),
            .properties(let items, _), .field(let items, _):
            items
        case .group(let members): members
        }
    }

    var isGroup: Bool {
        if case .group = rule { return true }
        return false
    }

    var isGravity: Bool {
        if case .gravity = rule { return true }
        return false
    }

    /// Whether it keeps items moving; `gravity` is the vector that all gravities share.
    func drives(under gravity: Vector) -> Bool {
        switch rule {
        case .attachment, .snap, .collision, .properties, .group: false
        case .push(let items, let push):
            push.mode == .continuous && push.isActive && push.vector != .zero && !items.isEmpty
        case .gravity(let items, _): gravity != .zero && !items.isEmpty
        case .field(let items, let field):
            !items.isEmpty && (field.strength != 0 || field.kind == .velocity)
        }
    }

    /// Reads a table. In errors, `path` stands before `behavior …`.
    init(
        _ node: Node, path: String = "", number: Int? = nil, among names: WorldNames,
        viewport: Size
    ) throws(TableError) {
        var table = try TableReader(
            node, path: path + (number.map { "behavior \($0)" } ?? "behavior"))
        try table.require("id")
        id = try table.name("id") ?? ""
        table.path = "\(path)behavior \(id)"
        try table.require("kind")
        switch try table.choice("kind", default: Kind.group) {
        case .attachment: rule = .attachment(try WorldAttachment(&table, among: names))
        case .snap: rule = try Self.snap(&table, names)
        case .push: rule = try Self.push(&table, names)
        case .gravity: rule = try Self.gravity(&table, names)
        case .collision: rule = try Self.collision(&table, names, viewport)
        case .item: rule = try Self.properties(&table, names)
        case .field: rule = try Self.field(&table, names, seed: StableHash(id).value)
        case .group: rule = try Self.group(&table, names)
        }
        try table.finish()
        source = node.members ?? []
    }

    init(id: String, rule: Rule, source: [Node.Member]) {
        self.id = id
        self.rule = rule
        self.source = source
    }

    /// The behavior without one of its items; nil: it needs that item.
    func without(_ item: String) -> WorldBehavior? {
        func rest(_ items: [String]) -> [String] { items.filter { $0 != item } }
        let rule: Rule
        switch self.rule {
        case .attachment, .snap, .group: return nil
        case .push(let items, let push): rule = .push(items: rest(items), push)
        case .gravity(let items, let gravity): rule = .gravity(items: rest(items), gravity)
        case .collision(let items, let collision, let insets):
            rule = .collision(items: rest(items), collision, insets: insets)
        case .properties(let items, let properties):
            rule = .properties(items: rest(items), properties)
        case .field(let items, let field): rule = .field(items: rest(items), field)
        }
        let names = rest(names).map { Node(.string($0)) }
        let source = self.source.map {
            $0.name == "items" ? Node.Member("items", Node(.array(names))) : $0
        }
        return WorldBehavior(id: id, rule: rule, source: source)
    }

    // MARK: Setting

    static let sides = ["dx", "dy"]
    static let polar = ["angle", "magnitude"]
    /// The keys of the vector of a push or a gravity.
    static let forceKeys = sides + polar

    /// The table with new values for some members.
    ///
    /// A vector stands by its sides or by its angle and magnitude. Setting one form converts the
    /// other.
    func setting(_ values: [Node.Member]) -> [Node.Member] {
        var members = source
        func sets(_ names: [String]) -> Bool { values.contains { names.contains($0.name) } }
        if let force, sets(Self.polar) != sets(Self.sides) {
            members.removeAll { Self.forceKeys.contains($0.name) }
            let pairs =
                sets(Self.polar)
                ? [("angle", force.angle), ("magnitude", force.magnitude)]
                : [("dx", force.vector.x), ("dy", force.vector.y)]
            members += pairs.map { .init($0.0, .init(.number($0.1))) }
        }
        if sets(["anchor"]) && !sets(["to"]) {
            members.removeAll { $0.name == "to" || $0.name == "to_offset" }
        }
        if sets(["to"]) && !sets(["anchor"]) { members.removeAll { $0.name == "anchor" } }
        members.removeAll { member in values.contains { $0.name == member.name } }
        return members + values
    }

    /// The vector of a push or a gravity.
    var force: PolarVector? {
        switch rule {
        case .push(_, let push): push.force
        case .gravity(_, let gravity): gravity.force
        case .attachment, .snap, .collision, .properties, .field, .group: nil
        }
    }
}
