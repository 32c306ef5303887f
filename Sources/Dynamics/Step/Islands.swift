import Geometry

/// The bodies of a world in islands: what is coupled directly or by others, but not by what
/// does not move.
///
/// Source: Box2D 2.3's order, which decides who is heard last in each pass: the newest body
/// first, from there depth first, and of each body the newest joint first.
struct Islands {
    struct Island {
        /// Of `bodies`.
        var bodies: Range<Int>
        /// Of `sources`.
        var sources: Range<Int>
        /// Of `contacts`.
        var contacts: Range<Int>
        /// Whether it is one body that nothing but joints to fixed points hold.
        var isPlain: Bool
    }

    /// Bodies in the order of their visit, island after island.
    private(set) var bodies: [Int] = []
    /// Joints in the order of their visit.
    private(set) var sources: [Tie.Source] = []
    /// Numbers of contacts in the order of their visit.
    private(set) var contacts: [Int32] = []
    private(set) var islands: [Island] = []

    /// Each link is two edges: 2n is on its first body's list, 2n + 1 on its second's.
    private var newestEdge: [Int]
    private var olderEdge: [Int]
    /// The same of the contacts that touch.
    private var newestTouch: [Int]
    private var olderTouch: [Int]
    private var isContactTaken: [Bool]
    private var isBodyTaken: [Bool]
    private var isLinkTaken: [Bool]
    private var stack: [Int] = []

