import Geometry

/// The fixtures, boundaries and contacts of a world, from step to step (Box2D's contact manager).
///
/// In a step: `update` computes the manifolds and notes who began or ended to touch,
/// `ContactSolver` solves velocities and positions, `updateFatAABBs` finds new pairs after the
/// movement (file BroadPhase), `stopAtImpacts` handles fast bodies (room Impact), `mergeChanges`
/// leaves one change for each pair. Contacts stay in the order in which they were made, and those
/// of one step in the order of their fixtures, so nothing depends on a hash.
struct ContactManager: Hashable, Sendable, Codable {
    /// Ordered by body.
    var fixtures: [Fixture] = []
    /// The fixtures' transforms in their bodies; empty if all are the identity.
    private var transforms: [Transform] = []
    var chains: [ChainShape] = []
    var list: [ShapeContact] = []
    /// The ground's index among the solver bodies.
    private var ground: Int16 = -1
    /// The changes of the step in progress; empty between steps.
    var began: [ContactChange] = []
    var ended: [ContactChange] = []
    init() {}

    /// The keys are a file format.
    private enum CodingKeys: String, CodingKey {
        case fixtures = "parts"
        case transforms = "poses"
        case chains, list, ground
    }

    var edgeCount: Int { chains.last.map { Int($0.firstEdge) + $0.edgeCount } ?? 0 }

    /// The index of the chain that contains an edge.
    func chain(of edge: Int32) -> Int {
        var (low, high) = (0, chains.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if chains[middle].firstEdge <= edge { low = middle } else { high = middle - 1 }
        }
        return low
    }

    func edge(_ number: Int32) -> Edge {
        let chain = chains[chain(of: number)]
        return chain.edge(Int(number - chain.firstEdge))
    }

    /// A fixture's geometry.
    @inline(__always)
    func shape(_ number: Int32) -> Shape {
        let fixture = fixtures[Int(number)]
        return Shape(
            kind: fixture.kind, half: fixture.half, transform: transform(Int(number)))
    }

    @inline(__always)
    private func transform(_ number: Int) -> Transform {
        transforms.isEmpty ? .identity : transforms[number]
    }

    // MARK: Changes

    /// Replaces fixtures and chains. Contacts that are still possible keep their state.
    ///
    /// `places` maps a body's former index to its present one. Returns the present indices of the
    /// bodies that lost a touching contact.
    mutating func replace(
        fixtures newFixtures: [Fixture], transforms newTransforms: [Transform],
        chains newChains: [ChainShape],
        places: (Int32) -> Int32?
    ) -> [Int32] {
        let old = self
        fixtures = newFixtures
        transforms = newTransforms
        chains = newChains
        var edges: Int32 = 0
        for index in chains.indices {
            chains[index].firstEdge = edges
            edges += Int32(chains[index].edgeCount)
        }
        var left: [Int32] = []
        list = []
        for var contact in old.list {
            let second = fixture(old.fixtures[Int(contact.second)], places)
            let first =
                contact.isOnGround
                ? edge(contact.first, of: old)
                : fixture(old.fixtures[Int(contact.first)], places)
            guard let first, let second else {
                guard contact.isTouching else { continue }
                if !contact.isOnGround { left += [Int32(contact.bodyA)].compactMap(places) }
                left += [Int32(contact.bodyB)].compactMap(places)
                continue
            }
            (contact.first, contact.second) = (first, second)
            if !contact.isOnGround { contact.bodyA = Int16(fixtures[Int(first)].body) }
            contact.bodyB = Int16(fixtures[Int(second)].body)
            list.append(contact)
        }
        return left
    }

    /// The present number of a former fixture: the same body, ordinal and kind.
    private func fixture(_ old: Fixture, _ places: (Int32) -> Int32?) -> Int32? {
        guard let body = places(old.body) else { return nil }
        return fixtures.firstIndex {
            $0.body == body && $0.ordinal == old.ordinal && $0.kind == old.kind
        }.map { Int32($0) }
    }

    private func edge(_ number: Int32, of old: ContactManager) -> Int32? {
        let was = old.chains[old.chain(of: number)]
        return chains.first {
            $0.behavior == was.behavior && $0.ordinal == was.ordinal && $0.points == was.points
        }.map { $0.firstEdge + number - was.firstEdge }
    }

