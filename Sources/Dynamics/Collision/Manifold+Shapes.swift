import Geometry

/// Collides two fixtures as Box2D 2.3 does, with its features and tolerances.
///
/// The transforms are the bodies'; manifolds are in the bodies' coordinates.
extension Manifold {
    static func circles(_ a: Shape, _ transformA: Transform, _ b: Shape, _ transformB: Transform)
        -> Manifold
    {
        let span = transformB.point(b.transform.center) - transformA.point(a.transform.center)
        let reach = a.half.x + b.half.x
        guard span.lengthSquared <= reach * reach else { return .none }
        return Manifold(
            face: .none, normal: .zero, origin: a.transform.center,
            ClipPoint(place: b.transform.center, feature: .only), nil)
    }

    static func boxAndCircle(
        _ box: Shape, _ transformA: Transform, _ circle: Shape, _ transformB: Transform
    ) -> Manifold {
        let (quad, radius) = (box.quad, circle.half.x + Tuning.skin)
        let center = transformA.localPoint(transformB.point(circle.transform.center))
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
            ClipPoint(place: circle.transform.center, feature: .only), nil)
    }

    /// A corner between two segments belongs to the one on whose side the circle is.
    static func edgeAndCircle(_ edge: Edge, _ circle: Shape, _ transform: Transform) -> Manifold {
        let center = transform.point(circle.transform.center)
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
                ClipPoint(place: circle.transform.center, feature: .corner(v <= 0 ? 0 : 1)), nil)
        }
        let foot = (u * a + v * b) / along.lengthSquared
        guard (center - foot).lengthSquared <= reach * reach else { return .none }
        var normal = Vector(-along.y, along.x)
        if normal.dot(center - a) < 0 { normal = -normal }
        return Manifold(
            face: .first, normal: normal.normalized, origin: a,
            ClipPoint(place: circle.transform.center, feature: .side(0, corner: 0)), nil)
    }

    /// Separating axis test: the side with the greatest separation is the reference face; the other
    /// box's side is clipped.
    static func boxes(_ a: Shape, _ transformA: Transform, _ b: Shape, _ transformB: Transform)
        -> Manifold
    {
        let total = 2 * Tuning.skin
        let (quadA, quadB) = (a.quad.placed(by: transformA), b.quad.placed(by: transformB))
        let (sideA, separationA) = widest(quadA, quadB)
        guard separationA <= total else { return .none }
        let (sideB, separationB) = widest(quadB, quadA)
        guard separationB <= total else { return .none }
        // Prefers the first box a little: if the face changed in every step, warm starting would be
        // lost.
        let isSecond = separationB > Tuning.facePreference * separationA + Tuning.faceMargin
        return isSecond
            ? face(.second, b.quad, quadB, sideB, quadA, transformA)
            : face(.first, a.quad, quadA, sideA, quadB, transformB)
    }

    /// The manifold with a side of `reference` as the face. The points are in the other one's
    /// coordinates.
    @inline(__always)
    private static func face(
        _ face: Face, _ own: Quad, _ reference: Quad, _ side: Int, _ incident: Quad,
        _ transform: Transform
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
                place: transform.localPoint(point.place),
                feature: face == .second ? point.feature.swapped : point.feature)
        }
        return Manifold(
            face: face, normal: own.normal(side),
            origin: 0.5 * (own.corner(side) + own.corner(next)),
            local(twice.0), local(twice.1))
    }

    /// The side of `a` with the greatest separation from `b`, and that separation.
    ///
    /// On each axis it considers the side nearer to the other's center. At a tie it prefers the
    /// axis that points more to the other's center, as Box2D's search does.
    @inline(__always)
    private static func widest(_ a: Quad, _ b: Quad) -> (side: Int, separation: Double) {
        let way = a.transform.localDirection(b.center - a.center)
        let cosine = abs(
            a.transform.cosine * b.transform.cosine + a.transform.sine * b.transform.sine)
        let sine = abs(
            a.transform.cosine * b.transform.sine - a.transform.sine * b.transform.cosine)
        let x = abs(way.x) - a.half.x - (b.half.x * cosine + b.half.y * sine)
        let y = abs(way.y) - a.half.y - (b.half.x * sine + b.half.y * cosine)
        let sideX = way.x >= 0 ? 1 : 3
        let sideY = way.y > 0 ? 2 : 0
        let isXFirst = abs(way.x) > abs(way.y) || (way.x == way.y && way.x > 0)
        return isXFirst ? (y > x ? (sideY, y) : (sideX, x)) : (x > y ? (sideX, x) : (sideY, y))
    }
}
