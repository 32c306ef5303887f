import Geometry

/// How a body moves in a step that nothing couples to another one: an island of its own.
///
/// Its joints tie it to fixed points, so that its mass cancels. Coupled ones are in `Islands`.
extension Body {
    /// One step of 1/120 s: forces, velocity constraints, positions, position correction, sleep.
    mutating func step(joints: inout MutableSpan<Joint>, gravity: Vector) {
        accelerate(gravity)
        if jointCount > 0 { solveVelocity(&joints) }
        advance()
        let isClosed = jointCount == 0 || closeJoints(joints.span)
        fallAsleep(isClosed: isClosed)
    }

    /// The velocity after a step's forces and resistance.
    @inline(__always)
    mutating func accelerate(_ gravity: Vector) {
        velocity = (velocity + (gravity + acceleration) * Tuning.step) * linearFactor
        angularVelocity *= angularFactor
    }

    /// Most bodies have a snap (4 rows), a snap and a pin (6), and at times a rod (7).
    private mutating func solveVelocity(_ joints: inout MutableSpan<Joint>) {
        var rowCount = 0
        for index in jointRange { rowCount += joints[index].rowCount }
        if rowCount <= 4 {
            var rows = RowBlock<4>()
            solveVelocity(&joints, &rows)
        } else if rowCount <= 6 {
            var rows = RowBlock<6>()
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
        _ joints: inout MutableSpan<Joint>, _ rows: inout some RowSolver
    ) {
        let (sine, cosine) = Angle.sineCosine(rotation)
        for index in jointRange {
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
        for index in jointRange {
            var impulse = Vector(rows.impulse(row), 0)
            if joints[index].kind == .pin {
                let along = rows.axis(row) * impulse.x
                impulse = along + rows.axis(row + 1) * rows.impulse(row + 1)
            }
            // Joints that contradict each other, on a body that whirls, would wind up for ever.
            joints[index].impulse = impulse.reachable
            row += joints[index].rowCount
        }
    }

    /// A pin's two equations along the lever and across it, where neither touches the other.
    @inline(__always)
    private func appendPin(_ joint: Joint, lever: Vector, to rows: inout some RowSolver) {
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
    private func appendDistance(_ joint: Joint, lever: Vector, to rows: inout some RowSolver) {
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

    /// Moves by the velocity, which is cut to what a step may move.
    private mutating func advance() {
        let distance = velocity.length * Tuning.step
        if distance > Tuning.translationMax {
            velocity = velocity * (Tuning.translationMax / distance)
        }
        let angle = abs(angularVelocity) * Tuning.step
        if angle > Tuning.rotationMax {
            angularVelocity *= Tuning.rotationMax / angle
        }
        center += velocity * Tuning.step
        rotation += angularVelocity * Tuning.step
    }

    /// Pulls rigid joints together. Returns whether all were within the slop before its last pass.
    private mutating func closeJoints(_ joints: Span<Joint>) -> Bool {
        for _ in 0..<Tuning.positionPassesMax {
            var isClosed = true
            for index in jointRange {
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

    private mutating func closePin(_ joint: Joint) -> Bool {
        let (sine, cosine) = Angle.sineCosine(rotation)
        let lever = joint.offset.rotated(sine: sine, cosine: cosine)
        let gap = center + lever - joint.ground
        let across = Vector(-lever.y, lever.x)
        // Across the lever the gap is closed by turning and moving, along it by moving.
        let rho = inverseGyration * inverseGyration
        let turn = -gap.dot(across) * rho / (1 + rho * lever.lengthSquared)
        rotation += turn
        center -= gap + across * turn
        return gap.length <= Tuning.linearSlop
    }

    private mutating func closeRod(_ joint: Joint) -> Bool {
        let (sine, cosine) = Angle.sineCosine(rotation)
        let lever = joint.offset.rotated(sine: sine, cosine: cosine)
        let span = center + lever - joint.ground
        let length = span.length
        // A rod of no length has no direction in which it could be corrected.
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

    /// Counts the steps in which it was still.
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
