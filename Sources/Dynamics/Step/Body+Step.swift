import Geometry

/// Steps a body that nothing couples to another one: an island of its own.
///
/// Its ground joints hold it at fixed points, so its mass cancels. `Islands` steps coupled bodies.
extension Body {
    /// One step of 1/120 s: forces, velocity constraints, positions, position correction, sleep.
    mutating func step(joints: inout MutableSpan<GroundJoint>, gravity: Vector) {
        accelerate(gravity)
        if groundJointCount > 0 { solveVelocity(&joints) }
        advance(by: Tuning.step)
        let isClosed = groundJointCount == 0 || closeJoints(joints.span)
        fallAsleep(isClosed: isClosed)
    }

    /// Applies a step's acceleration and resistance to the velocities.
    @inline(__always)
    mutating func accelerate(_ gravity: Vector) {
        velocity = (velocity + (gravity + acceleration) * Tuning.step) * linearFactor
        angularVelocity *= angularFactor
    }

    /// Most bodies have a snap (4 rows), a snap and a pin (6), and sometimes a rod (7).
    private mutating func solveVelocity(_ joints: inout MutableSpan<GroundJoint>) {
        var rowCount = 0
        for index in groundJointRange { rowCount += joints[index].rowCount }
        if rowCount <= 4 {
            var rows = RowBlock<4>()
            solveVelocity(&joints, &rows)
        } else if rowCount <= 6 {
            var rows = RowBlock<6>()
            solveVelocity(&joints, &rows)
        } else if rowCount <= 7 {
            var rows = RowBlock<7>()
            solveVelocity(&joints, &rows)
        } else if rowCount <= 8 {
            var rows = RowBlock<8>()
            solveVelocity(&joints, &rows)
        } else {
            var rows = RowList()
            solveVelocity(&joints, &rows)
        }
    }

    @inline(__always)
    private mutating func solveVelocity(
        _ joints: inout MutableSpan<GroundJoint>, _ rows: inout some RowSolver
    ) {
        let (sine, cosine) = Angle.sineCosine(rotation)
        for index in groundJointRange {
            let lever = joints[index].offset.rotated(sine: sine, cosine: cosine)
            if joints[index].kind == .pin {
                appendPin(joints[index], lever: lever, to: &rows)
            } else {
                appendDistance(joints[index], lever: lever, to: &rows)
            }
        }
        let solved = rows.solve(
            RowVelocity(x: velocity.x, y: velocity.y, turn: angularVelocity * gyration))
        velocity = Vector(solved.x, solved.y)
        angularVelocity = solved.turn * inverseGyration
        var row = 0
        for index in groundJointRange {
            var impulse = Vector(rows.impulse(row), 0)
            if joints[index].kind == .pin {
                let along = rows.axis(row) * impulse.x
                impulse = along + rows.axis(row + 1) * rows.impulse(row + 1)
            }
            // Contradicting joints on a spinning body would increase it without end.
            joints[index].impulse = impulse.reachable
            row += joints[index].rowCount
        }
    }

    /// A pin's two equations along the lever and across it, so that they do not disturb each other.
    @inline(__always)
    private func appendPin(_ joint: GroundJoint, lever: Vector, to rows: inout some RowSolver) {
        let length = lever.length
        let along = length > 0 ? lever / length : Vector(1, 0)
        let across = Vector(-along.y, along.x)
        let turn = length * inverseGyration
        rows.append(Row(x: along.x, y: along.y, mass: 1, impulse: along.dot(joint.impulse)))
        rows.append(
            Row(
                x: across.x, y: across.y, turn: turn, mass: 1 / (1 + turn * turn),
                impulse: across.dot(joint.impulse)))
    }

    @inline(__always)
    private func appendDistance(_ joint: GroundJoint, lever: Vector, to rows: inout some RowSolver)
    {
        let span = center + lever - joint.ground
        let length = span.length
        let axis = length > Tuning.linearSlop ? span / length : .zero
        let turn = lever.cross(axis) * inverseGyration
        let inverse = 1 + turn * turn
        let gamma = inverse * joint.spring.share
        rows.append(
            Row(
                x: axis.x, y: axis.y, turn: turn, mass: 1 / (inverse + gamma),
                bias: (length - joint.length) * joint.spring.biasRate, gamma: gamma,
                impulse: joint.impulse.x))
    }

    /// Corrects the positions of rigid joints. Returns whether all were within the slop before the
    /// last pass.
    private mutating func closeJoints(_ joints: Span<GroundJoint>) -> Bool {
        for _ in 0..<Tuning.positionPassesMax {
            var isClosed = true
            for index in groundJointRange {
                switch joints[index].kind {
                case .spring: break
                case .rod: if !closeRod(joints[index]) { isClosed = false }
                case .pin: if !closePin(joints[index]) { isClosed = false }
                }
            }
            if isClosed { return true }
        }
        return false
    }

    private mutating func closePin(_ joint: GroundJoint) -> Bool {
        let (sine, cosine) = Angle.sineCosine(rotation)
        let lever = joint.offset.rotated(sine: sine, cosine: cosine)
        let gap = center + lever - joint.ground
        let across = Vector(-lever.y, lever.x)
        // Across the lever, rotation and movement close the gap; along it, movement alone.
        let rho = inverseGyration * inverseGyration
        let turn = -gap.dot(across) * rho / (1 + rho * lever.lengthSquared)
        rotation += turn
        center -= gap + across * turn
        return gap.length <= Tuning.linearSlop
    }

    private mutating func closeRod(_ joint: GroundJoint) -> Bool {
        let (sine, cosine) = Angle.sineCosine(rotation)
        let lever = joint.offset.rotated(sine: sine, cosine: cosine)
        let span = center + lever - joint.ground
        let length = span.length
        // A rod of length 0 gives no direction for a correction.
        let axis = length > Tuning.leastSpan ? span / length : .zero
        let error = (length - joint.length).clamped(
            to: -Tuning.correctionMax...Tuning.correctionMax)
        let rho = inverseGyration * inverseGyration
        let turn = lever.cross(axis)
        let impulse = axis * (-error / (1 + rho * turn * turn))
        center += impulse
        rotation += rho * lever.cross(impulse)
        return abs(error) < Tuning.linearSlop
    }

    private mutating func fallAsleep(isClosed: Bool) {
        countStillness()
        guard stillSteps >= Tuning.stillSteps, isClosed else { return }
        stop()
        isAwake = false
    }

    /// Counts consecutive still steps.
    mutating func countStillness() {
        let isStill =
            !isPushed && velocity.lengthSquared <= Tuning.stillSpeed * Tuning.stillSpeed
            && abs(angularVelocity) <= Tuning.stillSpin
        stillSteps = isStill ? stillSteps + 1 : 0
    }

    mutating func stop() {
        velocity = .zero
        angularVelocity = 0
    }
}
