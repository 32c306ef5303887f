import Geometry

/// The contacts of an island while it is solved, as Box2D 2.3 solves them.
struct ContactSolver {
    private(set) var constraints: [ContactConstraint] = []

    init() {}

    /// Makes room for an island's contacts, of which there are at most so many.
    init(capacity: Int) { constraints.reserveCapacity(capacity) }

    /// Takes some of the contacts, by number, in this order.
    ///
    /// Warm, it starts with the impulses of the last step, which apply at once. `poses` are the
    /// movers', where they are known.
    mutating func prepare(
        _ contacts: Contacts, _ numbers: some Collection<Int32>, _ movers: inout [Mover],
        _ poses: [Pose]? = nil, isWarm: Bool
    ) {
        constraints.removeAll(keepingCapacity: true)
        for number in numbers {
            let (a, b) = (
                Int(contacts.list[Int(number)].bodyA), Int(contacts.list[Int(number)].bodyB)
            )
            let (poseA, poseB) = (poses?[a] ?? movers[a].pose, poses?[b] ?? movers[b].pose)
            constraints.append(
                ContactConstraint(number, of: contacts, movers, poseA, poseB, isWarm: isWarm))
        }
        guard isWarm else { return }
        for index in constraints.indices {
            let (i, j) = (Int(constraints[index].bodyA), Int(constraints[index].bodyB))
            var (a, b) = (movers[i], movers[j])
            constraints[index].start(&a, &b)
            movers[i] = a
            movers[j] = b
        }
    }

    /// One pass over the velocities, contact by contact.
    mutating func solveVelocity(_ movers: inout [Mover]) {
        var movers = movers.mutableSpan
        var constraints = constraints.mutableSpan
        for index in constraints.indices {
            let (i, j) = (Int(constraints[index].bodyA), Int(constraints[index].bodyB))
            var (a, b) = (movers[i], movers[j])
            constraints[index].solve(&a, &b)
            movers[i].velocity = a.velocity
            movers[i].spin = a.spin
            movers[j].velocity = b.velocity
            movers[j].spin = b.spin
        }
    }

    /// Keeps the impulses for the next step.
    func store(in contacts: inout Contacts) {
        for constraint in constraints {
            constraint.store(in: &contacts.list[Int(constraint.contact)])
        }
    }

    /// One pass over the places. Returns the deepest overlap it met, as a separation (pt).
    func solvePosition(
        _ contacts: Contacts, _ movers: inout [Mover], share: Double
    ) -> Double {
        var least = 0.0
        var movers = movers.mutableSpan
        let list = contacts.list.span
        for index in constraints.indices {
            let (i, j) = (Int(constraints[index].bodyA), Int(constraints[index].bodyB))
            var (a, b) = (movers[i], movers[j])
            let number = Int(constraints[index].contact)
            let skins = (constraints[index].skinA, constraints[index].skinB)
            let reached = list[number].manifold.part(&a, &b, skins: skins, share: share)
            least = min(least, reached)
            movers[i].center = a.center
            movers[i].rotation = a.rotation
            movers[j].center = b.center
            movers[j].rotation = b.rotation
        }
        return least
    }
}

extension Manifold {
    /// Takes away a share of the overlap beyond the slop. Returns the least separation before.
    @inline(__always)
    fileprivate func part(
        _ a: inout Mover, _ b: inout Mover, skins: (Double, Double), share: Double
    ) -> Double {
        var (poseA, poseB) = (a.pose, b.pose)
        let (least, isShifted) = part(first.local, &a, &b, poseA, poseB, skins, share)
        guard count > 1 else { return least }
        if isShifted { (poseA, poseB) = (a.pose, b.pose) }
        return min(least, part(second.local, &a, &b, poseA, poseB, skins, share).separation)
    }

    @inline(__always)
    private func part(
        _ local: Vector, _ a: inout Mover, _ b: inout Mover, _ poseA: Pose, _ poseB: Pose,
        _ skins: (Double, Double), _ share: Double
    ) -> (separation: Double, isShifted: Bool) {
        let seen = deepest(local, poseA, skins.0, poseB, skins.1)
        let error = (share * (seen.separation + Tuning.linearSlop))
            .clamped(to: -Tuning.correctionMax...0)
        guard error < 0 else { return (seen.separation, false) }
        let (leverA, leverB) = (seen.point - a.center, seen.point - b.center)
        let (turnA, turnB) = (leverA.cross(seen.normal), leverB.cross(seen.normal))
        let stiffness =
            a.inverseMass + b.inverseMass + a.inverseInertia * turnA * turnA
            + b.inverseInertia * turnB * turnB
        guard stiffness > 0 else { return (seen.separation, false) }
        let impulse = (-error / stiffness) * seen.normal
        a.shift(-impulse, at: leverA)
        b.shift(impulse, at: leverB)
        return (seen.separation, true)
    }
}
