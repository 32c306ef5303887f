import Geometry

/// Keeps two anchors at a distance: a spring or a rod.
///
/// d is the span from the first anchor to the second, u = d / |d|, r the levers from the bodies'
/// centers to the anchors, v and ω the bodies' velocities:
///
///     C = |d| − length
///     Ċ = u · (vB + ωB × rB − vA − ωA × rA)
///     J = [−u, −rA × u, u, rB × u]
///     K = J M⁻¹ Jᵀ = 1/mA + 1/mB + (rA × u)² / IA + (rB × u)² / IB
///
/// A rod demands Ċ = 0, and a spring Ċ + bias + γ · impulse = 0. So one pass changes the impulse by
/// −(Ċ + bias + γ · impulse) / (K + γ).
struct DistanceConstraint {
    let length: Double
    let spring: Softness
    var anchors: JointAnchors
    /// In kg·pt/s; positive pushes the anchors apart.
    var impulse: Double
    private var axis = Vector.zero
    private var mass = 0.0
    private var gamma = 0.0
    private var bias = 0.0

    init(length: Double, spring: Softness, anchors: JointAnchors, impulse: Double) {
        self.length = length
        self.spring = spring
        self.anchors = anchors
        self.impulse = impulse
    }

    mutating func prepare(_ pair: inout BodyPair) {
        anchors.updateLevers(pair)
        let span = anchors.span(pair)
        let distance = span.length
        axis = distance > Tuning.linearSlop ? span / distance : .zero
        let inverse = anchors.inverseMass(along: axis, pair)
        gamma = inverse * spring.share
        bias = (distance - length) * spring.biasRate
        mass = inverse > 0 ? 1 / (inverse + gamma) : 0
        anchors.apply(axis * impulse, to: &pair)
    }

    @inline(__always)
    mutating func solveVelocity(_ pair: inout BodyPair) {
        let speed = axis.dot(anchors.relativeVelocity(pair))
        let change = -mass * (speed + bias + gamma * impulse)
        impulse += change
        anchors.apply(axis * change, to: &pair)
    }

    func solvePosition(_ pair: inout BodyPair) -> Bool {
        guard spring.isRigid else { return true }
        let anchors = anchors.updated(for: pair)
        let span = anchors.span(pair)
        let distance = span.length
        // Anchors that coincide give no direction for a correction.
        let axis = distance > Tuning.leastSpan ? span / distance : .zero
        let error = (distance - length).clamped(
            to: -Tuning.correctionMax...Tuning.correctionMax)
        anchors.shift(axis * (-mass * error), &pair)
        return abs(error) < Tuning.linearSlop
    }
}
