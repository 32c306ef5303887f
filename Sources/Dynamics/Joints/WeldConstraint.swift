import Geometry

/// Keeps two bodies as they stand to each other while an island is solved.
struct WeldTie {
    let joint: WeldJoint
    var ends: Ends
    /// On both axes in kg·pt/s and against turning in kg·pt²/s.
    var impulse: Triple
    private var yield = Yield()
    private var turnMass = 0.0
    private var gamma = 0.0
    private var bias = 0.0

    init(_ joint: WeldJoint, ends: Ends, impulse: Triple) {
        self.joint = joint
        self.ends = ends
        self.impulse = impulse
    }

    mutating func prepare(_ pair: inout Pair) {
        ends.turn(pair)
        yield = Yield(ends, pair)
        gamma = yield.zz * joint.spring.share
        bias = angle(pair) * joint.spring.biasRate
        turnMass = yield.zz > 0 ? 1 / (yield.zz + gamma) : 0
        ends.apply(Vector(impulse.x, impulse.y), turn: impulse.z, to: &pair)
    }

    private func angle(_ pair: Pair) -> Double {
        pair.b.rotation - pair.a.rotation - joint.reference
    }

    mutating func solveVelocity(_ pair: inout Pair) {
        let isStiff = joint.spring.isRigid && yield.zz > 0
        let spin = pair.b.spin - pair.a.spin
        if !isStiff {
            let change = -turnMass * (spin + bias + gamma * impulse.z)
            impulse.z += change
            ends.apply(.zero, turn: change, to: &pair)
        }
        let speed = ends.speed(pair)
        var change = Triple()
        if isStiff {
            change = yield.solve(Triple(x: -speed.x, y: -speed.y, z: -spin))
        } else {
            let move = yield.solve(-speed.x, -speed.y)
            change = Triple(x: move.x, y: move.y)
        }
        impulse = impulse + change
        ends.apply(Vector(change.x, change.y), turn: change.z, to: &pair)
    }

    func solvePosition(_ pair: inout Pair) -> Bool {
        let ends = ends.turned(pair)
        let yield = Yield(ends, pair)
        let gap = ends.span(pair)
        guard joint.spring.isRigid else {
            ends.shift(yield.solve(-gap.x, -gap.y), &pair)
            return gap.length <= Tuning.linearSlop
        }
        let angle = angle(pair).clamped(to: Tuning.turnErrors)
        if yield.zz > 0 {
            let change = yield.solve(Triple(x: -gap.x, y: -gap.y, z: -angle))
            ends.shift(Vector(change.x, change.y), turn: change.z, &pair)
        } else {
            ends.shift(yield.solve(-gap.x, -gap.y), &pair)
        }
        return gap.length <= Tuning.linearSlop && abs(angle) <= Tuning.angularSlop
    }
}
