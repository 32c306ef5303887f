import Geometry

/// One joint of an island: its origin, its bodies, and the place of its constraint.
struct JointConstraint {
    enum Source {
        /// One of the animator's ground joints. Its impulses are velocity changes of its body.
        case ground(Int, body: Int)
        case joint(Int)
    }

    /// The index in the list of its kind.
    fileprivate enum Slot {
        case distance(Int)
        case pin(Int)
        case weld(Int)
        case sliding(Int)
        case rope(Int)
    }

    let source: Source
    /// Indices of solver bodies.
    let bodyA: Int
    let bodyB: Int
    fileprivate let slot: Slot
}

/// Solves the joints of one island, in the order in which they were appended.
///
/// One list per kind: an enum of all kinds would be copied out and in at each pass. Source: Box2D
/// 2.3's joints, equation by equation and in their order.
///
/// Data passes: `append` each joint, `prepare` (levers, masses, warm start), passes of
/// `solveVelocity`, `warmStart(of:)` to store the impulses, passes of `solvePosition`.
struct JointSolver {
    private(set) var constraints: [JointConstraint] = []
    private var distances: [DistanceConstraint] = []
    private var pins: [PinConstraint] = []
    private var welds: [WeldConstraint] = []
    private var slidings: [SlidingConstraint] = []
    private var ropes: [RopeConstraint] = []

    init(capacity: Int) { constraints.reserveCapacity(capacity) }

    /// Appends a joint of a body with the ground.
    mutating func append(
        _ joint: GroundJoint, _ source: JointConstraint.Source, body: Int, ground: Int,
        _ solverBody: SolverBody
    ) {
        let anchors = JointAnchors(joint.ground, joint.offset)
        let mass = solverBody.inverseMass > 0 ? 1 / solverBody.inverseMass : 0
        let slot: JointConstraint.Slot
        switch joint.kind {
        case .spring, .rod:
            slot = .distance(distances.count)
            distances.append(
                DistanceConstraint(
                    length: joint.length, spring: joint.spring, anchors: anchors,
                    impulse: joint.impulse.x * mass))
        case .pin:
            slot = .pin(pins.count)
            let impulse = Vector3(x: joint.impulse.x * mass, y: joint.impulse.y * mass)
            pins.append(
                PinConstraint(
                    PinJoint(reference: 0), anchors: anchors, warmStart: WarmStart(impulse: impulse)
                ))
        }
        constraints.append(JointConstraint(source: source, bodyA: ground, bodyB: body, slot: slot))
    }

    mutating func append(_ joint: Joint, _ source: JointConstraint.Source, ground: Int) {
        let anchors = JointAnchors(joint.firstOffset, joint.secondOffset)
        let warmStart = joint.warmStart
        let slot: JointConstraint.Slot
        switch joint.kind {
        case .distance(let length, let spring):
            slot = .distance(distances.count)
            distances.append(
                DistanceConstraint(
                    length: length, spring: spring, anchors: anchors, impulse: warmStart.impulse.x))
        case .pin(let joint):
            slot = .pin(pins.count)
            pins.append(PinConstraint(joint, anchors: anchors, warmStart: warmStart))
        case .weld(let joint):
            slot = .weld(welds.count)
            welds.append(WeldConstraint(joint, anchors: anchors, impulse: warmStart.impulse))
        case .sliding(let joint):
            slot = .sliding(slidings.count)
            slidings.append(SlidingConstraint(joint, anchors: anchors, warmStart: warmStart))
        case .rope(let length):
            slot = .rope(ropes.count)
            ropes.append(
                RopeConstraint(length: length, anchors: anchors, impulse: warmStart.impulse.x))
        }
        let first =
            switch joint.first {
            case .ground: ground
            case .body(let index): Int(index)
            }
        constraints.append(
            JointConstraint(source: source, bodyA: first, bodyB: Int(joint.second), slot: slot))
    }

    // MARK: Solving

