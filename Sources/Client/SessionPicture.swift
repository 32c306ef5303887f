import Notation
import Protocol

/// A session as it is now, ready to be drawn and to be asked who is touched.
///
/// Give it the updates of `scene/<session>` and `frame/<session>` (or `state/<session>/`), and take
/// its ``layers`` after each. It holds one scene and one state of each component, so it is as
/// large as these.
public struct SessionPicture: Sendable {
    private var scene: Node?
    private var epoch: String?
    private var states: [String: Node] = [:]
    private var toldRows: [String: Node] = [:]
    /// The contacts that are down, in the order in which they landed: of all people on all screens.
    public private(set) var touches: [Touch] = []

    public init() {}

    /// A picture of a scene and of states by component, each a JSON object as the daemon sends it.
    ///
    /// Throws ``ClientError/refused(code:message:)`` with `bad-json` where one is none.
    public init(scene: String, states: [String: String]) throws(ClientError) {
        self.scene = try Self.object(scene)
        for (component, state) in states { self.states[component] = try Self.object(state) }
    }

    private static func object(_ text: String) throws(ClientError) -> Node {
        do throws(DocumentError) {
            return try Document.json(Array(text.utf8))
        } catch {
            throw .refused(code: "bad-json", message: error.message)
        }
    }

    /// Takes over what an update shows; updates of other topics change nothing.
    public mutating func take(_ update: ReceivedUpdate) {
        let parts = update.topic.split(separator: "/")
        switch parts.first {
        case "scene":
            scene = update.content
            let ids = Set((update.content["components"]?.array ?? []).map { $0["id"]?.string })
            states = epoch == update.epoch ? states.filter { ids.contains($0.key) } : [:]
            toldRows = epoch == update.epoch ? toldRows.filter { ids.contains($0.key) } : [:]
            if epoch != update.epoch { touches = [] }
            epoch = update.epoch
        case "frame":
            for state in update.content["states"]?.array ?? [] {
                if let component = state["component"]?.string { states[component] = state }
            }
            for member in update.content["rows"]?.members ?? [] {
                toldRows[member.name] = member.value
            }
            takeTouches(update)
        case "touches": takeTouches(update)
        case "rows" where parts.count == 3: toldRows[String(parts[2])] = update.content
        case "state" where parts.count == 3: states[String(parts[2])] = update.content
        case "session":
            let event = update.content["event"]?.string
            if event == "closed" || event == "expired" { self = SessionPicture() }
        default: break
        }
    }

    private mutating func takeTouches(_ update: ReceivedUpdate) {
        guard let list = update.content["touches"]?.array else { return }
        touches = list.compactMap { Touch($0) }
    }

    /// The viewport's width and height in points; nil before the scene has come.
    public var viewport: (width: Double, height: Double)? {
        guard let sides = scene?["viewport"]?.array, sides.count == 2,
            let width = sides[0].double, let height = sides[1].double
        else { return nil }
        return (width, height)
    }

    /// A row that a list has told, as a JSON object: its `content`, and its `id` and `menu` if it
    /// has them. Nil where the list has not told it: those that show and their neighbours are told.
    public func row(_ number: Int, of component: String) -> String? {
        guard let told = toldRows[component], let from = told["from"]?.int,
            let rows = told["rows"]?.array, rows.indices.contains(number &- from)
        else { return nil }
        return String(decoding: rows[number &- from].json(), as: UTF8.self)
    }

    /// The painted views, the rearmost first.
    public var layers: [Layer] { LayerTree(scene, states).layers() }

    /// The component and the view at a point of the viewport; nil where nothing is hit.
    public func hit(x: Double, y: Double) -> Hit? { LayerTree(scene, states).hit(x, y) }

    /// A component, and a view of it, that a finger would touch.
    public struct Hit: Hashable, Sendable {
        public var component: String
        /// Nil where no view lies, only the component's frame or a running transition.
        public var view: String?
    }

    /// A contact that is down.
    public struct Touch: Hashable, Sendable {
        /// The number that its publisher gave it.
        public var pointer: Int
        /// In points of the viewport.
        public var x: Double
        public var y: Double
        /// `finger`, `pen` or `mouse`.
        public var kind: String
        /// From 0 to 1; nil where its publisher does not say.
        public var pressure: Double?
        /// The person's name; nil where its publisher does not say.
        public var user: String?
        /// `#3b82f6`: one of ten, the same for all contacts of a person.
        public var color: String

        init?(_ node: Node) {
            guard let pointer = node["pointer"]?.int, let x = node["x"]?.double,
                let y = node["y"]?.double
            else { return nil }
            (self.pointer, self.x, self.y) = (pointer, x, y)
            kind = node["kind"]?.string ?? "finger"
            pressure = node["pressure"]?.double
            user = node["user"]?.string
            color = node["color"]?.string ?? ""
        }
    }

    /// One painted view: a box from (0, 0) to (`width`, `height`), or a circle in it.
    public struct Layer: Hashable, Sendable {
        public var component: String
        public var view: String
        /// From the view's own coordinates to the viewport's.
        public var matrix: Matrix
        /// In points, in the view's own coordinates.
        public var width: Double
        /// In points, in the view's own coordinates.
        public var height: Double
        /// From 0 to 1, multiplied through all that holds the view.
        public var alpha: Double
        /// Whether it is a circle around its middle, whose radius is half its width.
        public var isRound: Bool
    }
}

/// A change of coordinates: X = a·u + c·v + tx, Y = b·u + d·v + ty.
public struct Matrix: Hashable, Sendable {
    public var a = 1.0
    public var b = 0.0
    public var c = 0.0
    public var d = 1.0
    public var tx = 0.0
    public var ty = 0.0

    public init() {}

    /// The point (u, v) in the new coordinates.
    public func apply(_ u: Double, _ v: Double) -> (x: Double, y: Double) {
        (a * u + c * v + tx, b * u + d * v + ty)
    }

    /// The same after a displacement.
    func moved(by x: Double, _ y: Double) -> Matrix {
        var moved = self
        (moved.tx, moved.ty) = apply(x, y)
        return moved
    }

    /// The same after a rotation and a uniform scale.
    func turned(cosine: Double, sine: Double) -> Matrix {
        var turned = self
        (turned.a, turned.b) = (a * cosine + c * sine, b * cosine + d * sine)
        (turned.c, turned.d) = (c * cosine - a * sine, d * cosine - b * sine)
        return turned
    }
}
