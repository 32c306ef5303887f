import Geometry

/// A number that a spring draws to its target; it can be sent elsewhere on its way.
///
/// Sent elsewhere, it keeps its value and its velocity: nothing jumps, nothing stops dead.
package struct SpringAnimation: Hashable, Sendable {
    package let spring: Spring
    /// The distance from the target that counts as arrived, in the value's own unit.
    package let precision: Double
    package private(set) var target: Double
    package private(set) var value: Double
    /// Per second.
    package private(set) var velocity: Double
    /// Until it stands on the target; 0 when it does.
    private var stepsLeft = 0

    /// The precision is 1/1,000: the wire shows points that fine.
    package init(
        from value: Double, to target: Double, velocity: Double = 0, spring: Spring = Spring(),
        precision: Double = 0.001
    ) {
        precondition(precision > 0, "a precision of \(precision)")
        self.spring = spring
        self.precision = precision
        self.target = target
        self.value = value
        self.velocity = velocity
        retarget(to: target)
    }

    package var isMoving: Bool { stepsLeft > 0 }

    /// Sends it to another target; it keeps its value and its velocity.
    package mutating func retarget(to target: Double) {
        self.target = target
        let seconds = spring.settling(
            displacement: value - target, velocity: velocity, to: precision)
        stepsLeft = Step.zero.after(seconds: seconds).count
        if stepsLeft == 0 { arrive() }
    }

    /// Moves on by 1/120 s; the last step ends exactly on the target.
    package mutating func advance() {
        guard isMoving else { return }
        stepsLeft -= 1
        if stepsLeft == 0 { return arrive() }
        var displacement = value - target
        spring.advance(displacement: &displacement, velocity: &velocity)
        value = target + displacement
    }

    private mutating func arrive() {
        value = target
        velocity = 0
    }
}
