import Geometry

/// How two parts touch, as Box2D 2.3 finds it, features and tolerances included.
///
/// Poses are the bodies'; a manifold is in the bodies' own coordinates.
extension Manifold {
    static func circles(_ a: Piece, _ poseA: Pose, _ b: Piece, _ poseB: Pose) -> Manifold {
        let span = poseB.point(b.pose.center) - poseA.point(a.pose.center)
        let reach = a.half.x + b.half.x
        guard span.lengthSquared <= reach * reach else { return .none }
        return Manifold(
            face: .none, normal: .zero, origin: a.pose.center,
            ClipPoint(place: b.pose.center, feature: .only), nil)
    }

    static func boxAndCircle(
        _ box: Piece, _ poseA: Pose, _ circle: Piece, _ poseB: Pose
    ) -> Manifold {
        let (quad, radius) = (box.quad, circle.half.x + Tuning.skin)
        let center = poseA.localPoint(poseB.point(circle.pose.center))
        var (side, separation) = (0, -Double.infinity)
        for index in 0..<4 {
            let distance = quad.normal(index).dot(center - quad.center) - quad.depth(index)
            if distance > radius { return .none }
            if distance > separation { (side, separation) = (index, distance) }
        }
        let (v1, v2) = (quad.corner(side), quad.corner(Quad.next(side)))
        var (normal, origin) = (quad.normal(side), 0.5 * (v1 + v2))
        if separation >= Tuning.insideDepth {
            var corner: Vector?
            if (center - v1).dot(v2 - v1) <= 0 {
                corner = v1
            } else if (center - v2).dot(v1 - v2) <= 0 {
                corner = v2
            }
            if let corner {
                let span = center - corner
                guard span.lengthSquared <= radius * radius else { return .none }
                (normal, origin) = (span.normalized, corner)
            }
        }
        return Manifold(
            face: .first, normal: normal, origin: origin,
            ClipPoint(place: circle.pose.center, feature: .only), nil)
    }

    /// A corner belongs to the piece on whose side of the joint the circle is.
    static func edgeAndCircle(_ edge: Edge, _ circle: Piece, _ pose: Pose) -> Manifold {
        let center = pose.point(circle.pose.center)
        let (a, b) = (edge.from, edge.to)
        let along = b - a
        let u = along.dot(b - center)
        let v = along.dot(center - a)
        let reach = circle.half.x + Tuning.skin
        if v <= 0 || u <= 0 {
            let corner = v <= 0 ? a : b
            guard (center - corner).lengthSquared <= reach * reach else { return .none }
            if v <= 0, let before = edge.before, (a - before).dot(a - center) > 0 { return .none }
            if v > 0, let after = edge.after, (after - b).dot(center - b) > 0 { return .none }
            return Manifold(
                face: .none, normal: .zero, origin: corner,
                ClipPoint(place: circle.pose.center, feature: .corner(v <= 0 ? 0 : 1)), nil)
        }
        let foot = (u * a + v * b) / along.lengthSquared
        guard (center - foot).lengthSquared <= reach * reach else { return .none }
        var normal = Vector(-along.y, along.x)
        if normal.dot(center - a) < 0 { normal = -normal }
        return Manifold(
            face: .first, normal: normal.normalized, origin: a,
            ClipPoint(place: circle.pose.center, feature: .side(0, corner: 0)), nil)
    }

    /// Two rectangles: the side that separates them most is the face, the other's side is cut.
    static func boxes(_ a: Piece, _ poseA: Pose, _ b: Piece, _ poseB: Pose) -> Manifold {
        let total = 2 * Tuning.skin
        let (quadA, quadB) = (a.quad.placed(by: poseA), b.quad.placed(by: poseB))
        let (sideA, separationA) = widest(quadA, quadB)
        guard separationA <= total else { return .none }
        let (sideB, separationB) = widest(quadB, quadA)
        guard separationB <= total else { return .none }
        // The first one is preferred a little: a face that changes in every step loses what the
        // solver had found.
        let isSecond = separationB > Tuning.facePreference * separationA + Tuning.faceMargin
        return isSecond
            ? face(.second, b.quad, quadB, sideB, quadA, poseA)
            : face(.first, a.quad, quadA, sideA, quadB, poseB)
    }

    /// The side of a reference as the face. The other one's points are told in its own pose.
    @inline(__always)
    private static func face(
        _ face: Face, _ own: Quad, _ reference: Quad, _ side: Int, _ incident: Quad, _ pose: Pose
    ) -> Manifold {
        let total = 2 * Tuning.skin
        let next = Quad.next(side)
        let (normal, tangent) = (reference.normal(side), reference.normal(next))
        let (v1, v2) = (reference.corner(side), reference.corner(next))
        let best = incident.side(against: normal)
        let after = Quad.next(best)
        let one = ClipPoint(place: incident.corner(best), feature: .side(side, corner: best))
        let two = ClipPoint(place: incident.corner(after), feature: .side(side, corner: after))
        guard
            let once = clip(
                (one, two), normal: -tangent, offset: total - tangent.dot(v1), corner: side),
            let twice = clip(
                once, normal: tangent, offset: total + tangent.dot(v2), corner: next)
        else { return .none }
        func local(_ point: ClipPoint) -> ClipPoint? {
            guard normal.dot(point.place - v1) <= total else { return nil }
            return ClipPoint(
                place: pose.localPoint(point.place),
                feature: face == .second ? point.feature.swapped : point.feature)
        }
        return Manifold(
            face: face, normal: own.normal(side),
            origin: 0.5 * (own.corner(side) + own.corner(next)),
            local(twice.0), local(twice.1))
    }

    /// The side of the first that the second is farthest from, and how far.
    ///
    /// Of both axes' nearer sides the one that looks most at the other's center, unless the
    /// other axis separates more: as a search from side to side finds it.
    @inline(__always)
    private static func widest(_ a: Quad, _ b: Quad) -> (side: Int, separation: Double) {
        let way = a.pose.localDirection(b.center - a.center)
        let cosine = abs(a.pose.cosine * b.pose.cosine + a.pose.sine * b.pose.sine)
        let sine = abs(a.pose.cosine * b.pose.sine - a.pose.sine * b.pose.cosine)
        let x = abs(way.x) - a.half.x - (b.half.x * cosine + b.half.y * sine)
        let y = abs(way.y) - a.half.y - (b.half.x * sine + b.half.y * cosine)
        let sideX = way.x >= 0 ? 1 : 3
        let sideY = way.y > 0 ? 2 : 0
        let isXFirst = abs(way.x) > abs(way.y) || (way.x == way.y && way.x > 0)
        return isXFirst ? (y > x ? (sideY, y) : (sideX, x)) : (x > y ? (sideX, x) : (sideY, y))
    }
}
