import Geometry

/// A rectangle against a piece of a boundary whose neighbors it must not catch at.
private struct EdgeCollider {
    let edge: Edge
    /// The piece's normal on the side on which the rectangle's center is.
    private(set) var normal = Vector.zero
    private(set) var isFront = true
    /// How far a normal may turn to one side, and to the other.
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

    /// In front is who is in front of this piece; round a convex joint, of either; in a
    /// concave one, of both.
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
            // From behind, what is concave in front is convex, and the ends change places.
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

    /// The rectangle's side that separates most without turning into a neighbor, if there is one.
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
    static func edgeAndBox(_ edge: Edge, _ box: Piece, _ pose: Pose) -> Manifold {
        let quad = box.quad.placed(by: pose)
        let collider = EdgeCollider(edge, center: quad.center)
        let total = 2 * Tuning.skin
        let separation = collider.separation(of: quad)
        guard separation <= total else { return .none }
        guard let widest = collider.widestSide(of: quad) else {
            return edgeFace(collider, quad, pose)
        }
        guard widest.separation <= total else { return .none }
        return widest.separation > Tuning.facePreference * separation + Tuning.faceMargin
            ? boxFace(edge, box.quad, quad, widest.side) : edgeFace(collider, quad, pose)
    }

    /// The edge is the face and cuts the rectangle's side.
    @inline(__always)
    private static func edgeFace(_ collider: EdgeCollider, _ quad: Quad, _ pose: Pose) -> Manifold {
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
            kept.0.map { ClipPoint(place: pose.localPoint($0.place), feature: $0.feature) },
            kept.1.map { ClipPoint(place: pose.localPoint($0.place), feature: $0.feature) })
    }

    /// The rectangle's side is the face and cuts the edge.
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

    /// What a face cuts out of the other one's side, and is near enough.
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
