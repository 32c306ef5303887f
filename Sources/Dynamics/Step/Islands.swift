import Geometry

/// The islands of a world: bodies that joints or contacts couple, directly or through others. An
/// anchored body couples nothing.
///
/// Source: Box2D 2.3's order, which decides the last word in each pass: the newest body first, from
/// there depth first, and of each body the newest joint first. Another order changes the goldens.
struct Islands {
    struct Island {
        /// Indices into `Islands.bodies`.
        var bodies: Range<Int>
        /// Indices into `Islands.sources`.
        var sources: Range<Int>
        /// Indices into `Islands.contacts`.
        var contacts: Range<Int>
        /// Whether it is one body without contacts and with ground joints alone.
        var isPlain: Bool
    }

    /// Bodies in the order of the visit, island after island.
    private(set) var bodies: [Int] = []
    /// Joints in the order of the visit.
    private(set) var sources: [JointConstraint.Source] = []
    /// Numbers of contacts in the order of the visit.
    private(set) var contacts: [Int32] = []
    private(set) var islands: [Island] = []

    /// Each joint is two edges: 2n on its first body's list, 2n + 1 on its second's.
    private var newestEdge: [Int]
    private var olderEdge: [Int]
    /// The same lists for touching contacts.
    private var newestTouch: [Int]
    private var olderTouch: [Int]
    private var isContactTaken: [Bool]
    private var isBodyTaken: [Bool]
    private var isJointTaken: [Bool]
    private var stack: [Int] = []

    /// Finds the islands that contain an awake body.
    init(_ world: borrowing Animator, _ touching: [Contact]) {
        let count = world.bodies.count
        newestEdge = [Int](repeating: -1, count: world.joints.isEmpty ? 0 : count)
        olderEdge = [Int](repeating: -1, count: 2 * world.joints.count)
        newestTouch = [Int](repeating: -1, count: touching.isEmpty ? 0 : count)
        olderTouch = [Int](repeating: -1, count: 2 * touching.count)
        isContactTaken = [Bool](repeating: false, count: touching.count)
        isBodyTaken = world.bodies.map(\.anchored)
        isJointTaken = [Bool](repeating: false, count: world.joints.count)
        bodies.reserveCapacity(count)
        islands.reserveCapacity(count)
        stack.reserveCapacity(count)
        contacts.reserveCapacity(touching.count)
        for (number, joint) in world.joints.enumerated() {
            if case .body(let first) = joint.first { insert(2 * number, on: Int(first)) }
            insert(2 * number + 1, on: Int(joint.second))
        }
        for number in touching.indices where touching[number].isTouching {
            insertTouch(2 * number, on: Int(touching[number].bodyA))
            insertTouch(2 * number + 1, on: Int(touching[number].bodyB))
        }
        for seed in world.bodies.indices.reversed()
        where world.bodies[seed].isAwake && !isBodyTaken[seed] {
            gather(from: seed, world, touching)
        }
    }

    private mutating func insert(_ edge: Int, on body: Int) {
        olderEdge[edge] = newestEdge[body]
        newestEdge[body] = edge
    }

    private mutating func insertTouch(_ edge: Int, on body: Int) {
        // The ground is no body and couples nothing.
        guard body < newestTouch.count else { return }
        olderTouch[edge] = newestTouch[body]
        newestTouch[body] = edge
    }

    private mutating func visitContacts(of body: Int, _ touching: [Contact]) {
        var edge = touching.isEmpty ? -1 : newestTouch[body]
        while edge >= 0 {
            let number = edge / 2
            edge = olderTouch[edge]
            guard !isContactTaken[number] else { continue }
            isContactTaken[number] = true
            contacts.append(Int32(number))
            let (a, b) = (Int(touching[number].bodyA), Int(touching[number].bodyB))
            push(a == body ? b : a)
        }
    }

    private mutating func gather(
        from seed: Int, _ world: borrowing Animator, _ touching: [Contact]
    ) {
        let (firstBody, firstSource, firstContact) = (bodies.count, sources.count, contacts.count)
        var jointCount = 0
        push(seed)
        while let body = stack.popLast() {
            bodies.append(body)
            visitContacts(of: body, touching)
            var groundJoint = world.bodies[body].groundJointRange.lowerBound
            let end = world.bodies[body].groundJointRange.upperBound
            var edge = newestEdge.isEmpty ? -1 : newestEdge[body]
            while groundJoint < end || edge >= 0 {
                let isJoint =
                    edge >= 0
                    && (groundJoint == end
                        || world.joints[edge / 2].behavior.number
                            > world.groundJoints[groundJoint].behavior.number)
                guard isJoint else {
                    sources.append(.ground(groundJoint, body: body))
                    groundJoint += 1
                    continue
                }
                let number = edge / 2
                edge = olderEdge[edge]
                guard !isJointTaken[number] else { continue }
                isJointTaken[number] = true
                jointCount += 1
                sources.append(.joint(number))
                let joint = world.joints[number]
                if joint.second != Int32(body) {
                    push(Int(joint.second))
                } else if case .body(let other) = joint.first {
                    push(Int(other))
                }
            }
        }
        islands.append(
            Island(
                bodies: firstBody..<bodies.count, sources: firstSource..<sources.count,
                contacts: firstContact..<contacts.count,
                isPlain: jointCount == 0 && firstContact == contacts.count))
    }

    private mutating func push(_ body: Int) {
        guard body < isBodyTaken.count, !isBodyTaken[body] else { return }
        isBodyTaken[body] = true
        stack.append(body)
    }
}

