/// The islands of a world: bodies that joints or contacts couple, directly or through others. An
/// anchored body couples nothing.
///
/// Source: Box2D 2.3's order, which decides the last word in each pass: the newest body first, from
/// there depth first, and of each body the newest joint first. Another order changes the goldens.
///
/// This room advances a world by one step. A world without coupling steps each body by itself
/// (`Body+Step`). Otherwise `Animator+Islands` copies the bodies to `SolverBody`s, lets the rooms
/// `Contacts`, `Joints` and `Impact` work on them, and copies them back. `Tuning` has constants.
/// Nothing on this path may allocate per body, copy an array or box a value.
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
    init(_ world: borrowing Animator, _ touching: [ShapeContact]) {
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

    private mutating func visitContacts(of body: Int, _ touching: [ShapeContact]) {
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
        from seed: Int, _ world: borrowing Animator, _ touching: [ShapeContact]
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
