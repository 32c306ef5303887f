import Geometry

/// One scalar velocity constraint, prepared once per step.
///
/// Velocities stand here as (x, y, gyration · ω), all in pt/s, in which every mass is 1.
private struct Row {
    var x = 0.0
    var y = 0.0
    var turn = 0.0
    /// 1 / (J·J + γ).
    var mass = 0.0
    var bias = 0.0
    var gamma = 0.0
    var impulse = 0.0
}

/// The state of one body and its joints within a step.
///
/// In this world every joint ties one body to a fixed point, so each body is an island. What
/// couples bodies would gather them in islands and solve these with both ends moving.
extension Body {
    /// One step of 1/120 s: forces, velocity constraints, positions, position correction, sleep.
    mutating func step(joints: inout MutableSpan<Joint>, gravity: Vector) {
        velocity += (gravity + acceleration) * Tuning.step
        velocity = velocity * linearFactor
        angularVelocity *= angularFactor
        var isClosed = true
        if jointCount > 0 {
            solveVelocity(&joints)
        }
        advance()
        if jointCount > 0 {
            isClosed = closeJoints(joints.span)
        }
        fallAsleep(isClosed: isClosed)
    }

    private mutating func solveVelocity(_ joints: inout MutableSpan<Joint>) {
        let first = Int(firstJoint)
        let (sine, cosine) = Angle.sineCosine(rotation)
        var rows: [Row] = []
        for index in first..<first + Int(jointCount) {
            let joint = joints[index]
            let r = joint.offset.rotated(sine: sine, cosine: cosine)
            append(joint, lever: r, to: &rows)
        }
        var x = velocity.x
        var y = velocity.y
        var turn = angularVelocity * gyration
        for row in rows {
            x += row.x * row.impulse
            y += row.y * row.impulse
            turn += row.turn * row.impulse
        }
        for _ in 0..<Tuning.velocityPasses {
            for index in rows.indices {
                let row = rows[index]
                let speed = row.x * x + row.y * y + row.turn * turn
                let change = -row.mass * (speed + row.bias + row.gamma * row.impulse)
                rows[index].impulse += change
                x += row.x * change
                y += row.y * change
                turn += row.turn * change
            }
        }
        velocity = Vector(x, y)
        angularVelocity = turn * inverseGyration
        var next = 0
        for index in first..<first + Int(jointCount) {
            if joints[index].kind == .pin {
                let along = rows[next]
                let across = rows[next + 1]
                joints[index].impulse = Vector(
                    along.x * along.impulse + across.x * across.impulse,
                    along.y * along.impulse + across.y * across.impulse)
                next += 2
            } else {
                joints[index].impulse.x = rows[next].impulse
                next += 1
            }
        }
    }

    private func append(_ joint: Joint, lever r: Vector, to rows: inout [Row]) {
        switch joint.kind {
        case .pin:
            // Along the lever and across it the two equations of a pin do not touch each other.
            let length = r.length
            let axis = length > 0 ? r / length : Vector(1, 0)
            let across = Vector(-axis.y, axis.x)
            let turn = length * inverseGyration
            rows.append(Row(x: axis.x, y: axis.y, mass: 1, impulse: axis.dot(joint.impulse)))
            rows.append(
                Row(
                    x: across.x, y: across.y, turn: turn, mass: 1 / (1 + turn * turn),
                    impulse: across.dot(joint.impulse)))
        case .rod, .spring:
            var axis = center + r - joint.ground
            let length = axis.length
            axis = length > Tuning.linearSlop ? axis / length : .zero
            let turn = r.cross(axis) * inverseGyration
            let inverse = 1 + turn * turn
            let gamma = inverse * joint.softness
            rows.append(
                Row(
                    x: axis.x, y: axis.y, turn: turn, mass: 1 / (inverse + gamma),
                    bias: (length - joint.length) * joint.biasRate, gamma: gamma,
                    impulse: joint.impulse.x))
        }
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

    /// Pulls rigid joints together. Returns whether they were within the slop already.
    private mutating func closeJoints(_ joints: Span<Joint>) -> Bool {
        for _ in 0..<Tuning.positionPassesMax {
            var isClosed = true
            for index in Int(firstJoint)..<Int(firstJoint + jointCount) {
                let joint = joints[index]
                switch joint.kind {
                case .spring: break
                case .rod: if !closeRod(joint) { isClosed = false }
                case .pin: if !closePin(joint) { isClosed = false }
                }
            }
            if isClosed { return true }
        }
        return false
    }

    private mutating func closePin(_ joint: Joint) -> Bool {
        let (sine, cosine) = Angle.sineCosine(rotation)
        let r = joint.offset.rotated(sine: sine, cosine: cosine)
        let gap = center + r - joint.ground
        let rho = inverseGyration * inverseGyration
        let across = Vector(-r.y, r.x)
        // The gap across the lever is shared between turning and moving, the rest is moved.
        let turn = -gap.dot(across) * rho / (1 + rho * r.lengthSquared)
        rotation += turn
        center -= gap + across * turn
        return gap.length <= Tuning.linearSlop
    }

    private mutating func closeRod(_ joint: Joint) -> Bool {
        let (sine, cosine) = Angle.sineCosine(rotation)
        let r = joint.offset.rotated(sine: sine, cosine: cosine)
        let span = center + r - joint.ground
        let length = span.length
        let axis = length > 1e-5 ? span / length : .zero
        let error = (length - joint.length).clamped(
            to: -Tuning.correctionMax...Tuning.correctionMax)
        let rho = inverseGyration * inverseGyration
        let turn = r.cross(axis)
        let impulse = axis * (-error / (1 + rho * turn * turn))
        center += impulse
        rotation += rho * r.cross(impulse)
        return abs(error) < Tuning.linearSlop
    }

    private mutating func fallAsleep(isClosed: Bool) {
        let isStill =
            velocity.lengthSquared <= Tuning.stillSpeed * Tuning.stillSpeed
            && abs(angularVelocity) <= Tuning.stillSpin
        stillSteps = isStill ? stillSteps + 1 : 0
        guard stillSteps >= Tuning.stillSteps, isClosed else { return }
        stop()
        isAwake = false
    }

    mutating func stop() {
        velocity = .zero
        angularVelocity = 0
    }
}
