import Geometry

/// All that touches in a world, from step to step.
///
/// Contacts stand in the order in which they were made, and those made at once in the order of
/// their parts, so nothing depends on a hash.
struct Contacts: Hashable, Sendable, Codable {
    /// By body; boundaries come after them.
    var parts: [Part] = []
    /// Where the parts stand on their bodies; empty where each is in its body's middle.
    private var poses: [Pose] = []
    var chains: [Chain] = []
    var list: [Contact] = []
    /// The ground's place among the movers.
    private var ground: Int16 = -1
    /// What the step at hand has to tell; nothing between two steps.
    var began: [Touch] = []
    var ended: [Touch] = []
    init() {}

    private enum CodingKeys: String, CodingKey { case parts, poses, chains, list, ground }

    var edgeCount: Int { chains.last.map { Int($0.firstEdge) + $0.edgeCount } ?? 0 }

    /// The chain of an edge, by the edge's number.
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

    /// A part as it touches.
    @inline(__always)
    func piece(_ number: Int32) -> Piece {
        let part = parts[Int(number)]
        return Piece(
            kind: part.kind, half: part.half, pose: poses.isEmpty ? .identity : poses[Int(number)])
    }

    // MARK: Changes

    /// Takes other parts and chains. What touched and still may, goes on touching.
    ///
    /// `places` tells where a body that was at a place is now, if it still is. Returns the
    /// bodies, by their new places, that lost what they touched.
    mutating func replace(
        parts newParts: [Part], poses newPoses: [Pose], chains newChains: [Chain],
        places: (Int32) -> Int32?
    ) -> [Int32] {
        let old = self
        parts = newParts
        poses = newPoses
        chains = newChains
        var edges: Int32 = 0
        for index in chains.indices {
            chains[index].firstEdge = edges
            edges += Int32(chains[index].edgeCount)
        }
        var left: [Int32] = []
        list = []
        for var contact in old.list {
            let second = part(old.parts[Int(contact.second)], places)
            let first =
                contact.isOnGround
                ? edge(contact.first, of: old)
                : part(old.parts[Int(contact.first)], places)
            guard let first, let second else {
                guard contact.isTouching else { continue }
                if !contact.isOnGround { left += [Int32(contact.bodyA)].compactMap(places) }
                left += [Int32(contact.bodyB)].compactMap(places)
                continue
            }
            (contact.first, contact.second) = (first, second)
            if !contact.isOnGround { contact.bodyA = Int16(parts[Int(first)].body) }
            contact.bodyB = Int16(parts[Int(second)].body)
            list.append(contact)
        }
        return left
    }

    /// The part that is now what a part was: however it has changed, of the same body and kind.
    private func part(_ old: Part, _ places: (Int32) -> Int32?) -> Int32? {
        guard let body = places(old.body) else { return nil }
        return parts.firstIndex {
            $0.body == body && $0.ordinal == old.ordinal && $0.kind == old.kind
        }.map { Int32($0) }
    }

    private func edge(_ number: Int32, of old: Contacts) -> Int32? {
        let was = old.chains[old.chain(of: number)]
        return chains.first {
            $0.behavior == was.behavior && $0.ordinal == was.ordinal && $0.points == was.points
        }.map { $0.firstEdge + number - was.firstEdge }
    }

    // MARK: Meeting

    func meets(_ contact: Contact) -> Bool {
        let second = parts[Int(contact.second)]
        if contact.isOnGround {
            return chains[chain(of: contact.first)].among & second.amongBoundaries != 0
        }
        return parts[Int(contact.first)].amongItems & second.amongItems != 0
    }

    /// Whether both are in each other's room, without which they cannot touch.
    func areNear(_ contact: Contact) -> Bool {
        let room = parts[Int(contact.second)].room.bounds
        if contact.isOnGround {
            let chain = chains[chain(of: contact.first)]
            let bounds = chain.bounds(of: Int(contact.first - chain.firstEdge))
            return room.touches(bounds.grown(by: Tuning.roomMargin))
        }
        return room.touches(parts[Int(contact.first)].room.bounds)
    }

    /// The ground is the last of the movers, of which there may be more or fewer than before.
    mutating func takeGround(_ place: Int) {
        guard ground != Int16(place) else { return }
        ground = Int16(place)
        for index in list.indices where list[index].isOnGround { list[index].bodyA = ground }
    }

    /// Whether a contact's first mover is the ground, as it was when that was last looked at.
    func isGround(_ body: Int16) -> Bool { body == ground }

    /// Whether the parts, rooms aside, are those of another and stand where those do.
    func hasSameParts(as other: Contacts) -> Bool {
        parts.count == other.parts.count && poses == other.poses
            && zip(parts, other.parts).allSatisfy { $0.isLike($1) }
    }

    // MARK: Touching

    var areTouching: Bool {
        for index in list.indices where list[index].isTouching { return true }
        return false
    }

