import Geometry

/// Where a joint of an island comes from, and whom it ties.
struct Tie {
    enum Source {
        /// One of the animator's joints: its impulses are speeds, of its body.
        case joint(Int, body: Int)
        case link(Int)
    }

    /// Its place among those of its kind.
    fileprivate enum Slot {
        case distance(Int)
        case pin(Int)
        case weld(Int)
        case sliding(Int)
        case rope(Int)
    }

    let source: Source
    /// Places among the movers.
    let bodyA: Int
    let bodyB: Int
    fileprivate let slot: Slot
}

/// The joints of an island while it is solved, in their order.
///
/// By kind, because a large one of many kinds would be copied out and in again in every pass.
/// Source: Box2D 2.3's joints, equation by equation and in their order.
struct Ties {
    private(set) var order: [Tie] = []
    private var distances: [DistanceTie] = []
    private var pins: [PinTie] = []
    private var welds: [WeldTie] = []
    private var slidings: [SlidingTie] = []
    private var ropes: [RopeTie] = []

    init(capacity: Int) { order.reserveCapacity(capacity) }

    /// A joint of a body with the ground.
    mutating func append(
        _ joint: Joint, _ source: Tie.Source, body: Int, ground: Int, _ mover: Mover
    ) {
        let ends = Ends(joint.ground, joint.offset)
        let mass = mover.inverseMass > 0 ? 1 / mover.inverseMass : 0
        let slot: Tie.Slot
        switch joint.kind {
        case .spring, .rod:
            slot = .distance(distances.count)
            distances.append(
                DistanceTie(
                    length: joint.length, spring: joint.spring, ends: ends,
                    impulse: joint.impulse.x * mass))
        case .pin:
            slot = .pin(pins.count)
            let impulse = Triple(x: joint.impulse.x * mass, y: joint.impulse.y * mass)
            pins.append(
                PinTie(
                    PinJoint(reference: 0), ends: ends, memory: Memory(impulse: impulse)))
        }
        order.append(Tie(source: source, bodyA: ground, bodyB: body, slot: slot))
    }

    mutating func append(_ link: Link, _ source: Tie.Source, ground: Int) {
        let ends = Ends(link.firstOffset, link.secondOffset)
        let memory = link.memory
        let slot: Tie.Slot
        switch link.kind {
        case .distance(let length, let spring):
            slot = .distance(distances.count)
            distances.append(
                DistanceTie(
                    length: length, spring: spring, ends: ends, impulse: memory.impulse.x))
        case .pin(let joint):
            slot = .pin(pins.count)
            pins.append(PinTie(joint, ends: ends, memory: memory))
        case .weld(let joint):
            slot = .weld(welds.count)
            welds.append(WeldTie(joint, ends: ends, impulse: memory.impulse))
        case .sliding(let joint):
            slot = .sliding(slidings.count)
            slidings.append(SlidingTie(joint, ends: ends, memory: memory))
        case .rope(let length):
            slot = .rope(ropes.count)
            ropes.append(RopeTie(length: length, ends: ends, impulse: memory.impulse.x))
        }
        let first =
            switch link.first {
            case .ground: ground
            case .body(let index): Int(index)
            }
        order.append(Tie(source: source, bodyA: first, bodyB: Int(link.second), slot: slot))
    }

    // MARK: Solving

    /// Makes the equations of this step and applies the impulses of the last one.
    mutating func prepare(_ movers: inout [Mover]) {
        for tie in order {
            var pair = Pair(a: movers[tie.bodyA], b: movers[tie.bodyB])
            switch tie.slot {
            case .distance(let index): distances[index].prepare(&pair)
            case .pin(let index): pins[index].prepare(&pair)
            case .weld(let index): welds[index].prepare(&pair)
            case .sliding(let index): slidings[index].prepare(&pair)
            case .rope(let index): ropes[index].prepare(&pair)
            }
            movers[tie.bodyA] = pair.a
            movers[tie.bodyB] = pair.b
        }
    }

    /// One pass over the velocities.
    mutating func solveVelocity(_ movers: inout [Mover]) {
        for tie in order {
            var pair = Pair(a: movers[tie.bodyA], b: movers[tie.bodyB])
            switch tie.slot {
            case .distance(let index): distances[index].solveVelocity(&pair)
            case .pin(let index): pins[index].solveVelocity(&pair)
            case .weld(let index): welds[index].solveVelocity(&pair)
            case .sliding(let index): slidings[index].solveVelocity(&pair)
            case .rope(let index): ropes[index].solveVelocity(&pair)
            }
            movers[tie.bodyA] = pair.a
            movers[tie.bodyB] = pair.b
        }
    }

    /// One pass over the places. Returns whether every joint was within its slop before its turn.
    func solvePosition(_ movers: inout [Mover]) -> Bool {
        var areClosed = true
        for tie in order {
            var pair = Pair(a: movers[tie.bodyA], b: movers[tie.bodyB])
            let isClosed =
                switch tie.slot {
                case .distance(let index): distances[index].solvePosition(&pair)
                case .pin(let index): pins[index].solvePosition(&pair)
                case .weld(let index): welds[index].solvePosition(&pair)
                case .sliding(let index): slidings[index].solvePosition(&pair)
                case .rope(let index): ropes[index].solvePosition(&pair)
                }
            movers[tie.bodyA] = pair.a
            movers[tie.bodyB] = pair.b
            if !isClosed { areClosed = false }
        }
        return areClosed
    }

    // MARK: Remembering

    /// What the next step starts with.
    ///
    /// Joints that contradict each other would wind up for ever, so it is bounded: by what gives
    /// the two bodies the greatest speed that is taken.
    func memory(of tie: Tie, _ movers: [Mover]) -> Memory {
        let (a, b) = (movers[tie.bodyA], movers[tie.bodyB])
        let push = Ties.most(a.inverseMass + b.inverseMass)
        let turn = Ties.most(a.inverseInertia + b.inverseInertia)
        switch tie.slot {
        case .distance(let index):
            return Memory(impulse: Triple(x: distances[index].impulse.clamped(to: push)))
        case .pin(let index):
            return Memory(
                impulse: pins[index].impulse.clamped(push, push, turn),
                friction: pins[index].friction.clamped(to: turn), hold: pins[index].hold)
        case .weld(let index):
            return Memory(impulse: welds[index].impulse.clamped(push, push, turn))
        case .sliding(let index):
            return Memory(
                impulse: slidings[index].impulse.clamped(push, turn, push),
                hold: slidings[index].hold)
        case .rope(let index):
            return Memory(impulse: Triple(x: ropes[index].impulse.clamped(to: push)))
        }
    }

    private static func most(_ inverse: Double) -> ClosedRange<Double> {
        let most = inverse > 0 ? Tuning.reach / inverse : 0
        return -most...most
    }
}
