import Geometry

/// Keeps two anchors together and the angle between the bodies; a soft weld gives in the angle.
///
/// C, Ċ, J and K are those of `PinConstraint`, and all three rows always hold. A soft weld solves
/// the third row first, by itself: it demands Ċ + bias + γ · impulse = 0, with K = 1/IA + 1/IB.
struct WeldConstraint {
    let joint: WeldJoint
    var anchors: JointAnchors
    /// Linear part in kg·pt/s, angular part `z` in kg·pt²/s.
    var impulse: Vector3
    private var matrix = ConstraintMatrix()
    private var turnMass = 0.0
    private var gamma = 0.0
    private var bias = 0.0

    init(_ joint: WeldJoint, anchors: JointAnchors, impulse: Vector3) {
        self.joint = joint
        self.anchors = anchors
        self.impulse = impulse
    }

    mutating func prepare(_ pair: inout BodyPair) {
        anchors.updateLevers(pair)
        matrix = ConstraintMatrix(anchors, pair)
        gamma = matrix.zz * joint.spring.share
        bias = angle(pair) * joint.spring.biasRate
        turnMass = matrix.zz > 0 ? 1 / (matrix.zz + gamma) : 0
        anchors.apply(Vector(impulse.x, impulse.y), turn: impulse.z, to: &pair)
    }

    private func angle(_ pair: BodyPair) -> Double {
        pair.b.rotation - pair.a.rotation - joint.reference
    }

    mutating func solveVelocity(_ pair: inout BodyPair) {
        let isStiff = joint.spring.isRigid && matrix.zz > 0
        let spin = pair.b.angularVelocity - pair.a.angularVelocity
        if !isStiff {
            let change = -turnMass * (spin + bias + gamma * impulse.z)
            impulse.z += change
            anchors.apply(.zero, turn: change, to: &pair)
        }
        let speed = anchors.relativeVelocity(pair)
        var change = Vector3()
        if isStiff {
            change = matrix.solve(Vector3(x: -speed.x, y: -speed.y, z: -spin))
        } else {
            let move = matrix.solve(-speed.x, -speed.y)
            change = Vector3(x: move.x, y: move.y)
        }
        impulse = impulse + change
        anchors.apply(Vector(change.x, change.y), turn: change.z, to: &pair)
    }

    func solvePosition(_ pair: inout BodyPair) -> Bool {
        let anchors = anchors.updated(for: pair)
        let matrix = ConstraintMatrix(anchors, pair)
        let gap = anchors.span(pair)
        guard joint.spring.isRigid else {
            anchors.shift(matrix.solve(-gap.x, -gap.y), &pair)
            return gap.length <= Tuning.linearSlop
        }
        let angle = angle(pair).clamped(to: Tuning.turnErrors)
        if matrix.zz > 0 {
            let change = matrix.solve(Vector3(x: -gap.x, y: -gap.y, z: -angle))
            anchors.shift(Vector(change.x, change.y), turn: change.z, &pair)
        } else {
            anchors.shift(matrix.solve(-gap.x, -gap.y), &pair)
        }
        return gap.length <= Tuning.linearSlop && abs(angle) <= Tuning.angularSlop
    }
}
