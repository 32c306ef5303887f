import Geometry

/// Two fixtures that are near each other, or a fixture near a boundary's segment.
struct Contact: Hashable, Sendable {
    /// The kinds of shapes. They decide which one is first.
    enum Kind: UInt8, Sendable, Codable {
        case boxes
        case boxAndCircle
        case circles
        /// The first is a boundary's segment.
        case edgeAndBox
        case edgeAndCircle
    }

    var manifold = Manifold.none
    let kind: Kind
    /// Whether it touched at the end of the last step.
    var wasTouching = false
    /// Indices of solver bodies.
    var bodyA: Int16
    var bodyB: Int16
    /// A fixture's number, or an edge's if on the ground.
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

/// An unkeyed list: a full world has several hundred, and most do not touch.
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

/// A boundary as a chain of segments (Box2D's chain shape).
struct ChainShape: Hashable, Sendable, Codable {
    /// The collision to which it belongs.
    let behavior: BehaviorID
    /// Its index among the collision's boundaries.
    let ordinal: Int32
    /// The bit of its collision.
    let mask: UInt64
    let points: [Vector]
    let isClosed: Bool
    /// The number of its first edge in the world.
    var firstEdge: Int32 = 0

    /// The keys are a file format.
    private enum CodingKeys: String, CodingKey {
        case behavior, ordinal
        case mask = "among"
        case points, isClosed, firstEdge
    }

    /// Merges points that are closer together than the slop.
    init(behavior: BehaviorID, ordinal: Int32, mask: UInt64, path: [Vector]) {
        self.behavior = behavior
        self.ordinal = ordinal
        self.mask = mask
        var points: [Vector] = []
        for point in path.map(\.reachable) {
            if let last = points.last, (point - last).length <= Tuning.linearSlop { continue }
            points.append(point)
        }
        var isClosed = false
        if points.count > 1, (points[0] - points[points.count - 1]).length <= Tuning.linearSlop {
            points.removeLast()
            // Two points have no inside.
            isClosed = points.count > 2
        }
        // Shares the path's storage if no point was merged.
        self.points = points == path ? path : points
        self.isClosed = isClosed
    }

    var edgeCount: Int { isClosed ? points.count : max(points.count - 1, 0) }

    func aabb(ofEdge index: Int) -> AABB {
        let (from, to) = (points[index], points[index + 1 < points.count ? index + 1 : 0])
        return AABB(
            low: Vector(min(from.x, to.x), min(from.y, to.y)),
            high: Vector(max(from.x, to.x), max(from.y, to.y)))
    }

    /// One segment with its neighbors.
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

/// A pair that began or ended to touch.
struct ContactChange: Hashable, Sendable {
    /// Bodies by index, the lower one first.
    enum Pair: Hashable, Comparable, Sendable {
        case items(Int32, Int32)
        case boundary(Int32, BehaviorID, ordinal: Int32)

        private var key: (Int32, Int32, UInt32, Int32) {
            switch self {
            case .items(let a, let b): (a, b, 0, 0)
            // After the pairs with items.
            case .boundary(let body, let id, let ordinal): (body, .max, id.number, ordinal)
            }
        }

        static func < (a: Pair, b: Pair) -> Bool { a.key < b.key }
    }

    let pair: Pair
    let point: Vector
    /// For an end: whether it touched before this step.
    var isOld: Bool
}
