import Geometry

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
