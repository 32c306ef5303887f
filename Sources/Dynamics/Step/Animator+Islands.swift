import Geometry

extension Animator {
    /// One step of a world in which bodies may be coupled.
    mutating func stepIslands() {
        var solverBodies: [SolverBody] = []
        solverBodies.reserveCapacity(bodies.count + 1)
        for body in bodies { solverBodies.append(SolverBody(body)) }
        solverBodies.append(.ground)
        // Swapped out while it is worked on: otherwise the array would be copied.
        var contacts = ContactManager()
        guard !collisionsBox.isEmpty else { return stepIslands(&contacts, &solverBodies) }
        let starts = solverBodies
        swap(&contacts, &collisionsBox.unwrapped.contacts)
        detectContacts(&contacts, &solverBodies)
        stepIslands(&contacts, &solverBodies)
        finishContacts(&contacts, &solverBodies, starts)
        swap(&contacts, &collisionsBox.unwrapped.contacts)
    }

    private mutating func stepIslands(
        _ contacts: inout ContactManager, _ solverBodies: inout [SolverBody]
    ) {
        guard !joints.isEmpty || contacts.areTouching else { return stepAlone() }
        let islands = Islands(self, contacts.list)
        var contactSolver = ContactSolver(capacity: islands.contactCount)
        // A body that is coupled to an awake one wakes before forces act.
        for place in 0..<islands.bodyCount { wake(islands.body(place)) }
        if !forcesBox.isEmpty { applyForces() }
        let gravity = worldGravity * Tuning.gravityUnit
        for island in islands.islands {
            if island.isPlain {
                stepAlone(islands.body(island.bodies.lowerBound), gravity)
            } else {
                for place in island.bodies {
                    let body = islands.body(place)
                    bodies[body].accelerate(gravity)
                    solverBodies[body].setMotion(bodies[body])
                }
                let isClosed = solve(
                    island, of: islands, &contacts, &contactSolver, &solverBodies)
                writeBack(island, of: islands, isClosed: isClosed, solverBodies)
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
        _ island: Islands.Island, of islands: Islands, _ contacts: inout ContactManager,
        _ contactSolver: inout ContactSolver, _ solverBodies: inout [SolverBody]
    ) -> Bool {
        let ground = solverBodies.count - 1
        let sources = islands.sources[island.sources]
        var jointSolver = JointSolver(capacity: sources.count)
        for source in sources {
            switch source {
            case .ground(let place, let body):
                jointSolver.append(
                    groundJoints[place], source, body: body, ground: ground, solverBodies[body])
            case .joint(let number): jointSolver.append(joints[number], source, ground: ground)
            }
        }
        contactSolver.prepare(
            contacts, islands.contacts(of: island), &solverBodies, isWarm: true)
        jointSolver.prepare(&solverBodies)
        // Without joints between them, the passes over the contacts can run side by side.
        let passes = sources.isEmpty ? Tuning.velocityPasses : 1
        for _ in 0..<Tuning.velocityPasses / passes {
            jointSolver.solveVelocity(&solverBodies)
            contactSolver.solveVelocity(&solverBodies, passes: passes, lag: island.contactLag)
        }
        contactSolver.store(in: &contacts)
        for constraint in jointSolver.constraints {
            remember(
                jointSolver.warmStart(of: constraint, solverBodies), of: constraint, solverBodies)
        }
        for place in island.bodies {
            solverBodies[islands.body(place)].advance(by: Tuning.step)
        }
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
    private mutating func writeBack(
        _ island: Islands.Island, of islands: Islands, isClosed: Bool,
        _ solverBodies: [SolverBody]
    ) {
        var least = Int32.max
        for place in island.bodies {
            let body = islands.body(place)
            bodies[body].setMotion(solverBodies[body])
            bodies[body].countStillness()
            least = min(least, bodies[body].stillSteps)
        }
        guard isClosed, least >= Tuning.stillSteps else { return }
        for place in island.bodies { putToSleep(islands.body(place)) }
    }
}
