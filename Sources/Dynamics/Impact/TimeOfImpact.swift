import Geometry

/// A shape's corners without its skin: one of a circle, two of an edge, four of a box.
struct Outline {
    private var corners: InlineArray<4, Vector>
    let count: Int

    init(_ from: Vector, _ to: Vector) {
        corners = InlineArray(repeating: to)
        corners[0] = from
        count = 2
    }

    init(_ part: Piece, at pose: Pose) {
        switch part.kind {
        case .circle:
            corners = InlineArray(repeating: pose.point(part.pose.center))
            count = 1
        case .box:
            let quad = part.quad.placed(by: pose)
            corners = InlineArray { quad.corner($0) }
            count = 4
        }
    }

    /// The same elsewhere.
    init(_ other: Outline, at pose: Pose) {
        corners = InlineArray { pose.point(other.corners[$0]) }
        count = other.count
    }

    subscript(index: Int) -> Vector { corners[index] }

    /// An edge has one side, a circle none.
    var sideCount: Int { count > 2 ? count : count - 1 }
    func end(ofSide index: Int) -> Vector { corners[index + 1 < count ? index + 1 : 0] }

    /// The farthest that a corner is from the origin.
    var reach: Double {
        var most = 0.0
        for index in 0..<count { most = max(most, corners[index].lengthSquared) }
        return most.squareRoot()
    }

    /// The corner that lies farthest in a direction.
    func support(_ direction: Vector) -> Int {
        var (best, most) = (0, corners[0].dot(direction))
        for index in 1..<max(count, 1) {
            let dot = corners[index].dot(direction)
            if dot > most { (best, most) = (index, dot) }
        }
        return best
    }
}

/// The shortest way from one outline to another, and what is at its ends.
struct Gap {
    enum Ends {
        case corners
        case sideOfFirst(Int)
        case sideOfSecond(Int)
    }

    private(set) var distance = Double.infinity
    private(set) var ends = Ends.corners
    /// From the first to the second, of length 1.
    private(set) var direction = Vector.zero

    /// Nil where they overlap.
    init?(_ a: Outline, _ b: Outline) {
        guard Gap.areApart(a, b) else { return nil }
        for index in 0..<a.count { take(a[index], b, isFirst: false) }
        for index in 0..<b.count { take(b[index], a, isFirst: true) }
        distance = distance.squareRoot()
        guard distance > 1e-9 else { return nil }
        direction = direction / distance
    }

    /// Whether the line along some side, or the sides' ends, lies between them.
    private static func areApart(_ a: Outline, _ b: Outline) -> Bool {
        if a.count + b.count < 4 { return true }
        return separates(a, b) || separates(b, a)
    }

    private static func separates(_ a: Outline, _ b: Outline) -> Bool {
        for side in 0..<a.sideCount {
            let out = (a.end(ofSide: side) - a[side]).outward
            if out.dot(b[b.support(-out)] - a[side]) > 0 { return true }
            if a.count == 2, out.dot(b[b.support(out)] - a[side]) < 0 { return true }
        }
        return false
    }

    /// The way from a corner to the other outline, if it is shorter. Kept squared meanwhile.
    private mutating func take(_ corner: Vector, _ other: Outline, isFirst: Bool) {
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
                let ends: Ends = isFirst ? .sideOfFirst(side) : .sideOfSecond(side)
                take(corner, from + share * along, ends, isFirst)
            }
        }
    }

    private mutating func take(_ corner: Vector, _ foot: Vector, _ ends: Ends, _ isFirst: Bool) {
        let way = isFirst ? corner - foot : foot - corner
        guard way.lengthSquared < distance else { return }
        distance = way.lengthSquared
        direction = way
        self.ends = ends
    }
}

/// When a moving shape comes as near to a fixed one as touching allows.
///
/// Source: Box2D's time of impact: along the axis of the nearest features the deepest corner is
/// brought to the distance that is sought, until no other corner is nearer.
struct Approach {
    /// In its body's coordinates.
    let moving: Outline
    let course: Course
    let fixed: Outline
    private let target: Double
    private static var tolerance: Double { 0.25 * Tuning.linearSlop }

