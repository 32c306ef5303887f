import Geometry

/// A rectangle with any center and rotation.
struct Quad: Hashable, Sendable {
    let transform: Transform
    /// Half its width and half its height.
    let half: Vector

    var center: Vector { transform.center }

    /// A corner by number, clockwise on screen from the top left.
    @inline(__always)
    func corner(_ index: Int) -> Vector {
        let x = index == 0 || index == 3 ? -half.x : half.x
        let y = index < 2 ? -half.y : half.y
        return transform.point(Vector(x, y))
    }

    /// The outward normal of the side from a corner to the next.
    @inline(__always)
    func normal(_ index: Int) -> Vector {
        switch index {
        case 0: Vector(transform.sine, -transform.cosine)
        case 1: Vector(transform.cosine, transform.sine)
        case 2: Vector(-transform.sine, transform.cosine)
        default: Vector(-transform.cosine, -transform.sine)
        }
    }

    /// The distance from the center to a side.
    @inline(__always)
    func depth(_ side: Int) -> Double { side & 1 == 0 ? half.y : half.x }

    @inline(__always)
    static func next(_ index: Int) -> Int { (index + 1) & 3 }

    /// The side whose normal is most opposite to a direction; the first of several.
    @inline(__always)
    func side(against normal: Vector) -> Int {
        var (best, least) = (0, Double.infinity)
        for index in 0..<4 {
            let dot = self.normal(index).dot(normal)
            if dot < least { (best, least) = (index, dot) }
        }
        return best
    }

    /// The rectangle in the coordinates in which `other` is given.
    @inline(__always)
    func placed(by other: Transform) -> Quad {
        Quad(
            transform: Transform(
                center: other.point(transform.center),
                sine: other.sine * transform.cosine + other.cosine * transform.sine,
                cosine: other.cosine * transform.cosine - other.sine * transform.sine),
            half: half)
    }
}
