import Geometry

/// Lets the second anchor move only along an axis of the first body (Box2D's prismatic joint).
///
/// The unit vectors t along the axis and n across it turn with the first body. d is the span from
/// the first anchor to the second, r the levers, e = d + rA:
///
///     C = (n · d, θB − θA − reference, t · d)                the third lies in the range
///     Ċ = (n · (vB − vA) + (rB × n) ωB − (e × n) ωA,
///          ωB − ωA,
///          t · (vB − vA) + (rB × t) ωB − (e × t) ωA)
///
///         [ −n  −(e × n)   n   rB × n ]                      the columns: vA, ωA, vB, ωB
///     J = [  0     −1      0      1   ]
///         [ −t  −(e × t)   t   rB × t ]
///
/// `Frame` has K = J M⁻¹ Jᵀ. The third row holds at a limit alone.
struct SlidingConstraint {
    let joint: SlidingJoint
    var anchors: JointAnchors
    /// Across the axis in kg·pt/s, angular in kg·pt²/s, along the axis in kg·pt/s.
    var impulse: Vector3
    var limitState: LimitState
    private var frame = Frame()

    /// The axis in the world, and the effect of impulses on it.
    private struct Frame {
        var along = Vector.zero
        var across = Vector.zero
        /// From the first anchor to the second (pt).
        var span = Vector.zero
        /// Lever arms of impulses along and across the axis.
        var (alongA, alongB, acrossA, acrossB) = (0.0, 0.0, 0.0, 0.0)
        var matrix = ConstraintMatrix()

        init() {}

        init(_ axis: Vector, _ anchors: JointAnchors, _ pair: BodyPair) {
            along = pair.a.transform.direction(axis)
            across = Vector(-along.y, along.x)
            span = anchors.span(pair)
            let reach = span + anchors.leverA
            (alongA, alongB) = (reach.cross(along), anchors.leverB.cross(along))
            (acrossA, acrossB) = (reach.cross(across), anchors.leverB.cross(across))
            let (a, b) = (pair.a.inverseInertia, pair.b.inverseInertia)
            let mass = pair.a.inverseMass + pair.b.inverseMass
            matrix.xx = mass + a * acrossA * acrossA + b * acrossB * acrossB
            matrix.xy = a * acrossA + b * acrossB
            matrix.xz = a * acrossA * alongA + b * acrossB * alongB
            // Without rotation the second equation is empty; 1 keeps the matrix invertible.
            matrix.yy = a + b > 0 ? a + b : 1
            matrix.yz = a * alongA + b * alongB
            matrix.zz = mass + a * alongA * alongA + b * alongB * alongB
        }

        @inline(__always)
        func apply(_ impulse: Vector3, to pair: inout BodyPair) {
            let push = across * impulse.x + along * impulse.z
            let (turnA, turnB) = turns(impulse)
            pair.a.velocity -= push * pair.a.inverseMass
            pair.a.angularVelocity -= pair.a.inverseInertia * turnA
            pair.b.velocity += push * pair.b.inverseMass
            pair.b.angularVelocity += pair.b.inverseInertia * turnB
        }

        func shift(_ impulse: Vector3, _ pair: inout BodyPair) {
            let push = across * impulse.x + along * impulse.z
            let (turnA, turnB) = turns(impulse)
            pair.a.center -= push * pair.a.inverseMass
            pair.a.rotation -= pair.a.inverseInertia * turnA
            pair.b.center += push * pair.b.inverseMass
            pair.b.rotation += pair.b.inverseInertia * turnB
        }

        @inline(__always)
        private func turns(_ impulse: Vector3) -> (Double, Double) {
            (
                impulse.x * acrossA + impulse.y + impulse.z * alongA,
                impulse.x * acrossB + impulse.y + impulse.z * alongB
            )
        }

        /// The relative velocity across the axis, angular, and along the axis.
        @inline(__always)
        func speeds(_ pair: BodyPair) -> Vector3 {
            let leaving = pair.b.velocity - pair.a.velocity
            return Vector3(
                x: across.dot(leaving) + acrossB * pair.b.angularVelocity - acrossA
                    * pair.a.angularVelocity,
                y: pair.b.angularVelocity - pair.a.angularVelocity,
                z: along.dot(leaving) + alongB * pair.b.angularVelocity - alongA
                    * pair.a.angularVelocity)
        }
    }

    init(_ joint: SlidingJoint, anchors: JointAnchors, warmStart: WarmStart) {
        self.joint = joint
        self.anchors = anchors
        impulse = warmStart.impulse
        limitState = warmStart.limitState
    }

    mutating func prepare(_ pair: inout BodyPair) {
        anchors.updateLevers(pair)
        frame = Frame(joint.axis, anchors, pair)
        let place = frame.along.dot(frame.span)
        let now = LimitState(place, in: joint.range, slop: 2 * Tuning.linearSlop)
        if now == .free || (now != limitState && now != .both) { impulse.z = 0 }
        limitState = now
        frame.apply(impulse, to: &pair)
    }

    mutating func solveVelocity(_ pair: inout BodyPair) {
        let speeds = frame.speeds(pair)
        let before = impulse
        if limitState == .free {
            let change = frame.matrix.solve(-speeds.x, -speeds.y)
            impulse = before + Vector3(x: change.x, y: change.y)
        } else {
            impulse = before + frame.matrix.solve(-speeds)
            switch limitState {
            case .free, .both: break
            case .lower: impulse.z = max(impulse.z, 0)
            case .upper: impulse.z = min(impulse.z, 0)
            }
            // The limit may have clamped the third impulse: solve the other two again with it.
            let last = impulse.z - before.z
            let others = frame.matrix.solve(
                -speeds.x - last * frame.matrix.xz, -speeds.y - last * frame.matrix.yz)
            impulse.x = before.x + others.x
            impulse.y = before.y + others.y
        }
        frame.apply(impulse - before, to: &pair)
    }

    func solvePosition(_ pair: inout BodyPair) -> Bool {
        let frame = Frame(joint.axis, anchors.updated(for: pair), pair)
        let aside = frame.across.dot(frame.span)
        let angle = (pair.b.rotation - pair.a.rotation - joint.reference)
            .clamped(to: Tuning.turnErrors)
        let place = frame.along.dot(frame.span)
        let most = Tuning.correctionMax
        var (error, correction) = (abs(aside), 0.0)
        let limitState = LimitState(place, in: joint.range, slop: 2 * Tuning.linearSlop)
        if let range = joint.range {
            switch limitState {
            case .free: break
            case .both:
                let off = place - range.lowerBound
                correction = off.clamped(to: -most...most)
                error = max(error, abs(off))
            case .lower:
                let off = range.lowerBound - place
                correction = (Tuning.linearSlop - off).clamped(to: -most...0)
                error = max(error, off)
            case .upper:
                let off = place - range.upperBound
                correction = (off - Tuning.linearSlop).clamped(to: 0...most)
                error = max(error, off)
            }
        }
        if limitState == .free {
            let change = frame.matrix.solve(-aside, -angle)
            frame.shift(Vector3(x: change.x, y: change.y), &pair)
        } else {
            frame.shift(
                frame.matrix.solve(Vector3(x: -aside, y: -angle, z: -correction)), &pair)
        }
        return error <= Tuning.linearSlop && abs(angle) <= Tuning.angularSlop
    }
}
