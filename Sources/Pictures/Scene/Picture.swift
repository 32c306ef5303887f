package import Geometry
package import Notation

/// The latest of one session: the scene, the states of its components, the counts.
///
/// It takes `scene/` and `frame/` alone, as docs/protocol/draw.md says.
///
/// `Pictures` draws for people. `Scene` keeps what a client shows and places it, `Looks` draws
/// the views of each kind, `Film` makes stills, strips and animations of recordings, `Plot` draws
/// fields over time, and `Terminal` turns pixels into letters. All of them draw on a `Canvas`,
/// which alone calls cairo and pango. A new look touches `Looks` alone.
package struct Picture: Hashable, Sendable {
    package struct Component: Hashable, Sendable {
        package var id: String
        package var kind: String
        package var parent: String?
        package var slot: String?
        package var frame: Rect
        package var isClipped: Bool
        package var parameters: Node
        package var content: Node
    }

    package struct View: Hashable, Sendable {
        package var name: String
        /// Its center.
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double
        package var rotation: Double
        package var scale: Double
        package var alpha: Double
        package var z: Int
    }

    package struct State: Hashable, Sendable {
        package var phase: String
        package var model: Node
        /// From back to front.
        package var views: [View]
    }

    /// Some of a list's rows, with their content.
    package struct Rows: Hashable, Sendable {
        /// The number of the first.
        package var from: Int
        package var rows: [Node]

        package init(_ node: Node) {
            from = node["from"]?.int ?? 0
            rows = (node["rows"]?.array ?? []).map(\.bounded)
        }

        /// A row with its `content` and `menu`; nil: it was not told.
        package subscript(row: Int) -> Node? {
            let (place, isBeyond) = row.subtractingReportingOverflow(from)
            return !isBeyond && rows.indices.contains(place) ? rows[place] : nil
        }
    }

    package struct Transition: Hashable, Sendable {
        package var component: String
        package var name: String
        package var event: String
    }

    /// A contact that is down, in the viewport.
    package struct Touch: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var color: Color
        /// The person's name; nil: nobody knows it.
        package var user: String?

        init(x: Double, y: Double, color: Color, user: String?) {
            (self.x, self.y, self.color, self.user) = (x, y, color, user)
        }

        init?(_ node: Node) {
            guard let x = node["x"]?.double, let y = node["y"]?.double else { return nil }
            self.x = x.bounded(by: Picture.placeMax)
            self.y = y.bounded(by: Picture.placeMax)
            color = node["color"]?.string.flatMap { Color(css: $0) } ?? Color(0x64748b)
            user = node["user"]?.string
        }
    }

    /// Contacts that are drawn; a daemon tells no more.
    private static let touchesMax = 64
    /// Points of a viewport's side; other viewports are passed over, as their picture would have no
    /// pixel or too many.
    package static let viewportSides = 1.0...100_000
    /// The largest magnitude of a view's numbers and of a frame's; cairo's coordinates end at some
    /// millions.
    package static let placeMax = 1_000_000.0
    /// The largest magnitude of any other number that looks count with.
    package static let numberMax = 1_000_000_000

    package private(set) var viewport = Size(320, 568)
    package private(set) var content = Node(.object([]))
    /// In the order of painting.
    package private(set) var components: [Component] = []
    package private(set) var states: [String: State] = [:]
    /// The rows that were told last, by component.
    package private(set) var rows: [String: Rows] = [:]
    package private(set) var total = 0
    package private(set) var counts: [(kind: String, count: Int)] {
        get { countedKinds.map { ($0.kind, $0.count) } }
        set { countedKinds = newValue.map { Count(kind: $0.kind, count: $0.count) } }
    }
    /// The transitions of the last frame that had some.
    package private(set) var transitions: [Transition] = []
    /// The contacts that are down, in the order in which they landed.
    package private(set) var touches: [Touch] = []
    /// The session's life of which the contacts are.
    private var epoch: String?
    private var countedKinds: [Count] = []

    private struct Count: Hashable, Sendable {
        var kind: String
        var count: Int
    }

    package init() {}

    package mutating func take(scene: Node) {
        if let sides = scene["viewport"]?.numbers, sides.count == 2,
            sides.allSatisfy(Self.viewportSides.contains)
        {
            viewport = Size(sides[0], sides[1])
        }
        content = scene["content"]?.bounded ?? Node(.object([]))
        components = (scene["components"]?.array ?? []).compactMap(Component.init)
        let names = Set(components.map(\.id))
        states = states.filter { names.contains($0.key) }
        rows = rows.filter { names.contains($0.key) }
    }

    package mutating func take(frame: Node) {
        for state in frame["states"]?.array ?? [] {
            if let id = state["component"]?.string { states[id] = State(state) }
        }
        let passed = (frame["transitions"]?.array ?? []).map { transition in
            Transition(
                component: transition["component"]?.string ?? "?",
                name: transition["name"]?.string ?? "?", event: transition["event"]?.string ?? "?")
        }
        if !passed.isEmpty { transitions = passed }
        if let badge = frame["badge"] { take(badge: badge) }
        for member in frame["rows"]?.members ?? [] { rows[member.name] = Rows(member.value) }
        let epoch = frame["epoch"]?.string
        if epoch != self.epoch { touches = [] }
        self.epoch = epoch
        if let list = frame["touches"]?.array {
            touches = list.prefix(Self.touchesMax).compactMap { Touch($0) }
        }
    }

    package mutating func take(badge: Node) {
        total = badge["total"]?.int ?? 0
        counts = (badge["counts"]?.members ?? []).compactMap { member in
            member.value.int.map { (member.name, $0) }
        }
    }

    /// The session has ended: nothing of it is to be seen.
    package mutating func clear() { self = Picture() }

    /// The components in a slot, or in the viewport; the first one at the back.
    package func components(in slot: String?, of parent: String?) -> [Component] {
        components.filter { $0.parent == parent && $0.slot == slot }
    }
}

