import Geometry

/// Keeps two ends at a distance, softly or not, while an island is solved.
struct DistanceTie {
    let length: Double
    let spring: Softness
    var ends: Ends
    /// In kg·pt/s, driving the ends apart.
    var impulse: Double
    private var axis = Vector.zero
    private var mass = 0.0
    private var gamma = 0.0
    private var bias = 0.0

    init(length: Double, spring: Softness, ends: Ends, impulse: Double) {
        self.length = length
        self.spring = spring
        self.ends = ends
        self.impulse = impulse
    }

    mutating func prepare(_ pair: inout Pair) {
        ends.turn(pair)
        let span = ends.span(pair)
        let distance = span.length
        axis = distance > Tuning.linearSlop ? span / distance : .zero
        let inverse = ends.softness(along: axis, pair)
        gamma = inverse * spring.share
        bias = (distance - length) * spring.biasRate
        mass = inverse > 0 ? 1 / (inverse + gamma) : 0
        ends.apply(axis * impulse, to: &pair)
    }

    @inline(__always)
    mutating func solveVelocity(_ pair: inout Pair) {
        let speed = axis.dot(ends.speed(pair))
        let change = -mass * (speed + bias + gamma * impulse)
        impulse += change
        ends.apply(axis * change, to: &pair)
    }

    func solvePosition(_ pair: inout Pair) -> Bool {
        guard spring.isRigid else { return true }
        let ends = ends.turned(pair)
        let span = ends.span(pair)
        let distance = span.length
        // Ends that coincide have no direction in which they could be corrected.
        let axis = distance > Tuning.leastSpan ? span / distance : .zero
        let error = (distance - length).clamped(
            to: -Tuning.correctionMax...Tuning.correctionMax)
        ends.shift(axis * (-mass * error), &pair)
        return abs(error) < Tuning.linearSlop
    }
}

/// Keeps two ends within a distance while an island is solved.
struct RopeTie {
    let length: Double
    var ends: Ends
    /// In kg·pt/s; at most 0, because a rope only draws.
    var impulse: Double
    private var axis = Vector.zero
    private var mass = 0.0
    private var slack = 0.0

    init(length: Double, ends: Ends, impulse: Double) {
        self.length = length
        self.ends = ends
        self.impulse = impulse
    }

    mutating func prepare(_ pair: inout Pair) {
        ends.turn(pair)
        let span = ends.span(pair)
        let distance = span.length
        slack = length - distance
        guard distance > Tuning.linearSlop else {
            axis = .zero
            mass = 0
            impulse = 0
            return
        }
        axis = span / distance
        let inverse = ends.softness(along: axis, pair)
        mass = inverse > 0 ? 1 / inverse : 0
        ends.apply(axis * impulse, to: &pair)
    }

    @inline(__always)
    mutating func solveVelocity(_ pair: inout Pair) {
        // What is still slack may be used up within the step.
        let speed = axis.dot(ends.speed(pair)) - max(slack, 0) / Tuning.step
        let before = impulse
        impulse = min(0, before - mass * speed)
        ends.apply(axis * (impulse - before), to: &pair)
    }

    func solvePosition(_ pair: inout Pair) -> Bool {
        let ends = ends.turned(pair)
        let span = ends.span(pair)
        let distance = span.length
        let axis = distance > Tuning.leastSpan ? span / distance : .zero
        let error = (distance - length).clamped(to: 0...Tuning.correctionMax)
        ends.shift(axis * (-mass * error), &pair)
        return distance - length < Tuning.linearSlop
    }
}