extension Animator {
    /// One step of a world in which bodies may be coupled.
    mutating func stepIslands() {
        var solverBodies = bodies.map { SolverBody($0) }
        solverBodies.append(.ground)
        // Swapped out while it is worked on: otherwise the array would be copied.
        var contacts = ContactManager()
        guard !collisionsBox.isEmpty else { return stepIslands(&contacts, &solverBodies, []) }
        let starts = solverBodies
        let transforms = solverBodies.map(\.transform)
        swap(&contacts, &collisionsBox.unwrapped.contacts)
        detectContacts(&contacts, &solverBodies, transforms)
        stepIslands(&contacts, &solverBodies, transforms)
        finishContacts(&contacts, &solverBodies, transforms, starts)
        swap(&contacts, &collisionsBox.unwrapped.contacts)
    }

    private mutating func stepIslands(
        _ contacts: inout ContactManager, _ solverBodies: inout [SolverBody],
        _ transforms: [Transform]
    ) {
        guard !joints.isEmpty || contacts.areTouching else { return stepAlone() }
        let islands = Islands(self, contacts.list)
        var contactSolver = ContactSolver(capacity: islands.contacts.count)
        // A body that is coupled to an awake one wakes before forces act.
        for body in islands.bodies { wake(body) }
        if !forcesBox.isEmpty { applyForces() }
        let gravity = worldGravity * Tuning.gravityUnit
        for island in islands.islands {
            let members = islands.bodies[island.bodies]
            if island.isPlain {
                stepAlone(members[members.startIndex], gravity)
            } else {
                for body in members {
                    bodies[body].accelerate(gravity)
                    solverBodies[body] = SolverBody(bodies[body])
                }
                let isClosed = solve(
                    islands.sources[island.sources], members,
                    islands.contacts[island.contacts], &contacts, &contactSolver, &solverBodies,
                    transforms)
                settle(members, isClosed: isClosed, solverBodies)
            }
        }
    }

    private mutating func stepAlone(_ body: Int, _ gravity: Vector) {
        Animator.step(&bodies[body], &groundJoints, gravity)
        if !bodies[body].isAwake { awakeCount -= 1 }
    }

    private static func step(
        _ body: inout Body, _ groundJoints: inout [GroundJoint], _ gravity: Vector
    ) {
        var groundJoints = groundJoints.mutableSpan
        body.step(joints: &groundJoints, gravity: gravity)
    }

    /// Velocities, positions, corrections. Returns whether every joint was within its slop in the
    /// end.
    private mutating func solve(
        _ sources: ArraySlice<JointConstraint.Source>, _ members: ArraySlice<Int>,
        _ touching: ArraySlice<Int32>, _ contacts: inout ContactManager,
        _ contactSolver: inout ContactSolver, _ solverBodies: inout [SolverBody],
        _ transforms: [Transform]
    ) -> Bool {
        let ground = solverBodies.count - 1
        var jointSolver = JointSolver(capacity: sources.count)
        for source in sources {
            switch source {
            case .ground(let place, let body):
                jointSolver.append(
                    groundJoints[place], source, body: body, ground: ground, solverBodies[body])
            case .joint(let number): jointSolver.append(joints[number], source, ground: ground)
            }
        }
        contactSolver.prepare(contacts, touching, &solverBodies, transforms, isWarm: true)
        jointSolver.prepare(&solverBodies)
        for _ in 0..<Tuning.velocityPasses {
            jointSolver.solveVelocity(&solverBodies)
            contactSolver.solveVelocity(&solverBodies)
        }
        contactSolver.store(in: &contacts)
        for constraint in jointSolver.constraints {
            remember(
                jointSolver.warmStart(of: constraint, solverBodies), of: constraint, solverBodies)
        }
        for body in members { solverBodies[body].advance(by: Tuning.step) }
        for _ in 0..<Tuning.positionPassesMax {
            let least = contactSolver.solvePosition(
                contacts, &solverBodies, share: Tuning.overlapShare)
            let isClosed = least >= -3 * Tuning.linearSlop
            if jointSolver.solvePosition(&solverBodies) && isClosed { return true }
        }
        return false
    }

    /// Stores a joint's impulses for the next step.
    private mutating func remember(
        _ warmStart: WarmStart, of constraint: JointConstraint, _ solverBodies: [SolverBody]
    ) {
        switch constraint.source {
        case .ground(let place, let body):
            let impulse = Vector(warmStart.impulse.x, warmStart.impulse.y)
            groundJoints[place].impulse = (impulse * solverBodies[body].inverseMass).reachable
        case .joint(let number): joints[number].warmStart = warmStart
        }
    }

    /// Writes the solved motion back. An island sleeps as a whole or not at all.
    private mutating func settle(
        _ members: ArraySlice<Int>, isClosed: Bool, _ solverBodies: [SolverBody]
    ) {
        var least = Int32.max
        for body in members {
            bodies[body].setMotion(solverBodies[body])
            bodies[body].countStillness()
            least = min(least, bodies[body].stillSteps)
        }
        guard isClosed, least >= Tuning.stillSteps else { return }
        for body in members { putToSleep(body) }
    }
}

extension SolverBody {
    init(_ body: Body) {
        let inverseMass = body.anchored ? 0 : body.inverseMass
        self.init(
            center: body.center, rotation: body.rotation, velocity: body.velocity,
            angularVelocity: body.angularVelocity, inverseMass: inverseMass,
            inverseInertia: inverseMass * body.inverseGyration * body.inverseGyration,
            isAwake: body.isAwake)
    }
}

extension Body {
    /// Takes over position and velocity from the solver.
    mutating func setMotion(_ solverBody: SolverBody) {
        center = solverBody.center
        rotation = solverBody.rotation
        velocity = solverBody.velocity
        angularVelocity = solverBody.angularVelocity
    }
}
