import Geometry

/// A number that a spring pulls to a target. The target may change on the way.
///
/// A change keeps value and velocity, so that nothing jumps or stops.
package struct SpringAnimation: Hashable, Sendable, Codable {
    package let spring: Spring
    /// The distance from the target that counts as arrived, in the value's unit.
    package let precision: Double
    package private(set) var target: Double
    package private(set) var value: Double
    /// Per second.
    package private(set) var velocity: Double
    /// Steps until it is on the target; 0 if it is.
    private var stepsLeft = 0

    /// The default precision is the wire's for points.
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

    /// Changes the target and keeps value and velocity.
    package mutating func retarget(to target: Double) {
        self.target = target
        let seconds = spring.settling(
            displacement: value - target, velocity: velocity, to: precision)
        stepsLeft = Step.zero.after(seconds: seconds).count
        if stepsLeft == 0 { arrive() }
    }

    /// Advances by 1/120 s. The last step ends exactly on the target.
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

extension SpringAnimation {
    /// Whether a decoded one has finite values and an end.
    package var isSound: Bool {
        let far = 1e12
        let stepsMax = Step.zero.after(seconds: Spring.settlingSecondsMax).count
        return precision > 0 && precision <= far && target.magnitude <= far
            && value.magnitude <= far && velocity.magnitude <= far
            && (0...stepsMax).contains(stepsLeft)
    }
}
