import Geometry

/// A shape's corners without its skin (Box2D's distance proxy): 1 for a circle, 2 for an edge, 4
/// for a box.
struct DistanceProxy {
    private var corners: InlineArray<4, Vector>
    let count: Int

    init(_ from: Vector, _ to: Vector) {
        corners = InlineArray(repeating: to)
        corners[0] = from
        count = 2
    }

    init(_ fixture: Shape, at transform: Transform) {
        switch fixture.kind {
        case .circle:
            corners = InlineArray(repeating: transform.point(fixture.transform.center))
            count = 1
        case .box:
            let quad = fixture.quad.placed(by: transform)
            corners = InlineArray { quad.corner($0) }
            count = 4
        }
    }

    /// The corners after a transform.
    init(_ other: DistanceProxy, at transform: Transform) {
        corners = InlineArray { transform.point(other.corners[$0]) }
        count = other.count
    }

    subscript(index: Int) -> Vector { corners[index] }

    /// An edge has one side, a circle none.
    var sideCount: Int { count > 2 ? count : count - 1 }
    func end(ofSide index: Int) -> Vector { corners[index + 1 < count ? index + 1 : 0] }

    /// The greatest distance of a corner from the origin.
    var reach: Double {
        var most = 0.0
        for index in 0..<count { most = max(most, corners[index].lengthSquared) }
        return most.squareRoot()
    }

    /// The corner farthest in a direction.
    func support(_ direction: Vector) -> Int {
        var (best, most) = (0, corners[0].dot(direction))
        for index in 1..<max(count, 1) {
            let dot = corners[index].dot(direction)
            if dot > most { (best, most) = (index, dot) }
        }
        return best
    }
}

/// The distance between two proxies, and the nearest features.
struct ShapeDistance {
    enum Features {
        case corners
        case sideOfFirst(Int)
        case sideOfSecond(Int)
    }

    private(set) var distance = Double.infinity
    private(set) var features = Features.corners
    /// From the first to the second, of length 1.
    private(set) var direction = Vector.zero

    /// Nil if they overlap.
    init?(_ a: DistanceProxy, _ b: DistanceProxy) {
        guard ShapeDistance.areApart(a, b) else { return nil }
        for index in 0..<a.count { take(a[index], b, isFirst: false) }
        for index in 0..<b.count { take(b[index], a, isFirst: true) }
        distance = distance.squareRoot()
        guard distance > 1e-9 else { return nil }
        direction = direction / distance
    }

    /// Whether some side's line separates them.
    private static func areApart(_ a: DistanceProxy, _ b: DistanceProxy) -> Bool {
        if a.count + b.count < 4 { return true }
        return separates(a, b) || separates(b, a)
    }

    private static func separates(_ a: DistanceProxy, _ b: DistanceProxy) -> Bool {
        for side in 0..<a.sideCount {
            let out = (a.end(ofSide: side) - a[side]).outward
            if out.dot(b[b.support(-out)] - a[side]) > 0 { return true }
            if a.count == 2, out.dot(b[b.support(out)] - a[side]) < 0 { return true }
        }
        return false
    }

    /// Considers the vector from a corner to the other proxy. The distance is still squared.
    private mutating func take(_ corner: Vector, _ other: DistanceProxy, isFirst: Bool) {
        if other.count == 1 { return take(corner, other[0], .corners, isFirst) }
        for side in 0..<other.sideCount {
            let (from, to) = (other[side], other.end(ofSide: side))
            let along = to - from
            let share = (corner - from).dot(along) / along.lengthSquared
            if share <= 0 {
                take(corner, from, .corners, isFirst)
            } else if share >= 1 {
                take(corner, to, .corners, isFirst)
            } else {
                let features: Features = isFirst ? .sideOfFirst(side) : .sideOfSecond(side)
                take(corner, from + share * along, features, isFirst)
            }
        }
    }

    private mutating func take(
        _ corner: Vector, _ foot: Vector, _ features: Features, _ isFirst: Bool
    ) {
        let way = isFirst ? corner - foot : foot - corner
        guard way.lengthSquared < distance else { return }
        distance = way.lengthSquared
        direction = way
        self.features = features
    }
}

/// Finds when a moving shape comes into touching distance of a fixed one.
///
/// Source: Box2D's time of impact: along the axis of the nearest features it brings the deepest
/// corner to the target distance, until no other corner is nearer.
struct TimeOfImpact {
    /// In its body's coordinates.
    let moving: DistanceProxy
    let sweep: Sweep
    let fixed: DistanceProxy
    private let target: Double
    private static var tolerance: Double { 0.25 * Tuning.linearSlop }

