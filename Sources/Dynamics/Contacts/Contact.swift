import Geometry

/// Two parts that are near each other, or a part and a piece of a boundary.
struct Contact: Hashable, Sendable {
    /// What touches what: it decides which of the two is the first.
    enum Kind: UInt8, Sendable, Codable {
        case boxes
        case boxAndCircle
        case circles
        /// The first is a piece of a boundary.
        case edgeAndBox
        case edgeAndCircle
    }

    var manifold = Manifold.none
    let kind: Kind
    /// Told of: it touched at the end of the step before.
    var wasTouching = false
    /// Places among the movers.
    var bodyA: Int16
    var bodyB: Int16
    /// A part's number, or an edge's.
    var first: Int32
    var second: Int32

    init(_ kind: Kind, first: Int32, second: Int32, bodyA: Int16, bodyB: Int16) {
        self.kind = kind
        self.first = first
        self.second = second
        self.bodyA = bodyA
        self.bodyB = bodyB
    }

    var isTouching: Bool { manifold.count > 0 }

    var isOnGround: Bool {
        switch kind {
        case .boxes, .boxAndCircle, .circles: false
        case .edgeAndBox, .edgeAndCircle: true
        }
    }
}

/// As a list: a full world has several hundred, of which most do not touch.
extension Contact: Codable {
    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        kind = try list.decode(Kind.self)
        first = try list.decode(Int32.self)
        second = try list.decode(Int32.self)
        bodyA = try list.decode(Int16.self)
        bodyB = try list.decode(Int16.self)
        wasTouching = try list.decode(Bool.self)
        if !list.isAtEnd { manifold = try list.decode(Manifold.self) }
        try list.end()
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(kind.rawValue)
        try list.encode(first)
        try list.encode(second)
        try list.encode(bodyA)
        try list.encode(bodyB)
        try list.encode(wasTouching)
        if manifold != .none { try list.encode(manifold) }
    }
}

/// A path that stands still.
struct Chain: Hashable, Sendable, Codable {
    /// Whose it is.
    let behavior: BehaviorID
    /// Which of the behavior's boundaries.
    let ordinal: Int32
    /// Bits of the collisions in which it meets items.
    let among: UInt64
    let points: [Vector]
    let isClosed: Bool
    /// The number of its first edge.
    var firstEdge: Int32 = 0

    /// Points closer together than the slop are one.
    init(behavior: BehaviorID, ordinal: Int32, among: UInt64, path: [Vector]) {
        self.behavior = behavior
        self.ordinal = ordinal
        self.among = among
        var points: [Vector] = []
        for point in path.map(\.reachable) {
            if let last = points.last, (point - last).length <= Tuning.linearSlop { continue }
            points.append(point)
        }
        var isClosed = false
        if points.count > 1, (points[0] - points[points.count - 1]).length <= Tuning.linearSlop {
            points.removeLast()
            // There and back again has no inside to go round.
            isClosed = points.count > 2
        }
        // One storage for both where nothing was left out.
        self.points = points == path ? path : points
        self.isClosed = isClosed
    }

    var edgeCount: Int { isClosed ? points.count : max(points.count - 1, 0) }

    func bounds(of piece: Int) -> Bounds {
        let (from, to) = (points[piece], points[piece + 1 < points.count ? piece + 1 : 0])
        return Bounds(
            low: Vector(min(from.x, to.x), min(from.y, to.y)),
            high: Vector(max(from.x, to.x), max(from.y, to.y)))
    }

    /// One of its pieces.
    func edge(_ index: Int) -> Edge {
        let count = points.count
        func point(_ place: Int) -> Vector? {
            if place >= 0 && place < count { return points[place] }
            return isClosed ? points[(place + count) % count] : nil
        }
        let to = index + 1 < count ? index + 1 : 0
        return Edge(
            from: points[index], to: points[to], before: point(index - 1),
            after: point(index + 2))
    }
}

/// A pair that began or ceased to touch.
struct Touch: Hashable, Sendable {
    /// Bodies by their places among the movers, the lower one first.
    enum Pair: Hashable, Comparable, Sendable {
        case items(Int32, Int32)
        case boundary(Int32, BehaviorID, ordinal: Int32)

        private var key: (Int32, Int32, UInt32, Int32) {
            switch self {
            case .items(let a, let b): (a, b, 0, 0)
            // After those with items, whatever their number.
            case .boundary(let body, let id, let ordinal): (body, .max, id.number, ordinal)
            }
        }

        static func < (a: Pair, b: Pair) -> Bool { a.key < b.key }
    }

    let pair: Pair
    let point: Vector
    /// Of an end: it touched already before this step.
    var isOld: Bool
}
