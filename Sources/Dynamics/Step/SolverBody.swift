import Geometry

/// A body as contacts see it: what moves, and how hard it is to move.
///
/// Whoever owns the bodies copies them in and out; the last of a list is the ground.
struct Mover: Hashable, Sendable {
    var center: Vector
    var rotation: Double
    var velocity = Vector.zero
    var spin = 0.0
    /// In 1/kg; 0 does not move.
    var inverseMass: Double
    /// In 1/(kg·pt²); 0 does not turn.
    var inverseInertia: Double
    var isAwake = true
    /// Steps in a row in which it was still.
    var stillSteps: Int32 = 0

    /// What boundaries are fixed to.
    static var ground: Mover {
        Mover(center: .zero, rotation: 0, inverseMass: 0, inverseInertia: 0, isAwake: false)
    }

    init(
        center: Vector, rotation: Double, velocity: Vector = .zero, spin: Double = 0,
        inverseMass: Double, inverseInertia: Double, isAwake: Bool = true, stillSteps: Int32 = 0
    ) {
        self.center = center
        self.rotation = rotation
        self.velocity = velocity
        self.spin = spin
        self.inverseMass = inverseMass
        self.inverseInertia = inverseInertia
        self.isAwake = isAwake
        self.stillSteps = stillSteps
    }

    var isFixed: Bool { inverseMass == 0 }
    var pose: Pose { Pose(center: center, rotation: rotation) }

    /// The velocity of a point at the end of a lever from the center.
    @inline(__always)
    func velocity(at lever: Vector) -> Vector {
        Vector(velocity.x - spin * lever.y, velocity.y + spin * lever.x)
    }

    /// Takes an impulse (kg·pt/s) at the end of a lever.
    @inline(__always)
    mutating func take(_ impulse: Vector, at lever: Vector) {
        velocity += impulse * inverseMass
        spin += lever.cross(impulse) * inverseInertia
    }

    /// Takes a correction of its place, as an impulse on positions.
    @inline(__always)
    mutating func shift(_ impulse: Vector, at lever: Vector) {
        center += impulse * inverseMass
        rotation += lever.cross(impulse) * inverseInertia
    }

    /// Moves for some seconds by the velocity, which is cut to what a step may move.
    mutating func advance(by seconds: Double) {
        let distance = velocity.length * seconds
        if distance > Tuning.translationMax {
            velocity = velocity * (Tuning.translationMax / distance)
        }
        let angle = abs(spin) * seconds
        if angle > Tuning.rotationMax { spin *= Tuning.rotationMax / angle }
        center += velocity * seconds
        rotation += spin * seconds
    }

    mutating func wake() {
        guard !isAwake, !isFixed else { return }
        isAwake = true
        stillSteps = 0
    }

    mutating func sleep() {
        isAwake = false
        velocity = .zero
        spin = 0
    }

    /// Counts the steps in which it was still.
    mutating func countStillness() {
        let isStill =
            velocity.lengthSquared <= Tuning.stillSpeed * Tuning.stillSpeed
            && abs(spin) <= Tuning.stillSpin
        stillSteps = isStill ? stillSteps + 1 : 0
    }
}