extension Picture.Component {
    init?(_ node: Node) {
        guard let id = node["id"]?.string else { return nil }
        self.id = id
        kind = node["kind"]?.string ?? ""
        parent = node["parent"]?.string
        slot = node["slot"]?.string
        let sides = (node["frame"]?.numbers ?? []).map { $0.bounded(by: Picture.placeMax) }
        frame = sides.count == 4 ? Rect(sides[0], sides[1], sides[2], sides[3]) : Rect(0, 0, 0, 0)
        isClipped = node["clip"]?.bool ?? false
        parameters = node["parameters"]?.bounded ?? Node(.object([]))
        content = node["content"]?.bounded ?? Node(.object([]))
    }
}

extension Picture.State {
    init(_ node: Node) {
        phase = node["phase"]?.string ?? ""
        model = node["model"]?.bounded ?? Node(.object([]))
        let views = (node["views"]?.members ?? []).map { Picture.View($0.name, $0.value) }
        // Views of the same z keep their order.
        self.views = views.enumerated()
            .sorted { ($0.element.z, $0.offset) < ($1.element.z, $1.offset) }.map(\.element)
    }
}

extension Picture.View {
    init(_ name: String, _ node: Node) {
        func number(_ key: String, _ usual: Double) -> Double {
            (node[key]?.double ?? usual).bounded(by: Picture.placeMax)
        }
        self.name = name
        x = number("x", 0)
        y = number("y", 0)
        width = max(number("w", 0), 0)
        height = max(number("h", 0), 0)
        rotation = number("rotation", 0)
        scale = number("scale", 1)
        alpha = number("alpha", 1)
        z = node["z"]?.int ?? 0
    }
}

extension Node {
    /// The numbers of a list.
    package var numbers: [Double] { (array ?? []).compactMap(\.double) }

    /// The same tree with no number beyond `Picture.numberMax`, so that looks may count with any.
    var bounded: Node {
        switch value {
        case .integer(let whole):
            Node(.integer(min(max(whole, -Picture.numberMax), Picture.numberMax)), line: line)
        case .unsigned: Node(.integer(Picture.numberMax), line: line)
        case .number(let number):
            Node(.number(number.bounded(by: Double(Picture.numberMax))), line: line)
        case .array(let elements): Node(.array(elements.map(\.bounded)), line: line)
        case .object(let members):
            Node(.object(members.map { Member($0.name, $0.value.bounded) }), line: line)
        case .null, .bool, .string: self
        }
    }
}

extension Double {
    /// The nearest number of at most a magnitude; 0 for NaN.
    func bounded(by most: Double) -> Double { isNaN ? 0 : Swift.min(Swift.max(self, -most), most) }
}

extension Array {
    /// The element at an index, which begins anew behind the last one; an empty array has none.
    subscript(around index: Int) -> Element {
        let rest = index % count
        return self[rest < 0 ? rest + count : rest]
    }
}
