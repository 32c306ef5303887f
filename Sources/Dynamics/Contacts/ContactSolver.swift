import Geometry

/// Solves the contacts of one island, as Box2D 2.3 does.
struct ContactSolver {
    private(set) var constraints: [ContactConstraint] = []

    init() {}

    /// Reserves memory for an island's contacts.
    init(capacity: Int) { constraints.reserveCapacity(capacity) }

    /// Prepares some contacts, by number, in this order.
    ///
    /// If warm, it applies the impulses of the last step.
    mutating func prepare(
        _ contacts: ContactManager, _ numbers: some Collection<Int32>,
        _ solverBodies: inout [SolverBody], isWarm: Bool
    ) {
        constraints.removeAll(keepingCapacity: true)
        for number in numbers {
            constraints.append(
                ContactConstraint(number, of: contacts, solverBodies, isWarm: isWarm))
        }
        guard isWarm else { return }
        var solverBodies = solverBodies.mutableSpan
        let constraints = constraints.span
        for index in constraints.indices {
            let (i, j) = (Int(constraints[index].bodyA), Int(constraints[index].bodyB))
            var (a, b) = (solverBodies[i], solverBodies[j])
            constraints[index].start(&a, &b)
            solverBodies[i].setVelocity(a)
            solverBodies[j].setVelocity(b)
        }
    }

    /// Passes over the velocities, contact by contact.
    ///
    /// A contact waits for the results of the one before it if they share a body. So the passes run
    /// side by side, each `lag` contacts behind the one before it, and the processor works on
    /// several contacts at once. Contacts that are `lag` apart share no body: each body meets its
    /// contacts in the same order as in one pass after the other, and the bits are the same.
    mutating func solveVelocity(_ solverBodies: inout [SolverBody], passes: Int, lag: Int) {
        var solverBodies = solverBodies.mutableSpan
        var constraints = constraints.mutableSpan
        let (count, way) = (constraints.count, lag * (passes - 1))
        guard count > 0 else { return }
        // The contact of the first pass that still goes on.
        var first = 0
        for newest in 0..<count + way {
            var index = first
            while index >= max(newest - way, 0) {
                let (i, j) = (Int(constraints[index].bodyA), Int(constraints[index].bodyB))
                var (a, b) = (solverBodies[i], solverBodies[j])
                constraints[index].solve(&a, &b)
                solverBodies[i].setVelocity(a)
                solverBodies[j].setVelocity(b)
                index -= lag
            }
            first += 1
            if first == count { first -= lag }
        }
    }

    /// Stores the impulses for the next step.
    func store(in contacts: inout ContactManager) {
        let constraints = constraints.span
        var list = contacts.list.mutableSpan
        for index in constraints.indices {
            constraints[index].store(in: &list[Int(constraints[index].contact)])
        }
        tell(&contacts)
    }

    /// Tells how strong the contacts that began in this step are.
    func tell(_ contacts: inout ContactManager) {
        if contacts.began.isEmpty { return }
        for constraint in constraints { contacts.strengthen(by: constraint) }
    }

    /// One pass over the positions. Returns the deepest overlap that it met, as a negative
    /// separation (pt).
    func solvePosition(
        _ contacts: ContactManager, _ solverBodies: inout [SolverBody], share: Double
    ) -> Double {
        var least = 0.0
        var solverBodies = solverBodies.mutableSpan
        let list = contacts.list.span
        for index in constraints.indices {
            let bodies = (Int(constraints[index].bodyA), Int(constraints[index].bodyB))
            let number = Int(constraints[index].contact)
            let skins = (constraints[index].skinA, constraints[index].skinB)
            let reached = list[number].manifold.separate(bodies, &solverBodies, skins, share)
            least = min(least, reached)
        }
        return least
    }
}

extension Manifold {
    /// Removes a share of the overlap beyond the slop. Returns the least separation before.
    @inline(__always)
    fileprivate func separate(
        _ pair: (Int, Int), _ solverBodies: inout MutableSpan<SolverBody>,
        _ skins: (Double, Double), _ share: Double
    ) -> Double {
        let least = separate(first.local, pair, &solverBodies, skins, share)
        guard count > 1 else { return least }
        return min(least, separate(second.local, pair, &solverBodies, skins, share))
    }

    /// The same for one point. Returns its separation before.
    @inline(__always)
    private func separate(
        _ local: Vector, _ pair: (Int, Int), _ solverBodies: inout MutableSpan<SolverBody>,
        _ skins: (Double, Double), _ share: Double
    ) -> Double {
        let (a, b) = (solverBodies[pair.0], solverBodies[pair.1])
        let seen = deepest(local, a.transform, skins.0, b.transform, skins.1)
        let error = (share * (seen.separation + Tuning.linearSlop))
            .clamped(to: -Tuning.correctionMax...0)
        guard error < 0 else { return seen.separation }
        let (leverA, leverB) = (seen.point - a.center, seen.point - b.center)
        let (turnA, turnB) = (leverA.cross(seen.normal), leverB.cross(seen.normal))
        let stiffness =
            a.inverseMass + b.inverseMass + a.inverseInertia * turnA * turnA
            + b.inverseInertia * turnB * turnB
        guard stiffness > 0 else { return seen.separation }
        let impulse = (-error / stiffness) * seen.normal
        solverBodies[pair.0].shift(-impulse, at: leverA)
        solverBodies[pair.1].shift(impulse, at: leverB)
        return seen.separation
    }
}