    /// The islands in which somebody is awake.
    init(_ world: borrowing Animator, _ touching: [Contact]) {
        let count = world.bodies.count
        newestEdge = [Int](repeating: -1, count: world.links.isEmpty ? 0 : count)
        olderEdge = [Int](repeating: -1, count: 2 * world.links.count)
        newestTouch = [Int](repeating: -1, count: touching.isEmpty ? 0 : count)
        olderTouch = [Int](repeating: -1, count: 2 * touching.count)
        isContactTaken = [Bool](repeating: false, count: touching.count)
        isBodyTaken = world.bodies.map(\.anchored)
        isLinkTaken = [Bool](repeating: false, count: world.links.count)
        bodies.reserveCapacity(count)
        islands.reserveCapacity(count)
        stack.reserveCapacity(count)
        contacts.reserveCapacity(touching.count)
        for (number, link) in world.links.enumerated() {
            if case .body(let first) = link.first { insert(2 * number, on: Int(first)) }
            insert(2 * number + 1, on: Int(link.second))
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
        // The ground is no body, and leads nowhere.
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
        var linkCount = 0
        push(seed)
        while let body = stack.popLast() {
            bodies.append(body)
            visitContacts(of: body, touching)
            var joint = world.bodies[body].jointRange.lowerBound
            let end = world.bodies[body].jointRange.upperBound
            var edge = newestEdge.isEmpty ? -1 : newestEdge[body]
            while joint < end || edge >= 0 {
                let isLink =
                    edge >= 0
                    && (joint == end
                        || world.links[edge / 2].behavior.number
                            > world.joints[joint].behavior.number)
                guard isLink else {
                    sources.append(.joint(joint, body: body))
                    joint += 1
                    continue
                }
                let number = edge / 2
                edge = olderEdge[edge]
                guard !isLinkTaken[number] else { continue }
                isLinkTaken[number] = true
                linkCount += 1
                sources.append(.link(number))
                let link = world.links[number]
                if link.second != Int32(body) {
                    push(Int(link.second))
                } else if case .body(let other) = link.first {
                    push(Int(other))
                }
            }
        }
        islands.append(
            Island(
                bodies: firstBody..<bodies.count, sources: firstSource..<sources.count,
                contacts: firstContact..<contacts.count,
                isPlain: linkCount == 0 && firstContact == contacts.count))
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
        var movers = bodies.map { Mover($0) }
        movers.append(.ground)
        // Out of the store while it is worked on, so that it is not copied.
        var contacts = Contacts()
        guard !collisionStore.isEmpty else { return stepIslands(&contacts, &movers, []) }
        let starts = movers
        let poses = movers.map(\.pose)
        swap(&contacts, &collisionStore[0].contacts)
        detectContacts(&contacts, &movers, poses)
        stepIslands(&contacts, &movers, poses)
        finishContacts(&contacts, &movers, poses, starts)
        swap(&contacts, &collisionStore[0].contacts)
    }

    private mutating func stepIslands(
        _ contacts: inout Contacts, _ movers: inout [Mover], _ poses: [Pose]
    ) {
        guard !links.isEmpty || contacts.areTouching else { return stepAlone() }
        let islands = Islands(self, contacts.list)
        var solver = ContactSolver(capacity: islands.contacts.count)
        // Whoever is coupled to one that is awake is awake before the forces act.
        for body in islands.bodies { wake(body) }
        if !forceStore.isEmpty { applyForces() }
        let gravity = worldGravity * Tuning.gravityUnit
        for island in islands.islands {
            let members = islands.bodies[island.bodies]
            if island.isPlain {
                stepAlone(members[members.startIndex], gravity)
            } else {
                for body in members {
                    bodies[body].accelerate(gravity)
                    movers[body] = Mover(bodies[body])
                }
                let isClosed = solve(
                    islands.sources[island.sources], members,
                    islands.contacts[island.contacts], &contacts, &solver, &movers, poses)
                settle(members, isClosed: isClosed, movers)
            }
        }
    }

    private mutating func stepAlone(_ body: Int, _ gravity: Vector) {
        Animator.step(&bodies[body], &joints, gravity)
        if !bodies[body].isAwake { awakeCount -= 1 }
    }

    private static func step(_ body: inout Body, _ joints: inout [Joint], _ gravity: Vector) {
        var joints = joints.mutableSpan
        body.step(joints: &joints, gravity: gravity)
    }

    /// Velocities, places, corrections. Returns whether every joint was within its slop in the end.
    private mutating func solve(
        _ sources: ArraySlice<Tie.Source>, _ members: ArraySlice<Int>,
        _ touching: ArraySlice<Int32>, _ contacts: inout Contacts,
        _ solver: inout ContactSolver, _ movers: inout [Mover], _ poses: [Pose]
    ) -> Bool {
        let ground = movers.count - 1
        var ties = Ties(capacity: sources.count)
        for source in sources {
            switch source {
            case .joint(let place, let body):
                ties.append(joints[place], source, body: body, ground: ground, movers[body])
            case .link(let number): ties.append(links[number], source, ground: ground)
            }
        }
        solver.prepare(contacts, touching, &movers, poses, isWarm: true)
        ties.prepare(&movers)
        for _ in 0..<Tuning.velocityPasses {
            ties.solveVelocity(&movers)
            solver.solveVelocity(&movers)
        }
        solver.store(in: &contacts)
        for tie in ties.order { remember(ties.memory(of: tie, movers), of: tie, movers) }
        for body in members { movers[body].advance(by: Tuning.step) }
        for _ in 0..<Tuning.positionPassesMax {
            let least = solver.solvePosition(contacts, &movers, share: Tuning.overlapShare)
            let isClosed = least >= -3 * Tuning.linearSlop
            if ties.solvePosition(&movers) && isClosed { return true }
        }
        return false
    }

    /// Keeps what a joint did for the next step.
    private mutating func remember(_ memory: Memory, of tie: Tie, _ movers: [Mover]) {
        switch tie.source {
        case .joint(let place, let body):
            let impulse = Vector(memory.impulse.x, memory.impulse.y)
            joints[place].impulse = (impulse * movers[body].inverseMass).reachable
        case .link(let number): links[number].memory = memory
        }
    }

    /// Takes the bodies' motion over; they fall asleep together or not at all.
    private mutating func settle(
        _ members: ArraySlice<Int>, isClosed: Bool, _ movers: [Mover]
    ) {
        var least = Int32.max
        for body in members {
            bodies[body].take(movers[body])
            bodies[body].countStillness()
            least = min(least, bodies[body].stillSteps)
        }
        guard isClosed, least >= Tuning.stillSteps else { return }
        for body in members { putToSleep(body) }
    }
}

extension Mover {
    init(_ body: Body) {
        let inverseMass = body.anchored ? 0 : body.inverseMass
        self.init(
            center: body.center, rotation: body.rotation, velocity: body.velocity,
            spin: body.angularVelocity, inverseMass: inverseMass,
            inverseInertia: inverseMass * body.inverseGyration * body.inverseGyration,
            isAwake: body.isAwake, stillSteps: body.stillSteps)
    }
}

extension Body {
    /// Goes where a solver moved it.
    mutating func take(_ mover: Mover) {
        center = mover.center
        rotation = mover.rotation
        velocity = mover.velocity
        angularVelocity = mover.spin
    }
}
