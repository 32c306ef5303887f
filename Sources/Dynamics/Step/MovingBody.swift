import Geometry

/// A body's position and velocity, and the one integrator: plain bodies and those of islands
/// move by the same arithmetic.
protocol MovingBody {
    /// In points.
    var center: Vector { get set }
    /// In radians.
    var rotation: Double { get set }
    /// In pt/s.
    var velocity: Vector { get set }
    /// In rad/s.
    var angularVelocity: Double { get set }
}

extension MovingBody {
    /// Moves by the velocity, after limiting it to the greatest movement in a step.
    @inline(__always)
    mutating func advance(by seconds: Double) {
        let distance = velocity.length * seconds
        if distance > Tuning.translationMax {
            velocity = velocity * (Tuning.translationMax / distance)
        }
        let angle = abs(angularVelocity) * seconds
        if angle > Tuning.rotationMax { angularVelocity *= Tuning.rotationMax / angle }
        center += velocity * seconds
        rotation += angularVelocity * seconds
    }
}
