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
