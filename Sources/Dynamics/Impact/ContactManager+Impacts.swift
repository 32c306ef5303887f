import Geometry

/// A body on its way through a step, straight and turning evenly.
struct Course {
    let start: Vector
    let way: Vector
    let rotation: Double
    let turn: Double

    init(from start: Mover, to end: Mover) {
        self.start = start.center
        way = end.center - start.center
        rotation = start.rotation
        turn = end.rotation - start.rotation
    }

    /// Where it is after a share of the way.
    func pose(after share: Double) -> Pose {
        Pose(center: start + share * way, rotation: rotation + share * turn)
    }
}

extension Contacts {
    /// Stops bodies where, within the step, they hit what does not move, and lets them go on
    /// from there for the rest of the step.
    ///
    /// Only against what does not move: it is what a body must not pass, and one body alone
    /// is moved twice in a step.
    mutating func stopAtImpacts(_ movers: inout [Mover], from starts: [Mover]) {
        var solver = ContactSolver()
        for body in movers.indices where movers[body].isAwake && !movers[body].isFixed {
            stopAtImpacts(body, from: starts[body], &solver, &movers)
        }
    }

    private mutating func stopAtImpacts(
        _ body: Int, from start: Mover, _ solver: inout ContactSolver, _ movers: inout [Mover]
    ) {
        var start = start
        var seconds = Tuning.step
        var ignored: [Int] = []
        for _ in 0..<Tuning.impactsMax {
            guard let impact = impact(of: body, from: start, movers, ignored) else { return }
            let end = movers[body]
            let course = Course(from: start, to: end)
            movers[body].center = course.start + impact.share * course.way
            movers[body].rotation = course.rotation + impact.share * course.turn
            let pose = movers[body].pose
            update(impact.contact, body, &movers, pose)
            guard list[impact.contact].isTouching else {
                ignored.append(impact.contact)
                movers[body] = end
                continue
            }
            seconds *= 1 - impact.share
            solveImpact(impact.contact, body, &solver, &movers, pose)
            start = movers[body]
            movers[body].advance(by: seconds)
            follow(body, &movers, from: start.pose)
        }
        // More impacts than are worth the time: where the last one was, nothing is passed.
        if impact(of: body, from: start, movers, ignored) != nil {
            movers[body].center = start.center
            movers[body].rotation = start.rotation
        }
    }

    private mutating func update(
        _ number: Int, _ body: Int, _ movers: inout [Mover], _ pose: Pose
    ) {
        let contact = list[number]
        let isFirst = Int(contact.bodyA) == body
        let other = movers[Int(isFirst ? contact.bodyB : contact.bodyA)].pose
        update(number, &movers, isFirst ? pose : other, isFirst ? other : pose)
    }

    /// A body's contact with something that does not move.
    @inline(__always)
    private func isWithFixed(_ number: Int, _ body: Int, _ movers: [Mover]) -> Bool {
        let (a, b) = (Int(list[number].bodyA), Int(list[number].bodyB))
        if b == body { return movers[a].isFixed }
        return a == body && movers[b].isFixed
    }

    /// The first thing that a body hits, and the share of its way after which it does.
    private func impact(
        of body: Int, from start: Mover, _ movers: [Mover], _ ignored: [Int]
    ) -> (contact: Int, share: Double)? {
        var first: (contact: Int, share: Double)?
        var course: Course?
        for number in list.indices.reversed() {
            guard isWithFixed(number, body, movers), !ignored.contains(number) else { continue }
            let contact = list[number]
            let own = course ?? Course(from: start, to: movers[body])
            course = own
            let isFirst = Int(contact.bodyA) == body
            let piece = piece(isFirst ? contact.first : contact.second)
            let obstacle: Outline
            let skin: Double
            if contact.isOnGround {
                let edge = edge(contact.first)
                obstacle = Outline(edge.from, edge.to)
                skin = Tuning.skin
            } else {
                let other = self.piece(isFirst ? contact.second : contact.first)
                let fixed = Int(isFirst ? contact.bodyB : contact.bodyA)
                obstacle = Outline(other, at: movers[fixed].pose)
                skin = other.skin
            }
            let approach = Approach(
                moving: Outline(piece, at: .identity), course: own, fixed: obstacle,
                skins: piece.skin + skin)
            if let share = approach.impact(), share < first?.share ?? Tuning.wholeWay {
                first = (number, share)
            }
        }
        return first
    }

    /// Pushes a body out of what it hit, and takes away the speed that led into it.
    private mutating func solveImpact(
        _ number: Int, _ body: Int, _ solver: inout ContactSolver, _ movers: inout [Mover],
        _ pose: Pose
    ) {
        var numbers = [Int32(number)]
        for other in list.indices.reversed()
        where other != number && isWithFixed(other, body, movers) {
            update(other, body, &movers, pose)
            if list[other].isTouching { numbers.append(Int32(other)) }
        }
        movers[body].wake()
        solver.prepare(self, numbers, &movers, isWarm: false)
        for _ in 0..<Tuning.impactPassesMax {
            let least = solver.solvePosition(self, &movers, share: Tuning.impactShare)
            if least >= -1.5 * Tuning.linearSlop { break }
        }
        solver.prepare(self, numbers, &movers, isWarm: false)
        for _ in 0..<Tuning.velocityPasses { solver.solveVelocity(&movers) }
    }
}
