import Geometry

/// Collides a box with one boundary segment so that it does not catch at the neighbors.
private struct EdgeCollider {
    let edge: Edge
    /// The segment's normal on the side of the box's center.
    private(set) var normal = Vector.zero
    private(set) var isFront = true
    /// The range in which a contact normal may lie.
    private var lower = Vector.zero
    private var upper = Vector.zero

    private struct Neighbor {
        let normal: Vector
        let isInFront: Bool
        let isConvex: Bool
    }

    @inline(__always)
    init(_ edge: Edge, center: Vector) {
        self.edge = edge
        let along = (edge.to - edge.from).normalized
        let n1 = along.outward
        var (start, end): (Neighbor?, Neighbor?)
        if let before = edge.before {
            let direction = (edge.from - before).normalized
            let normal = direction.outward
            start = Neighbor(
                normal: normal, isInFront: normal.dot(center - before) >= 0,
                isConvex: direction.cross(along) >= 0)
        }
        if let after = edge.after {
            let direction = (after - edge.to).normalized
            let normal = direction.outward
            end = Neighbor(
                normal: normal, isInFront: normal.dot(center - edge.to) >= 0,
                isConvex: along.cross(direction) > 0)
        }
        choose(n1, n1.dot(center - edge.from) >= 0, start, end)
    }

    /// The center is in front if it is in front of this segment; at a convex corner also if it is
    /// in front of the neighbor; at a concave corner only if it is in front of both.
    @inline(__always)
    private mutating func choose(
        _ n1: Vector, _ own: Bool, _ start: Neighbor?, _ end: Neighbor?
    ) {
        isFront = own
        if let start, !start.isConvex { isFront = isFront && start.isInFront }
        if let end, !end.isConvex { isFront = isFront && end.isInFront }
        if let start, start.isConvex { isFront = isFront || start.isInFront }
        if let end, end.isConvex { isFront = isFront || end.isInFront }
        normal = isFront ? n1 : -n1
        if isFront {
            lower = start.map { $0.isConvex ? $0.normal : n1 } ?? -n1
            upper = end.map { $0.isConvex ? $0.normal : n1 } ?? -n1
        } else {
            // Seen from behind, concave corners are convex, and the limits change places.
            lower = end.map { $0.isConvex ? -n1 : -$0.normal } ?? n1
            upper = start.map { $0.isConvex ? -n1 : -$0.normal } ?? n1
        }
    }

    @inline(__always)
    func separation(of quad: Quad) -> Double {
        let reach =
            quad.half.x * abs(quad.normal(1).dot(normal))
            + quad.half.y * abs(quad.normal(2).dot(normal))
        return normal.dot(quad.center - edge.from) - reach
    }

    /// The box's side with the greatest separation whose normal is in the allowed range.
    @inline(__always)
    func widestSide(of quad: Quad) -> (side: Int, separation: Double)? {
        let across = Vector(-normal.y, normal.x)
        var best: (side: Int, separation: Double)?
        for side in 0..<4 {
            let inward = -quad.normal(side)
            let edgeNear = min(
                inward.dot(quad.center - edge.from), inward.dot(quad.center - edge.to))
            let separation = edgeNear - quad.depth(side)
            if separation > 2 * Tuning.skin { return (side, separation) }
            let limit = inward.dot(across) >= 0 ? upper : lower
            if (inward - limit).dot(normal) < -Tuning.angularSlop { continue }
            if separation > best?.separation ?? -Double.infinity { best = (side, separation) }
        }
        return best
    }
}

extension Manifold {
    static func edgeAndBox(_ edge: Edge, _ box: Shape, _ transform: Transform) -> Manifold {
        let quad = box.quad.placed(by: transform)
        let collider = EdgeCollider(edge, center: quad.center)
        let total = 2 * Tuning.skin
        let separation = collider.separation(of: quad)
        guard separation <= total else { return .none }
        guard let widest = collider.widestSide(of: quad) else {
            return edgeFace(collider, quad, transform)
        }
        guard widest.separation <= total else { return .none }
        return widest.separation > Tuning.facePreference * separation + Tuning.faceMargin
            ? boxFace(edge, box.quad, quad, widest.side) : edgeFace(collider, quad, transform)
    }

    /// The segment is the reference face and clips the box's side.
    @inline(__always)
    private static func edgeFace(_ collider: EdgeCollider, _ quad: Quad, _ transform: Transform)
        -> Manifold
    {
        let (normal, edge) = (collider.normal, collider.edge)
        let best = quad.side(against: normal)
        let after = Quad.next(best)
        let one = ClipPoint(place: quad.corner(best), feature: .side(0, corner: best))
        let two = ClipPoint(place: quad.corner(after), feature: .side(0, corner: after))
        let (v1, v2) = collider.isFront ? (edge.from, edge.to) : (edge.to, edge.from)
        let first = collider.isFront ? 0 : 1
        let kept = cut((one, two), v1, v2, normal, (first, 1 - first))
        return Manifold(
            face: .first, normal: normal, origin: v1,
            kept.0.map { ClipPoint(place: transform.localPoint($0.place), feature: $0.feature) },
            kept.1.map { ClipPoint(place: transform.localPoint($0.place), feature: $0.feature) })
    }

    /// The box's side is the reference face and clips the segment.
    @inline(__always)
    private static func boxFace(_ edge: Edge, _ own: Quad, _ quad: Quad, _ side: Int) -> Manifold {
        let next = Quad.next(side)
        let one = ClipPoint(place: edge.from, feature: .corner(0, side: side))
        let two = ClipPoint(place: edge.to, feature: .corner(1, side: side))
        let kept = cut(
            (one, two), quad.corner(side), quad.corner(next), quad.normal(side), (side, next))
        return Manifold(
            face: .second, normal: own.normal(side), origin: own.corner(side),
            kept.0.map { ClipPoint(place: $0.place, feature: $0.feature.swapped) },
            kept.1.map { ClipPoint(place: $0.place, feature: $0.feature.swapped) })
    }

    /// Clips the incident side at the face, and drops points that are too far away.
    @inline(__always)
    private static func cut(
        _ incident: (ClipPoint, ClipPoint), _ v1: Vector, _ v2: Vector, _ normal: Vector,
        _ corners: (Int, Int)
    ) -> (ClipPoint?, ClipPoint?) {
        let side = normal.outward
        guard
            let once = clip(incident, normal: side, offset: side.dot(v1), corner: corners.0),
            let twice = clip(once, normal: -side, offset: -side.dot(v2), corner: corners.1)
        else { return (nil, nil) }
        func near(_ point: ClipPoint) -> ClipPoint? {
            normal.dot(point.place - v1) <= 2 * Tuning.skin ? point : nil
        }
        return (near(twice.0), near(twice.1))
    }
}
