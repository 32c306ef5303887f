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
        /// Whether it is one body that nothing but joints to fixed points hold.
        var isPlain: Bool
    }

    /// Bodies in the order of their visit, island after island.
    private(set) var bodies: [Int] = []
    /// Joints in the order of their visit.
    private(set) var sources: [Tie.Source] = []
    private(set) var islands: [Island] = []

    /// Each link is two edges: 2n is on its first body's list, 2n + 1 on its second's.
    private var newestEdge: [Int]
    private var olderEdge: [Int]
    private var isBodyTaken: [Bool]
    private var isLinkTaken: [Bool]
    private var stack: [Int] = []

    /// The islands in which somebody is awake.
    init(_ world: borrowing Animator) {
        newestEdge = [Int](repeating: -1, count: world.bodies.count)
        olderEdge = [Int](repeating: -1, count: 2 * world.links.count)
        isBodyTaken = world.bodies.map(\.anchored)
        isLinkTaken = [Bool](repeating: false, count: world.links.count)
        for (number, link) in world.links.enumerated() {
            if case .body(let first) = link.first { insert(2 * number, on: Int(first)) }
            insert(2 * number + 1, on: Int(link.second))
        }
        for seed in world.bodies.indices.reversed()
        where world.bodies[seed].isAwake && !isBodyTaken[seed] {
            gather(from: seed, world)
        }
    }

    private mutating func insert(_ edge: Int, on body: Int) {
        olderEdge[edge] = newestEdge[body]
        newestEdge[body] = edge
    }

    private mutating func gather(from seed: Int, _ world: borrowing Animator) {
        let (firstBody, firstSource) = (bodies.count, sources.count)
        var linkCount = 0
        push(seed)
        while let body = stack.popLast() {
            bodies.append(body)
            var joint = world.bodies[body].jointRange.lowerBound
            let end = world.bodies[body].jointRange.upperBound
            var edge = newestEdge[body]
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
                isPlain: linkCount == 0))
    }

    private mutating func push(_ body: Int) {
        guard !isBodyTaken[body] else { return }
        isBodyTaken[body] = true
        stack.append(body)
    }
}

extension Animator {
    /// One step of a world in which bodies may be coupled.
    mutating func stepIslands() {
        let islands = Islands(self)
        // Whoever is coupled to one that is awake is awake before the forces act.
        for body in islands.bodies { wake(body) }
        if !forceStore.isEmpty { applyForces() }
        let gravity = worldGravity * Tuning.gravityUnit
        var movers = bodies.map { Mover($0) }
        movers.append(.ground)
        for island in islands.islands {
            let members = islands.bodies[island.bodies]
            if island.isPlain {
                stepAlone(members[members.startIndex], gravity)
            } else {
                for body in members {
                    bodies[body].accelerate(gravity)
                    movers[body] = Mover(bodies[body])
                }
                let isClosed = solve(islands.sources[island.sources], members, &movers)
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
        _ sources: ArraySlice<Tie.Source>, _ members: ArraySlice<Int>, _ movers: inout [Mover]
    ) -> Bool {
        let ground = movers.count - 1
        var ties = sources.map { source in
            switch source {
            case .joint(let place, let body):
                Tie(joints[place], source, body: body, ground: ground, movers[body])
            case .link(let number): Tie(links[number], source, ground: ground)
            }
        }
        for index in ties.indices { ties[index].prepare(&movers) }
        for _ in 0..<Tuning.velocityPasses {
            for index in ties.indices { ties[index].solveVelocity(&movers) }
        }
        for tie in ties { remember(tie, movers) }
        for body in members { movers[body].advance(by: Tuning.step) }
        for _ in 0..<Tuning.positionPassesMax {
            var isClosed = true
            for tie in ties where !tie.solvePosition(&movers) { isClosed = false }
            if isClosed { return true }
        }
        return false
    }

    /// Keeps what a joint did for the next step.
    private mutating func remember(_ tie: Tie, _ movers: [Mover]) {
        let memory = tie.memory(movers)
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