    init(moving: DistanceProxy, sweep: Sweep, fixed: DistanceProxy, skins: Double) {
        self.moving = moving
        self.sweep = sweep
        self.fixed = fixed
        target = max(Tuning.linearSlop, skins - 3 * Tuning.linearSlop)
    }

    /// The axis along which the distance is measured (Box2D's separation function).
    private enum Axis {
        case still(Vector)
        /// The normal of a side of the moving shape; it rotates with it.
        case own(Vector, at: Vector)
        case other(Vector, at: Vector)
    }

    /// The share of the sweep at which it hits; nil if never.
    ///
    /// An overlap at the start does not stop the body: it would never come free.
    func impact() -> Double? {
        var share = 0.0
        for _ in 0..<Tuning.impactSearchMax {
            let transform = sweep.transform(after: share)
            guard let gap = ShapeDistance(DistanceProxy(moving, at: transform), fixed) else {
                return nil
            }
            if gap.distance < target + TimeOfImpact.tolerance { return share }
            if share == 0,
                gap.distance - target > sweep.translation.length + moving.reach
                    * abs(sweep.rotationDelta)
            {
                return nil
            }
            switch next(after: share, axis(gap, transform)) {
            case .free: return nil
            case .impact: return share
            case .nearer(let nearer): share = nearer
            }
        }
        return share
    }

    private enum Outcome {
        case free
        case impact
        case nearer(Double)
    }

    private func axis(_ gap: ShapeDistance, _ transform: Transform) -> Axis {
        switch gap.features {
        case .corners: .still(gap.direction)
        case .sideOfFirst(let side):
            // The direction, in the body's coordinates.
            .own(transform.localDirection(gap.direction), at: moving[side])
        case .sideOfSecond(let side): .other(-gap.direction, at: fixed[side])
        }
    }

    /// Resolves the deepest corner at the end of the sweep, then the deepest before it, and so on.
    private func next(after share: Double, _ axis: Axis) -> Outcome {
        var end = 1.0
        for _ in 0..<8 {
            let deepest = deepest(axis, at: end)
            if deepest.separation > target + TimeOfImpact.tolerance { return .free }
            if deepest.separation > target - TimeOfImpact.tolerance { return .nearer(end) }
            let now = separation(axis, at: share, corner: deepest.corner)
            if now < target - TimeOfImpact.tolerance { return .free }
            if now <= target + TimeOfImpact.tolerance { return .impact }
            end = root(axis, deepest.corner, (share, now), (end, deepest.separation))
        }
        return .nearer(end)
    }

    /// The share at which a corner reaches the target distance, by alternating secant and
    /// bisection.
    private func root(
        _ axis: Axis, _ corner: (Int, Int), _ low: (Double, Double), _ high: (Double, Double)
    ) -> Double {
        var ((t1, s1), (t2, s2)) = (low, high)
        for trial in 0..<Tuning.rootTrialsMax {
            let share =
                trial & 1 == 1
                ? t1 + (target - s1) * (t2 - t1) / (s2 - s1) : 0.5 * (t1 + t2)
            let here = separation(axis, at: share, corner: corner)
            if abs(here - target) < TimeOfImpact.tolerance { return share }
            if here > target { (t1, s1) = (share, here) } else { (t2, s2) = (share, here) }
        }
        return t2
    }

    /// The deepest corners along the axis, and their distance.
    private func deepest(
        _ axis: Axis, at share: Double
    ) -> (corner: (Int, Int), separation: Double) {
        let transform = sweep.transform(after: share)
        let corner: (Int, Int) =
            switch axis {
            case .still(let direction):
                (moving.support(transform.localDirection(direction)), fixed.support(-direction))
            case .own(let normal, _): (0, fixed.support(-transform.direction(normal)))
            case .other(let normal, _): (moving.support(-transform.localDirection(normal)), 0)
            }
        return (corner, separation(axis, at: share, corner: corner))
    }

    private func separation(_ axis: Axis, at share: Double, corner: (Int, Int)) -> Double {
        let transform = sweep.transform(after: share)
        switch axis {
        case .still(let direction):
            return direction.dot(fixed[corner.1] - transform.point(moving[corner.0]))
        case .own(let normal, let origin):
            return transform.direction(normal).dot(fixed[corner.1] - transform.point(origin))
        case .other(let normal, let origin):
            return normal.dot(transform.point(moving[corner.0]) - origin)
        }
    }
}