    init(moving: Outline, course: Course, fixed: Outline, skins: Double) {
        self.moving = moving
        self.course = course
        self.fixed = fixed
        target = max(Tuning.linearSlop, skins - 3 * Tuning.linearSlop)
    }

    /// The axis along which the distance is measured.
    private enum Axis {
        case still(Vector)
        /// Out of a side of the moving shape: it turns with it.
        case own(Vector, at: Vector)
        case other(Vector, at: Vector)
    }

    /// The share of the way after which it hits; nil if never.
    ///
    /// What overlaps from the start on is not stopped: it would never come free.
    func impact() -> Double? {
        var share = 0.0
        for _ in 0..<Tuning.approachMax {
            let pose = course.pose(after: share)
            guard let gap = Gap(Outline(moving, at: pose), fixed) else { return nil }
            if gap.distance < target + Approach.tolerance { return share }
            if share == 0,
                gap.distance - target > course.way.length + moving.reach * abs(course.turn)
            {
                return nil
            }
            switch next(after: share, axis(gap, pose)) {
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

    private func axis(_ gap: Gap, _ pose: Pose) -> Axis {
        switch gap.ends {
        case .corners: .still(gap.direction)
        case .sideOfFirst(let side):
            // As the gap's direction, in the body's own coordinates.
            .own(pose.localDirection(gap.direction), at: moving[side])
        case .sideOfSecond(let side): .other(-gap.direction, at: fixed[side])
        }
    }

    /// Resolves the deepest corner at the end of the way, then the deepest before it, and so on.
    private func next(after share: Double, _ axis: Axis) -> Outcome {
        var end = 1.0
        for _ in 0..<8 {
            let deepest = deepest(axis, at: end)
            if deepest.separation > target + Approach.tolerance { return .free }
            if deepest.separation > target - Approach.tolerance { return .nearer(end) }
            let now = separation(axis, at: share, corner: deepest.corner)
            if now < target - Approach.tolerance { return .free }
            if now <= target + Approach.tolerance { return .impact }
            end = root(axis, deepest.corner, (share, now), (end, deepest.separation))
        }
        return .nearer(end)
    }

    /// The share at which a corner is at the distance that is sought: by turns secant and half.
    private func root(
        _ axis: Axis, _ corner: (Int, Int), _ low: (Double, Double), _ high: (Double, Double)
    ) -> Double {
        var ((t1, s1), (t2, s2)) = (low, high)
        for trial in 0..<Tuning.trialsMax {
            let share =
                trial & 1 == 1
                ? t1 + (target - s1) * (t2 - t1) / (s2 - s1) : 0.5 * (t1 + t2)
            let here = separation(axis, at: share, corner: corner)
            if abs(here - target) < Approach.tolerance { return share }
            if here > target { (t1, s1) = (share, here) } else { (t2, s2) = (share, here) }
        }
        return t2
    }

    /// The corners that lie deepest along the axis, and their distance.
    private func deepest(
        _ axis: Axis, at share: Double
    ) -> (corner: (Int, Int), separation: Double) {
        let pose = course.pose(after: share)
        let corner: (Int, Int) =
            switch axis {
            case .still(let direction):
                (moving.support(pose.localDirection(direction)), fixed.support(-direction))
            case .own(let normal, _): (0, fixed.support(-pose.direction(normal)))
            case .other(let normal, _): (moving.support(-pose.localDirection(normal)), 0)
            }
        return (corner, separation(axis, at: share, corner: corner))
    }

    private func separation(_ axis: Axis, at share: Double, corner: (Int, Int)) -> Double {
        let pose = course.pose(after: share)
        switch axis {
        case .still(let direction):
            return direction.dot(fixed[corner.1] - pose.point(moving[corner.0]))
        case .own(let normal, let origin):
            return pose.direction(normal).dot(fixed[corner.1] - pose.point(origin))
        case .other(let normal, let origin):
            return normal.dot(pose.point(moving[corner.0]) - origin)
        }
    }
}