    // MARK: Meeting

    func meets(_ contact: ShapeContact) -> Bool {
        let second = fixtures[Int(contact.second)]
        if contact.isOnGround {
            return chains[chain(of: contact.first)].mask & second.boundaryMask != 0
        }
        return fixtures[Int(contact.first)].itemMask & second.itemMask != 0
    }

    /// Whether the fat AABBs overlap; if not, the pair cannot touch.
    func areNear(_ contact: ShapeContact) -> Bool {
        let fatAABB = fixtures[Int(contact.second)].fatAABB
        if contact.isOnGround {
            let chain = chains[chain(of: contact.first)]
            let aabb = chain.aabb(ofEdge: Int(contact.first - chain.firstEdge))
            return fatAABB.aabb.touches(aabb.grown(by: Tuning.aabbMargin))
        }
        return fatAABB.touches(fixtures[Int(contact.first)].fatAABB)
    }

    /// Follows the number of solver bodies: the ground is the last of them.
    mutating func setGround(_ place: Int) {
        guard ground != Int16(place) else { return }
        ground = Int16(place)
        for index in list.indices where list[index].isOnGround { list[index].bodyA = ground }
    }

    /// Whether a body's index is the ground's, as last set.
    func isGround(_ body: Int16) -> Bool { body == ground }

    /// Whether the fixtures are alike, apart from their fat AABBs, and at the same places.
    ///
    /// Identities may be written out or not: whether they are depends on what was a group when the
    /// collisions changed last.
    func hasSameFixtures(as other: ContactManager) -> Bool {
        fixtures.count == other.fixtures.count && hasTransforms && other.hasTransforms
            && fixtures.indices.allSatisfy { number in
                transform(number) == other.transform(number)
                    && fixtures[number].isLike(other.fixtures[number])
            }
    }

    /// Whether all fixtures have a transform, or none.
    private var hasTransforms: Bool { transforms.isEmpty || transforms.count == fixtures.count }

    // MARK: Touching

    var areTouching: Bool {
        for index in list.indices where list[index].isTouching { return true }
        return false
    }

    /// Updates all contacts at the present positions, and wakes bodies that meet or part.
    mutating func update(_ solverBodies: inout [SolverBody]) {
        began.removeAll(keepingCapacity: true)
        ended.removeAll(keepingCapacity: true)
        var isAnyGone = false
        // Swapped out while it is worked on, so that the rest of the manager can be read meanwhile.
        var contacts: [ShapeContact] = []
        swap(&contacts, &list)
        for index in contacts.indices.reversed() {
            let (a, b) = (Int(contacts[index].bodyA), Int(contacts[index].bodyB))
            var isGone = !meets(contacts[index])
            if !isGone {
                guard solverBodies[a].isAwake || solverBodies[b].isAwake else { continue }
                isGone = !areNear(contacts[index])
            }
            guard isGone else {
                update(&contacts[index], &solverBodies)
                continue
            }
            isAnyGone = true
            if contacts[index].isTouching {
                reportEnd(
                    contacts[index], solverBodies[a].transform, solverBodies[b].transform)
                solverBodies[a].wake()
                solverBodies[b].wake()
            }
            contacts[index].second = ContactManager.gone
        }
        if isAnyGone { contacts.removeAll { $0.second == ContactManager.gone } }
        swap(&contacts, &list)
    }

    private static var gone: Int32 { -1 }

    /// Updates one contact, by number.
    mutating func update(_ number: Int, _ solverBodies: inout [SolverBody]) {
        var contact = list[number]
        update(&contact, &solverBodies)
        list[number] = contact
    }

    /// Updates a contact and its touching state.
    @inline(__always)
    private mutating func update(_ contact: inout ShapeContact, _ solverBodies: inout [SolverBody])
    {
        let (a, b) = (Int(contact.bodyA), Int(contact.bodyB))
        let (transformA, transformB) = (solverBodies[a].transform, solverBodies[b].transform)
        var manifold = manifold(contact, transformA, transformB)
        if manifold.count > 0 { manifold.inherit(from: contact.manifold) }
        let (touched, touches) = (contact.isTouching, manifold.count > 0)
        if touched && !touches { reportEnd(contact, transformA, transformB) }
        contact.manifold = manifold
        guard touches != touched else { return }
        if touches { began.append(touch(contact, transformA, transformB)) }
        solverBodies[a].wake()
        solverBodies[b].wake()
    }

