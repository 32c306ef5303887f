/// The way of a spring from 0 to its target 1, in shares of the way.
package struct SpringProgress: Hashable, Sendable {
    /// Force per displacement, in 1/s².
    package let stiffness: Double
    /// Force per velocity, in 1/s.
    package let damping: Double
    /// The speed at the beginning, in shares of the way per second.
    package let velocity: Double
    /// The fastest: any finger's, on a way too short to see.
    package static let velocityMax = 1e12

    package init(_ spring: Spring, velocity: Double = 0) {
        stiffness = spring.stiffness
        damping = spring.damping
        self.velocity = velocity
    }

    private func state(at seconds: Double) -> (displacement: Double, velocity: Double) {
        Spring.state(
            stiffness: stiffness, damping: damping, displacement: -1, velocity: velocity,
            after: seconds)
    }

    /// The share of the way after so many seconds; 0 before.
    package func value(at seconds: Double) -> Double {
        seconds <= 0 ? 0 : 1 + state(at: seconds).displacement
    }

    /// In shares of the way per second; 0 before the beginning.
    package func speed(at seconds: Double) -> Double {
        seconds < 0 ? 0 : state(at: seconds).velocity
    }
}

extension Spring {
    package init(_ curve: SpringProgress) {
        self.init(stiffness: curve.stiffness, damping: curve.damping)
    }
}

// MARK: - Coding

extension SpringProgress: Codable {
    package init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        (stiffness, damping, velocity) = (
            try numbers.decode(Double.self), try numbers.decode(Double.self),
            try numbers.decode(Double.self)
        )
        guard Spring.decoded.contains(stiffness), Spring.decoded.contains(damping),
            velocity.magnitude <= Self.velocityMax
        else {
            throw DecodingError.dataCorruptedError(
                in: numbers, debugDescription: "must be of a spring that rests")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        for number in [stiffness, damping, velocity] { try numbers.encode(number) }
    }
}
