import Geometry

/// A joint of an island while it is solved.
///
/// Source: Box2D 2.3's joints, equation by equation and in their order.
struct Tie {
    enum Source {
        /// One of the animator's joints: its impulses are speeds, of its body.
        case joint(Int, body: Int)
        case link(Int)
    }

    private enum Equations {
        case distance(DistanceTie)
        case pin(PinTie)
        case weld(WeldTie)
        case sliding(SlidingTie)
        case rope(RopeTie)
    }

    let source: Source
    /// Places among the movers.
    let bodyA: Int
    let bodyB: Int
    private var equations: Equations

    /// A joint of a body with the ground.
    init(_ joint: Joint, _ source: Source, body: Int, ground: Int, _ mover: Mover) {
        self.source = source
        bodyA = ground
        bodyB = body
        let ends = Ends(joint.ground, joint.offset)
        let mass = mover.inverseMass > 0 ? 1 / mover.inverseMass : 0
        switch joint.kind {
        case .spring, .rod:
            equations = .distance(
                DistanceTie(
                    length: joint.length, spring: joint.spring, ends: ends,
                    impulse: joint.impulse.x * mass))
        case .pin:
            let impulse = Triple(x: joint.impulse.x * mass, y: joint.impulse.y * mass)
            equations = .pin(
                PinTie(
                    PinJoint(reference: 0, friction: 0, range: nil), ends: ends,
                    memory: Memory(impulse: impulse)))
        }
    }

    init(_ link: Link, _ source: Source, ground: Int) {
        self.source = source
        bodyB = Int(link.second)
        switch link.first {
        case .ground: bodyA = ground
        case .body(let index): bodyA = Int(index)
        }
        let ends = Ends(link.firstOffset, link.secondOffset)
        let memory = link.memory
        switch link.kind {
        case .distance(let length, let spring):
            equations = .distance(
                DistanceTie(
                    length: length, spring: spring, ends: ends, impulse: memory.impulse.x))
        case .pin(let joint):
            equations = .pin(PinTie(joint, ends: ends, memory: memory))
        case .weld(let joint):
            equations = .weld(WeldTie(joint, ends: ends, impulse: memory.impulse))
        case .sliding(let joint):
            equations = .sliding(SlidingTie(joint, ends: ends, memory: memory))
        case .rope(let length):
            equations = .rope(RopeTie(length: length, ends: ends, impulse: memory.impulse.x))
        }
    }

    /// What the next step starts with.
    ///
    /// Joints that contradict each other would wind up for ever, so it is bounded: by what gives
    /// the two bodies the greatest speed that is taken.
    func memory(_ movers: [Mover]) -> Memory {
        let (a, b) = (movers[bodyA], movers[bodyB])
        let push = Tie.most(a.inverseMass + b.inverseMass)
        let turn = Tie.most(a.inverseInertia + b.inverseInertia)
        switch equations {
        case .distance(let tie):
            return Memory(impulse: Triple(x: tie.impulse.clamped(to: push)))
        case .pin(let tie):
            return Memory(
                impulse: tie.impulse.clamped(push, push, turn),
                friction: tie.friction.clamped(to: turn), hold: tie.hold)
        case .weld(let tie):
            return Memory(impulse: tie.impulse.clamped(push, push, turn))
        case .sliding(let tie):
            return Memory(impulse: tie.impulse.clamped(push, turn, push), hold: tie.hold)
        case .rope(let tie):
            return Memory(impulse: Triple(x: tie.impulse.clamped(to: push)))
        }
    }

    private static func most(_ inverse: Double) -> ClosedRange<Double> {
        let most = inverse > 0 ? Tuning.reach / inverse : 0
        return -most...most
    }

    /// Makes the equations of this step and applies the impulses of the last one.
    mutating func prepare(_ movers: inout [Mover]) {
        var pair = Pair(a: movers[bodyA], b: movers[bodyB])
        switch equations {
        case .distance(var tie):
            tie.prepare(&pair)
            equations = .distance(tie)
        case .pin(var tie):
            tie.prepare(&pair)
            equations = .pin(tie)
        case .weld(var tie):
            tie.prepare(&pair)
            equations = .weld(tie)
        case .sliding(var tie):
            tie.prepare(&pair)
            equations = .sliding(tie)
        case .rope(var tie):
            tie.prepare(&pair)
            equations = .rope(tie)
        }
        movers[bodyA] = pair.a
        movers[bodyB] = pair.b
    }

    mutating func solveVelocity(_ movers: inout [Mover]) {
        var pair = Pair(a: movers[bodyA], b: movers[bodyB])
        switch equations {
        case .distance(var tie):
            tie.solveVelocity(&pair)
            equations = .distance(tie)
        case .pin(var tie):
            tie.solveVelocity(&pair)
            equations = .pin(tie)
        case .weld(var tie):
            tie.solveVelocity(&pair)
            equations = .weld(tie)
        case .sliding(var tie):
            tie.solveVelocity(&pair)
            equations = .sliding(tie)
        case .rope(var tie):
            tie.solveVelocity(&pair)
            equations = .rope(tie)
        }
        movers[bodyA] = pair.a
        movers[bodyB] = pair.b
    }

    /// Returns whether the joint was within its slop before.
    func solvePosition(_ movers: inout [Mover]) -> Bool {
        var pair = Pair(a: movers[bodyA], b: movers[bodyB])
        let isClosed =
            switch equations {
            case .distance(let tie): tie.solvePosition(&pair)
            case .pin(let tie): tie.solvePosition(&pair)
            case .weld(let tie): tie.solvePosition(&pair)
            case .sliding(let tie): tie.solvePosition(&pair)
            case .rope(let tie): tie.solvePosition(&pair)
            }
        movers[bodyA] = pair.a
        movers[bodyB] = pair.b
        return isClosed
    }
}
