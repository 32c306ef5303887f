import Geometry

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
