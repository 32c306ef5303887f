import Geometry

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
