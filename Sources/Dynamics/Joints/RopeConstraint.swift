import Geometry

/// Keeps two anchors within a distance.
///
/// With the names of `DistanceConstraint`:
///
///     C = |d| − length ≤ 0
///     Ċ = u · (vB + ωB × rB − vA − ωA × rA)
///     J = [−u, −rA × u, u, rB × u]
///     K = 1/mA + 1/mB + (rA × u)² / IA + (rB × u)² / IB
///
/// In a step of h seconds a slack rope may become taut: it demands Ċ ≤ −C / h while C < 0, and
/// Ċ ≤ 0 from then on. The impulse is at most 0.
struct RopeConstraint {
    let length: Double
    var anchors: JointAnchors
    /// In kg·pt/s; at most 0, because a rope only pulls.
    var impulse: Double
    private var axis = Vector.zero
    private var mass = 0.0
    private var slack = 0.0

    init(length: Double, anchors: JointAnchors, impulse: Double) {
        self.length = length
        self.anchors = anchors
        self.impulse = impulse
    }

    mutating func prepare(_ pair: inout BodyPair) {
        anchors.updateLevers(pair)
        let span = anchors.span(pair)
        let distance = span.length
        slack = length - distance
        guard distance > Tuning.linearSlop else {
            axis = .zero
            mass = 0
            impulse = 0
            return
        }
        axis = span / distance
        let inverse = anchors.inverseMass(along: axis, pair)
        mass = inverse > 0 ? 1 / inverse : 0
        anchors.apply(axis * impulse, to: &pair)
    }

    @inline(__always)
    mutating func solveVelocity(_ pair: inout BodyPair) {
        // Within the step, the anchors may use up the slack.
        let speed = axis.dot(anchors.relativeVelocity(pair)) - max(slack, 0) / Tuning.step
        let before = impulse
        impulse = min(0, before - mass * speed)
        anchors.apply(axis * (impulse - before), to: &pair)
    }

    func solvePosition(_ pair: inout BodyPair) -> Bool {
        let anchors = anchors.updated(for: pair)
        let span = anchors.span(pair)
        let distance = span.length
        let axis = distance > Tuning.leastSpan ? span / distance : .zero
        let error = (distance - length).clamped(to: 0...Tuning.correctionMax)
        anchors.shift(axis * (-mass * error), &pair)
        return distance - length < Tuning.linearSlop
    }
}
