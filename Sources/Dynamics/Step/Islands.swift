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
        /// Places in the order of the visit.
        var bodies: Range<Int>
        /// Indices into `Islands.sources`.
        var sources: Range<Int>
        /// Places in the order of the visit.
        var contacts: Range<Int>
        /// Contacts that are so far apart in the list share no movable body.
        var contactLag: Int
        /// Whether it is one body without contacts and with ground joints alone.
        var isPlain: Bool
    }

    /// A body during the search. Lists of joints and contacts hold edges: 2n is joint or contact n
    /// on its first body's list, 2n + 1 on its second's, -1 the end.
    private struct Node {
        var newestJoint: Int32 = -1
        var newestContact: Int32 = -1
        /// The place of its first contact in the order of the visit.
        var firstContact: Int32 = -1
        /// The body below it on the stack.
        var below: Int32 = -1
        let isFixed: Bool
        var isTaken: Bool
        /// The body that the search visits at this place.
        var visited: Int32 = -1
    }

    /// A joint or a contact during the search, with the next older edges on its bodies' lists.
    private struct Link {
        var olderOfFirst: Int32 = -1
        var olderOfSecond: Int32 = -1
        var isTaken = false
        /// The contact that the search visits at this place.
        var visited: Int32 = -1

        /// The edge after one of its own.
        func older(_ edge: Int32) -> Int32 { edge & 1 == 0 ? olderOfFirst : olderOfSecond }
    }

    /// By body, and the bodies in the order of the visit, island after island.
    private var nodes: [Node] = []
    /// By contact, and the contacts in the order of the visit.
    private var touches: [Link] = []
    /// The numbers of bodies and of contacts that were visited.
    private(set) var bodyCount = 0
    private(set) var contactCount = 0
    /// Joints in the order of the visit.
    private(set) var sources: [JointConstraint.Source] = []
    private(set) var islands: [Island] = []

    /// The body at the top of the stack.
    private var top: Int32 = -1

    /// Finds the islands that contain an awake body.
    init(_ world: borrowing Animator, _ touching: [ShapeContact]) {
        var nodeList = world.bodies.map { Node(isFixed: $0.anchored, isTaken: $0.anchored) }
        var jointList = [Link](repeating: Link(), count: world.joints.count)
        var touchList = [Link](repeating: Link(), count: touching.count)
        // Spans, because each change of an array would look whether somebody else has it.
        var nodes = nodeList.mutableSpan
        var joints = jointList.mutableSpan
        var touches = touchList.mutableSpan
        islands.reserveCapacity(nodes.count)
        for (number, joint) in world.joints.enumerated() {
            let edge = Int32(2 * number)
            if case .body(let first) = joint.first {
                joints[number].olderOfFirst = nodes[Int(first)].newestJoint
                nodes[Int(first)].newestJoint = edge
            }
            joints[number].olderOfSecond = nodes[Int(joint.second)].newestJoint
            nodes[Int(joint.second)].newestJoint = edge + 1
        }
        for number in touching.indices where touching[number].isTouching {
            let (a, b) = (Int(touching[number].bodyA), Int(touching[number].bodyB))
            let edge = Int32(2 * number)
            // The ground is no body and couples nothing.
            if a < nodes.count {
                touches[number].olderOfFirst = nodes[a].newestContact
                nodes[a].newestContact = edge
            }
            touches[number].olderOfSecond = nodes[b].newestContact
            nodes[b].newestContact = edge + 1
        }
        for seed in nodes.indices.reversed()
        where world.bodies[seed].isAwake && !nodes[seed].isTaken {
            gather(from: seed, world, touching.span, &nodes, &joints, &touches)
        }
        self.nodes = nodeList
        self.touches = touchList
    }

    /// The body at a place.
    func body(_ place: Int) -> Int { Int(nodes[place].visited) }

    /// The numbers of an island's contacts, in the order of the visit.
    func contacts(of island: Island) -> some Collection<Int32> {
        touches[island.contacts].lazy.map(\.visited)
    }

    /// Appends a body's contacts. Returns the greatest distance of one in the list from an earlier
    /// one with the same movable body.
    private mutating func visitContacts(
        of body: Int, _ touching: Span<ShapeContact>, _ nodes: inout MutableSpan<Node>,
        _ touches: inout MutableSpan<Link>
    ) -> Int {
        var distance = 0
        var edge = nodes[body].newestContact
        while edge >= 0 {
            let number = Int(edge / 2)
            let link = touches[number]
            edge = link.older(edge)
            guard !link.isTaken else { continue }
            touches[number].isTaken = true
            let (a, b) = (Int(touching[number].bodyA), Int(touching[number].bodyB))
            let other = a == body ? b : a
            distance = max(
                distance, distanceFromFirst(body, &nodes), distanceFromFirst(other, &nodes))
            touches[contactCount].visited = Int32(number)
            contactCount += 1
            push(other, &nodes)
        }
        return distance
    }

    /// How far the next contact in the list will be from a body's first one.
    private func distanceFromFirst(_ body: Int, _ nodes: inout MutableSpan<Node>) -> Int {
        guard body < nodes.count, !nodes[body].isFixed else { return 0 }
        if nodes[body].firstContact < 0 { nodes[body].firstContact = Int32(contactCount) }
        return contactCount - Int(nodes[body].firstContact)
    }

    private mutating func gather(
        from seed: Int, _ world: borrowing Animator, _ touching: Span<ShapeContact>,
        _ nodes: inout MutableSpan<Node>, _ joints: inout MutableSpan<Link>,
        _ touches: inout MutableSpan<Link>
    ) {
        let (firstBody, firstSource, firstContact) = (bodyCount, sources.count, contactCount)
        var (jointCount, distance) = (0, 0)
        push(seed, &nodes)
        while top >= 0 {
            let body = Int(top)
            top = nodes[body].below
            nodes[bodyCount].visited = Int32(body)
            bodyCount += 1
            distance = max(distance, visitContacts(of: body, touching, &nodes, &touches))
            var groundJoint = world.bodies[body].groundJointRange.lowerBound
            let end = world.bodies[body].groundJointRange.upperBound
            var edge = nodes[body].newestJoint
            while groundJoint < end || edge >= 0 {
                let isJoint =
                    edge >= 0
                    && (groundJoint == end
                        || world.joints[Int(edge / 2)].behavior.number
                            > world.groundJoints[groundJoint].behavior.number)
                guard isJoint else {
                    sources.append(.ground(groundJoint, body: body))
                    groundJoint += 1
                    continue
                }
                let number = Int(edge / 2)
                edge = joints[number].older(edge)
                guard !joints[number].isTaken else { continue }
                joints[number].isTaken = true
                jointCount += 1
                sources.append(.joint(number))
                let joint = world.joints[number]
                if joint.second != Int32(body) {
                    push(Int(joint.second), &nodes)
                } else if case .body(let other) = joint.first {
                    push(Int(other), &nodes)
                }
            }
        }
        islands.append(
            Island(
                bodies: firstBody..<bodyCount, sources: firstSource..<sources.count,
                contacts: firstContact..<contactCount, contactLag: distance + 1,
                isPlain: jointCount == 0 && firstContact == contactCount))
    }

    private mutating func push(_ body: Int, _ nodes: inout MutableSpan<Node>) {
        guard body < nodes.count, !nodes[body].isTaken else { return }
        nodes[body].isTaken = true
        nodes[body].below = top
        top = Int32(body)
    }
}
