import Geometry

/// A turn and a shift: from a body's own coordinates to the world's.
struct Pose: Hashable, Sendable, Codable {
    var center: Vector
    var sine: Double
    var cosine: Double

    /// The world itself.
    static var identity: Pose { Pose(center: .zero, sine: 0, cosine: 1) }

    init(center: Vector, sine: Double, cosine: Double) {
        self.center = center
        self.sine = sine
        self.cosine = cosine
    }

    init(center: Vector, rotation: Double) {
        self.center = center
        (sine, cosine) = Angle.sineCosine(rotation)
    }

    /// Where a point is in the world.
    func point(_ local: Vector) -> Vector { center + direction(local) }

    /// How a direction stands in the world.
    func direction(_ local: Vector) -> Vector { local.rotated(sine: sine, cosine: cosine) }

    /// A point of the world in the body's own coordinates.
    func localPoint(_ point: Vector) -> Vector { localDirection(point - center) }

    /// A direction of the world in the body's own coordinates.
    func localDirection(_ direction: Vector) -> Vector {
        direction.rotated(sine: -sine, cosine: cosine)
    }

    /// Another pose as it is seen from this one.
    func local(_ other: Pose) -> Pose {
        Pose(
            center: localPoint(other.center),
            sine: cosine * other.sine - sine * other.cosine,
            cosine: cosine * other.cosine + sine * other.sine)
    }
}

extension Vector {
    /// Of length 1; zero stays zero.
    var normalized: Vector {
        let length = length
        return length > 1e-9 ? self / length : .zero
    }

    /// To the right of this direction: what an edge along it has outside.
    var outward: Vector { Vector(y, -x) }
}
