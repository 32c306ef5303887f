import Geometry

/// Keeps two anchors together; friction and a range limit the rotation (Box2D's revolute joint).
///
/// With the levers r, the velocities v and ω, and the rotations θ of the bodies:
///
///     C = (pB − pA, θB − θA − reference)                     the anchors p, and the angle
///     Ċ = (vB + ωB × rB − vA − ωA × rA, ωB − ωA)
///
///         [ −1   0   rA.y   1   0  −rB.y ]                   the columns: vA, ωA, vB, ωB
///     J = [  0  −1  −rA.x   0   1   rB.x ]
///         [  0   0   −1     0   0    1   ]
///
/// `ConstraintMatrix` is K = J M⁻¹ Jᵀ. The third row holds at a limit alone; friction is a
/// constraint of its own, Ċ = ωB − ωA with K = 1/IA + 1/IB, whose impulse is bounded.
struct PinConstraint {
    let joint: PinJoint
    var anchors: JointAnchors
    /// Linear part in kg·pt/s, angular part `z` in kg·pt²/s.
    var impulse: Vector3
    /// The friction's impulse in kg·pt²/s.
    var friction: Double
    var limitState: LimitState
    private var matrix = ConstraintMatrix()

    init(_ joint: PinJoint, anchors: JointAnchors, warmStart: WarmStart) {
        self.joint = joint
        self.anchors = anchors
        impulse = warmStart.impulse
        friction = warmStart.friction
        limitState = warmStart.limitState
    }

    mutating func prepare(_ pair: inout BodyPair) {
        anchors.updateLevers(pair)
        matrix = ConstraintMatrix(anchors, pair)
        let turns = matrix.zz > 0
        let now =
            turns
            ? LimitState(angle(pair), in: joint.range, slop: 2 * Tuning.angularSlop) : .free
        if now == .free || (now != limitState && now != .both) { impulse.z = 0 }
        limitState = now
        if joint.friction == 0 || !turns { friction = 0 }
        anchors.apply(Vector(impulse.x, impulse.y), turn: friction + impulse.z, to: &pair)
    }

    private func angle(_ pair: BodyPair) -> Double {
        pair.b.rotation - pair.a.rotation - joint.reference
    }

    @inline(__always)
    mutating func solveVelocity(_ pair: inout BodyPair) {
        if joint.friction > 0 && matrix.zz > 0 && limitState != .both { rub(&pair) }
        let speed = anchors.relativeVelocity(pair)
        guard limitState != .free else {
            let change = matrix.solve(-speed.x, -speed.y)
            impulse.x += change.x
            impulse.y += change.y
            anchors.apply(change, to: &pair)
            return
        }
        let spin = pair.b.angularVelocity - pair.a.angularVelocity
        var change = matrix.solve(Vector3(x: -speed.x, y: -speed.y, z: -spin))
        let turn = impulse.z + change.z
        if (limitState == .lower && turn < 0) || (limitState == .upper && turn > 0) {
            // The impulse would pull at the limit: solve the point alone.
            let free = matrix.solve(
                -speed.x + impulse.z * matrix.xz, -speed.y + impulse.z * matrix.yz)
            change = Vector3(x: free.x, y: free.y, z: -impulse.z)
        }
        impulse = impulse + change
        anchors.apply(Vector(change.x, change.y), turn: change.z, to: &pair)
    }

    private mutating func rub(_ pair: inout BodyPair) {
        let most = joint.friction * Tuning.step
        let before = friction
        let wanted = before - (pair.b.angularVelocity - pair.a.angularVelocity) / matrix.zz
        friction = wanted.clamped(to: -most...most)
        anchors.apply(.zero, turn: friction - before, to: &pair)
    }

    func solvePosition(_ pair: inout BodyPair) -> Bool {
        let turnError = limitState != .free ? straighten(&pair) : 0
        let anchors = anchors.updated(for: pair)
        let gap = anchors.span(pair)
        anchors.shift(ConstraintMatrix(anchors, pair).solve(-gap.x, -gap.y), &pair)
        return gap.length <= Tuning.linearSlop && turnError <= Tuning.angularSlop
    }

    /// Rotates back into the range. Returns by how much the angle was outside (rad).
    private func straighten(_ pair: inout BodyPair) -> Double {
        guard let range = joint.range else { return 0 }
        let most = Tuning.turnCorrectionMax
        let angle = angle(pair)
        let (error, correction): (Double, Double)
        switch limitState {
        case .free: return 0
        case .both:
            correction = (angle - range.lowerBound).clamped(to: -most...most)
            error = abs(correction)
        case .lower:
            error = range.lowerBound - angle
            correction = (Tuning.angularSlop - error).clamped(to: -most...0)
        case .upper:
            error = angle - range.upperBound
            correction = (error - Tuning.angularSlop).clamped(to: 0...most)
        }
        anchors.shift(.zero, turn: -correction / matrix.zz, &pair)
        return error
    }
}
