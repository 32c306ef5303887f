import Geometry

extension Contacts {
    /// For each body its touching contacts, newest first.
    struct Neighborhood {
        private var heads: [Int32]
        /// Twice for each contact: the next of the first body's, and of the second's.
        private var nexts: [Int32]

        init(_ contacts: Contacts, bodies: Int) {
            heads = Array(repeating: -1, count: bodies)
            nexts = Array(repeating: -1, count: 2 * contacts.list.count)
            for (index, contact) in contacts.list.enumerated() where contact.isTouching {
                let place = Int32(2 * index)
                nexts[Int(place)] = heads[Int(contact.bodyA)]
                heads[Int(contact.bodyA)] = place
                nexts[Int(place) + 1] = heads[Int(contact.bodyB)]
                heads[Int(contact.bodyB)] = place + 1
            }
        }

        func forEach(of body: Int, _ visit: (Int) -> Void) {
            var place = heads[body]
            while place >= 0 {
                visit(Int(place / 2))
                place = nexts[Int(place)]
            }
        }
    }

    /// One step of all bodies, after the forces, where nothing but contacts ties them.
    mutating func step(
        _ movers: inout [Mover], _ gravity: Vector, _ factors: [(Double, Double)]
    ) {
        let starts = movers
        let poses = movers.map(\.pose)
        follow(&movers, from: poses)
        update(&movers, poses)
        for index in movers.indices where movers[index].isAwake && !movers[index].isFixed {
            movers[index].velocity =
                (movers[index].velocity + gravity * Tuning.step) * factors[index].0
            movers[index].spin *= factors[index].1
        }
        solveIslands(&movers)
        follow(&movers, from: poses)
        stopAtImpacts(&movers, from: starts)
        settleTouches()
    }

    private mutating func solveIslands(_ movers: inout [Mover]) {
        let neighborhood = Neighborhood(self, bodies: movers.count)
        var isTaken = movers.map(\.isFixed)
        var isTakenContact = [Bool](repeating: false, count: list.count)
        var solver = ContactSolver(capacity: list.count)
        for seed in movers.indices.reversed() where !isTaken[seed] && movers[seed].isAwake {
            var (bodies, contacts, stack) = ([Int](), [Int32](), [seed])
            isTaken[seed] = true
            while let body = stack.popLast() {
                bodies.append(body)
                movers[body].wake()
                neighborhood.forEach(of: body) { number in
                    if isTakenContact[number] { return }
                    isTakenContact[number] = true
                    contacts.append(Int32(number))
                    let other = Int(list[number].bodyA) + Int(list[number].bodyB) - body
                    if !isTaken[other] { stack.append(other) }
                    isTaken[other] = true
                }
            }
            solve(bodies, contacts, &solver, &movers)
        }
    }

    private mutating func solve(
        _ bodies: [Int], _ contacts: [Int32], _ solver: inout ContactSolver,
        _ movers: inout [Mover]
    ) {
        solver.prepare(self, contacts, &movers, isWarm: true)
        for _ in 0..<Tuning.velocityPasses { solver.solveVelocity(&movers) }
        solver.store(in: &self)
        for body in bodies { movers[body].advance(by: Tuning.step) }
        var isClosed = false
        for _ in 0..<Tuning.positionPassesMax where !isClosed {
            let least = solver.solvePosition(self, &movers, share: Tuning.overlapShare)
            isClosed = least >= -3 * Tuning.linearSlop
        }
        var still = Int32.max
        for body in bodies {
            movers[body].countStillness()
            still = min(still, movers[body].stillSteps)
        }
        guard isClosed, still >= Tuning.stillSteps else { return }
        for body in bodies { movers[body].sleep() }
    }
}
