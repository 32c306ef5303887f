import Geometry

extension ContactManager {
    /// Stops bodies that would pass through something fixed within the step (continuous collision),
    /// and moves them on from there for the rest of the step.
    ///
    /// Data passes: a body's `Sweep`, the first `TimeOfImpact` along it, a small solver for that
    /// contact, a new sweep. Only anchored bodies and boundaries stop a body: only they must not be
    /// passed, and so no other body moves twice.
    mutating func stopAtImpacts(_ solverBodies: inout [SolverBody], from starts: [SolverBody]) {
        var solver = ContactSolver()
        // An impact of one body brings no other one near something fixed.
        for index in list.indices {
            let (a, b) = (Int(list[index].bodyA), Int(list[index].bodyB))
            if solverBodies[a].isFixed { solverBodies[b].isExposed = true }
            if solverBodies[b].isFixed { solverBodies[a].isExposed = true }
        }
        for body in solverBodies.indices
        where solverBodies[body].isExposed && solverBodies[body].isAwake
            && !solverBodies[body].isFixed
        {
            stopAtImpacts(body, from: starts[body], &solver, &solverBodies)
        }
    }

    private mutating func stopAtImpacts(
        _ body: Int, from start: SolverBody, _ solver: inout ContactSolver,
        _ solverBodies: inout [SolverBody]
    ) {
        var start = start
        var seconds = Tuning.step
        var ignored: [Int] = []
        for _ in 0..<Tuning.impactsMax {
            guard let impact = impact(of: body, from: start, solverBodies, ignored) else { return }
            let end = solverBodies[body]
            let sweep = Sweep(from: start, to: end)
            solverBodies[body].center = sweep.start + impact.share * sweep.translation
            solverBodies[body].rotation = sweep.rotation + impact.share * sweep.rotationDelta
            update(impact.contact, &solverBodies)
            guard list[impact.contact].isTouching else {
                ignored.append(impact.contact)
                solverBodies[body] = end
                continue
            }
            seconds *= 1 - impact.share
            solveImpact(impact.contact, body, &solver, &solverBodies)
            start = solverBodies[body]
            solverBodies[body].advance(by: seconds)
            follow(body, &solverBodies, from: start.transform)
        }
        // Too many impacts: it stays at the last one, where it passes nothing.
        if impact(of: body, from: start, solverBodies, ignored) != nil {
            solverBodies[body].center = start.center
            solverBodies[body].rotation = start.rotation
        }
    }

    /// Whether a contact is one of the body with something fixed.
    @inline(__always)
    private func isWithFixed(_ number: Int, _ body: Int, _ solverBodies: [SolverBody]) -> Bool {
        let (a, b) = (Int(list[number].bodyA), Int(list[number].bodyB))
        if b == body { return solverBodies[a].isFixed }
        return a == body && solverBodies[b].isFixed
    }

    /// The first impact of a body, and its share of the sweep.
    private func impact(
        of body: Int, from start: SolverBody, _ solverBodies: [SolverBody], _ ignored: [Int]
    ) -> (contact: Int, share: Double)? {
        var first: (contact: Int, share: Double)?
        var sweep: Sweep?
        for number in list.indices.reversed() {
            guard isWithFixed(number, body, solverBodies), !ignored.contains(number) else {
                continue
            }
            let contact = list[number]
            let own = sweep ?? Sweep(from: start, to: solverBodies[body])
            sweep = own
            let isFirst = Int(contact.bodyA) == body
            let shape = shape(isFirst ? contact.first : contact.second)
            let obstacle: DistanceProxy
            let skin: Double
            if contact.isOnGround {
                let edge = edge(contact.first)
                obstacle = DistanceProxy(edge.from, edge.to)
                skin = Tuning.skin
            } else {
                let other = self.shape(isFirst ? contact.second : contact.first)
                let fixed = Int(isFirst ? contact.bodyB : contact.bodyA)
                obstacle = DistanceProxy(other, at: solverBodies[fixed].transform)
                skin = other.skin
            }
            let approach = TimeOfImpact(
                moving: DistanceProxy(shape, at: .identity), sweep: own, fixed: obstacle,
                skins: shape.skin + skin)
            if let share = approach.impact(), share < first?.share ?? Tuning.wholeWay {
                first = (number, share)
            }
        }
        return first
    }

    /// Resolves the overlap at an impact and removes the approach velocity.
    private mutating func solveImpact(
        _ number: Int, _ body: Int, _ solver: inout ContactSolver,
        _ solverBodies: inout [SolverBody]
    ) {
        var numbers = [Int32(number)]
        for other in list.indices.reversed()
        where other != number && isWithFixed(other, body, solverBodies) {
            update(other, &solverBodies)
            if list[other].isTouching { numbers.append(Int32(other)) }
        }
        solverBodies[body].wake()
        solver.prepare(self, numbers, &solverBodies, isWarm: false)
        for _ in 0..<Tuning.impactPassesMax {
            let least = solver.solvePosition(self, &solverBodies, share: Tuning.impactShare)
            if least >= -1.5 * Tuning.linearSlop { break }
        }
        solver.prepare(self, numbers, &solverBodies, isWarm: false)
        solver.solveVelocity(&solverBodies, passes: Tuning.velocityPasses, lag: numbers.count)
        solver.tell(&self)
    }
}