    /// Looks at all contacts where the bodies stand, and wakes who meets or leaves another.
    mutating func update(_ movers: inout [Mover], _ poses: [Pose]) {
        began.removeAll(keepingCapacity: true)
        ended.removeAll(keepingCapacity: true)
        var isAnyGone = false
        for index in list.indices.reversed() {
            let (a, b) = (Int(list[index].bodyA), Int(list[index].bodyB))
            var isGone = !meets(list[index])
            if !isGone {
                guard movers[a].isAwake || movers[b].isAwake else { continue }
                isGone = !areNear(list[index])
            }
            guard isGone else {
                update(index, &movers, poses[a], poses[b])
                continue
            }
            isAnyGone = true
            if list[index].isTouching {
                tellEnd(index, poses[a], poses[b])
                movers[a].wake()
                movers[b].wake()
            }
            list[index].second = Contacts.gone
        }
        if isAnyGone { list.removeAll { $0.second == Contacts.gone } }
    }

    private static var gone: Int32 { -1 }

    /// Looks at one contact. Whether it is touching is in the list.
    mutating func update(_ index: Int, _ movers: inout [Mover], _ poseA: Pose, _ poseB: Pose) {
        var manifold = manifold(list[index], poseA, poseB)
        if manifold.count > 0 { manifold.inherit(from: list[index].manifold) }
        let (touched, touches) = (list[index].isTouching, manifold.count > 0)
        if touched && !touches { tellEnd(index, poseA, poseB) }
        list[index].manifold = manifold
        guard touches != touched else { return }
        if touches { began.append(touch(list[index], poseA, poseB)) }
        movers[Int(list[index].bodyA)].wake()
        movers[Int(list[index].bodyB)].wake()
    }

    @inline(__always)
    private func manifold(_ contact: Contact, _ poseA: Pose, _ poseB: Pose) -> Manifold {
        let second = piece(contact.second)
        switch contact.kind {
        case .boxes: return .boxes(piece(contact.first), poseA, second, poseB)
        case .boxAndCircle: return .boxAndCircle(piece(contact.first), poseA, second, poseB)
        case .circles: return .circles(piece(contact.first), poseA, second, poseB)
        case .edgeAndBox: return .edgeAndBox(edge(contact.first), second, poseB)
        case .edgeAndCircle: return .edgeAndCircle(edge(contact.first), second, poseB)
        }
    }

    func skins(_ contact: Contact) -> (Double, Double) {
        let second = piece(contact.second).skin
        return (contact.isOnGround ? Tuning.skin : piece(contact.first).skin, second)
    }

    // MARK: Telling

    private mutating func tellEnd(_ index: Int, _ poseA: Pose, _ poseB: Pose) {
        var touch = touch(list[index], poseA, poseB)
        touch.isOld = list[index].wasTouching
        ended.append(touch)
    }

    private func touch(_ contact: Contact, _ poseA: Pose, _ poseB: Pose) -> Touch {
        let (manifold, skins) = (contact.manifold, skins(contact))
        func seen(_ point: ManifoldPoint) -> Vector {
            manifold.middle(point.local, poseA, skins.0, poseB, skins.1).point
        }
        let first = seen(manifold.first)
        let point = manifold.count > 1 ? 0.5 * (first + seen(manifold.second)) : first
        return Touch(pair: pair(contact), point: point, isOld: false)
    }

    private func pair(_ contact: Contact) -> Touch.Pair {
        guard contact.isOnGround else {
            let bodies = (Int32(contact.bodyA), Int32(contact.bodyB))
            return .items(min(bodies.0, bodies.1), max(bodies.0, bodies.1))
        }
        let chain = chains[chain(of: contact.first)]
        return .boundary(Int32(contact.bodyB), chain.behavior, ordinal: chain.ordinal)
    }

    /// Leaves of what began and ended only what did so for a pair, not for a part of it.
    ///
    /// A body that slides from one piece of a boundary to the next touches it all the time.
    mutating func settleTouches() {
        if began.isEmpty && ended.isEmpty { return }
        var (before, now): (Set<Touch.Pair>, Set<Touch.Pair>) = ([], [])
        for touch in ended where touch.isOld { before.insert(touch.pair) }
        for index in list.indices {
            let contact = list[index]
            guard contact.wasTouching || contact.isTouching else { continue }
            let pair = pair(contact)
            if contact.wasTouching { before.insert(pair) }
            if contact.isTouching { now.insert(pair) }
            list[index].wasTouching = contact.isTouching
        }
        began = Contacts.distinct(began) { !before.contains($0) }
        ended = Contacts.distinct(ended) { !now.contains($0) }
    }

    /// One of each pair, in the pairs' order.
    private static func distinct(
        _ touches: [Touch], where isTold: (Touch.Pair) -> Bool
    ) -> [Touch] {
        var told: Set<Touch.Pair> = []
        return touches.filter { isTold($0.pair) && told.insert($0.pair).inserted }
            .sorted { $0.pair < $1.pair }
    }
}