    @inline(__always)
    private func manifold(_ contact: ShapeContact, _ transformA: Transform, _ transformB: Transform)
        -> Manifold
    {
        let second = shape(contact.second)
        switch contact.kind {
        case .boxes: return .boxes(shape(contact.first), transformA, second, transformB)
        case .boxAndCircle:
            return .boxAndCircle(shape(contact.first), transformA, second, transformB)
        case .circles: return .circles(shape(contact.first), transformA, second, transformB)
        case .edgeAndBox: return .edgeAndBox(edge(contact.first), second, transformB)
        case .edgeAndCircle: return .edgeAndCircle(edge(contact.first), second, transformB)
        }
    }

    func skins(_ contact: ShapeContact) -> (Double, Double) {
        let second = fixtures[Int(contact.second)].skin
        return (contact.isOnGround ? Tuning.skin : fixtures[Int(contact.first)].skin, second)
    }

    // MARK: Telling

    private mutating func reportEnd(
        _ contact: ShapeContact, _ transformA: Transform, _ transformB: Transform
    ) {
        var touch = touch(contact, transformA, transformB)
        touch.isOld = contact.wasTouching
        ended.append(touch)
    }

    private func touch(_ contact: ShapeContact, _ transformA: Transform, _ transformB: Transform)
        -> ContactChange
    {
        let (manifold, skins) = (contact.manifold, skins(contact))
        func seen(_ point: ManifoldPoint) -> Vector {
            manifold.middle(point.local, transformA, skins.0, transformB, skins.1).point
        }
        let first = seen(manifold.first)
        let point = manifold.count > 1 ? 0.5 * (first + seen(manifold.second)) : first
        return ContactChange(pair: pair(contact), point: point, isOld: false)
    }

    private func pair(_ contact: ShapeContact) -> ContactChange.Pair {
        guard contact.isOnGround else {
            let bodies = (Int32(contact.bodyA), Int32(contact.bodyB))
            return .items(min(bodies.0, bodies.1), max(bodies.0, bodies.1))
        }
        let chain = chains[chain(of: contact.first)]
        return .boundary(Int32(contact.bodyB), chain.behavior, ordinal: chain.ordinal)
    }

    /// Adds a solved contact's impulse to its pair's, if that began in this step.
    mutating func strengthen(by constraint: ContactConstraint) {
        let contact = list[Int(constraint.contact)]
        guard !contact.wasTouching else { return }
        let pair = pair(contact)
        guard let place = began.firstIndex(where: { $0.pair == pair }) else { return }
        began[place].impulse += constraint.strength
    }

    /// Keeps only changes of pairs: a group has several fixtures, a boundary several segments.
    ///
    /// A body that slides from one segment to the next touches the boundary all the time.
    mutating func mergeChanges() {
        if began.isEmpty && ended.isEmpty { return }
        var (before, now): ([ContactChange.Pair], [ContactChange.Pair]) = ([], [])
        for touch in ended where touch.isOld { before.append(touch.pair) }
        for index in list.indices {
            let contact = list[index]
            guard contact.wasTouching || contact.isTouching else { continue }
            let pair = pair(contact)
            if contact.wasTouching { before.append(pair) }
            if contact.isTouching { now.append(pair) }
            list[index].wasTouching = contact.isTouching
        }
        began = ContactManager.distinct(began, without: before)
        ended = ContactManager.distinct(ended, without: now)
    }

    /// One change for each pair that is not among others, in the pairs' order.
    private static func distinct(
        _ touches: [ContactChange], without others: [ContactChange.Pair]
    ) -> [ContactChange] {
        if touches.isEmpty { return [] }
        // For few pairs a linear search is faster than hashing.
        let known = touches.count * others.count > 4_096 ? Set(others) : nil
        let told = touches.filter { !(known?.contains($0.pair) ?? others.contains($0.pair)) }
            .sorted { $0.pair < $1.pair }
        return told.indices.filter { $0 == 0 || told[$0 - 1].pair != told[$0].pair }
            .map { told[$0] }
    }
}
