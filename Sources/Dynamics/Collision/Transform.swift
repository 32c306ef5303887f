import Geometry

/// A rotation and a translation: from a body's coordinates to the world's (Box2D's transform).
struct Transform: Hashable, Sendable, Codable {
    var center: Vector
    var sine: Double
    var cosine: Double

    /// The world's own coordinates.
    static var identity: Transform { Transform(center: .zero, sine: 0, cosine: 1) }

    init(center: Vector, sine: Double, cosine: Double) {
        self.center = center
        self.sine = sine
        self.cosine = cosine
    }

    init(center: Vector, rotation: Double) {
        self.center = center
        (sine, cosine) = Angle.sineCosine(rotation)
    }

    /// Converts a point to the world's coordinates.
    func point(_ local: Vector) -> Vector { center + direction(local) }

    /// Rotates a direction into the world.
    func direction(_ local: Vector) -> Vector { local.rotated(sine: sine, cosine: cosine) }

    /// Converts a point of the world to the body's coordinates.
    func localPoint(_ point: Vector) -> Vector { localDirection(point - center) }

    /// Rotates a direction of the world into the body's coordinates.
    func localDirection(_ direction: Vector) -> Vector {
        direction.rotated(sine: -sine, cosine: cosine)
    }
}

extension Vector {
    /// The vector of length 1 in this direction; a zero vector stays zero.
    var normalized: Vector {
        let length = length
        return length > 1e-9 ? self / length : .zero
    }

    /// The perpendicular to the right: the outside of an edge in this direction.
    var outward: Vector { Vector(y, -x) }
}
