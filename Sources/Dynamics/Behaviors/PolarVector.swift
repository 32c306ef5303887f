package import Geometry

/// A vector that can be set by its components, its angle or its magnitude.
package struct PolarVector: Hashable, Sendable, Codable {
    private var cartesian: Vector
    private var direction: Double
    private var size: Double

    package init(_ vector: Vector) {
        cartesian = vector.reachable
        direction = Angle.direction(of: cartesian)
        size = cartesian.length
    }

    /// `angle` in radians, clockwise on screen from the x axis; a negative magnitude reverses.
    package init(angle: Double, magnitude: Double) {
        self.init(.zero)
        direction = PolarVector.finite(angle)
        self.magnitude = magnitude
    }

    /// Sets magnitude and angle. A zero vector keeps the angle.
    package var vector: Vector {
        get { cartesian }
        set {
            cartesian = newValue.reachable
            size = cartesian.length
            if size > 0 { direction = Angle.direction(of: cartesian) }
        }
    }

    /// In radians, clockwise on screen. Setting it keeps the magnitude.
    package var angle: Double {
        get { direction }
        set {
            direction = PolarVector.finite(newValue)
            align()
        }
    }

    /// Setting it keeps the angle, also at 0. A negative value reverses the vector.
    package var magnitude: Double {
        get { size }
        set {
            size = Vector(newValue, 0).reachable.x
            align()
        }
    }

    private mutating func align() {
        let (sine, cosine) = Angle.sineCosine(direction)
        cartesian = Vector(size * cosine, size * sine)
    }

    private static func finite(_ angle: Double) -> Double {
        precondition(angle.isFinite, "an angle of \(angle)")
        return angle
    }
}

/// A behavior with a force that can be set by components, angle or magnitude.
package protocol PolarForce {
    var force: PolarVector { get set }
}

extension PolarForce {
    package var vector: Vector {
        get { force.vector }
        set { force.vector = newValue }
    }

    /// In radians, clockwise on screen.
    package var angle: Double {
        get { force.angle }
        set { force.angle = newValue }
    }

    package var magnitude: Double {
        get { force.magnitude }
        set { force.magnitude = newValue }
    }
}