    /// Computes this step's equations and applies the last step's impulses.
    mutating func prepare(_ solverBodies: inout [SolverBody]) {
        for constraint in constraints {
            var pair = BodyPair(
                a: solverBodies[constraint.bodyA], b: solverBodies[constraint.bodyB])
            switch constraint.slot {
            case .distance(let index): distances[index].prepare(&pair)
            case .pin(let index): pins[index].prepare(&pair)
            case .weld(let index): welds[index].prepare(&pair)
            case .sliding(let index): slidings[index].prepare(&pair)
            case .rope(let index): ropes[index].prepare(&pair)
            }
            solverBodies[constraint.bodyA] = pair.a
            solverBodies[constraint.bodyB] = pair.b
        }
    }

    /// One pass over the velocities.
    mutating func solveVelocity(_ solverBodies: inout [SolverBody]) {
        for constraint in constraints {
            var pair = BodyPair(
                a: solverBodies[constraint.bodyA], b: solverBodies[constraint.bodyB])
            switch constraint.slot {
            case .distance(let index): distances[index].solveVelocity(&pair)
            case .pin(let index): pins[index].solveVelocity(&pair)
            case .weld(let index): welds[index].solveVelocity(&pair)
            case .sliding(let index): slidings[index].solveVelocity(&pair)
            case .rope(let index): ropes[index].solveVelocity(&pair)
            }
            solverBodies[constraint.bodyA] = pair.a
            solverBodies[constraint.bodyB] = pair.b
        }
    }

    /// One pass over the positions. Returns whether every joint was within its slop before the pass
    /// reached it.
    func solvePosition(_ solverBodies: inout [SolverBody]) -> Bool {
        var areClosed = true
        for constraint in constraints {
            var pair = BodyPair(
                a: solverBodies[constraint.bodyA], b: solverBodies[constraint.bodyB])
            let isClosed =
                switch constraint.slot {
                case .distance(let index): distances[index].solvePosition(&pair)
                case .pin(let index): pins[index].solvePosition(&pair)
                case .weld(let index): welds[index].solvePosition(&pair)
                case .sliding(let index): slidings[index].solvePosition(&pair)
                case .rope(let index): ropes[index].solvePosition(&pair)
                }
            solverBodies[constraint.bodyA] = pair.a
            solverBodies[constraint.bodyB] = pair.b
            if !isClosed { areClosed = false }
        }
        return areClosed
    }

    // MARK: Remembering

    /// The impulses with which the next step starts.
    ///
    /// Joints that contradict each other would increase them without end. So they are limited to
    /// the impulse that gives the two bodies the greatest velocity that is accepted.
    func warmStart(of constraint: JointConstraint, _ solverBodies: [SolverBody]) -> WarmStart {
        let (a, b) = (solverBodies[constraint.bodyA], solverBodies[constraint.bodyB])
        let push = JointSolver.most(a.inverseMass + b.inverseMass)
        let turn = JointSolver.most(a.inverseInertia + b.inverseInertia)
        switch constraint.slot {
        case .distance(let index):
            return WarmStart(impulse: Vector3(x: distances[index].impulse.clamped(to: push)))
        case .pin(let index):
            return WarmStart(
                impulse: pins[index].impulse.clamped(push, push, turn),
                friction: pins[index].friction.clamped(to: turn), limitState: pins[index].limitState
            )
        case .weld(let index):
            return WarmStart(impulse: welds[index].impulse.clamped(push, push, turn))
        case .sliding(let index):
            return WarmStart(
                impulse: slidings[index].impulse.clamped(push, turn, push),
                limitState: slidings[index].limitState)
        case .rope(let index):
            return WarmStart(impulse: Vector3(x: ropes[index].impulse.clamped(to: push)))
        }
    }

    private static func most(_ inverse: Double) -> ClosedRange<Double> {
        let most = inverse > 0 ? Tuning.reach / inverse : 0
        return -most...most
    }
}
