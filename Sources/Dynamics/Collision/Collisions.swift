import Geometry

/// The collisions of a world and what touches in them. Only worlds with collisions keep one.
struct Collisions: Hashable, Sendable, Codable {
    struct Record: Hashable, Sendable, Codable {
        let id: BehaviorID
        var collision: Collision
        /// Of the masks that say who meets whom.
        let bit: UInt64
    }

    var records: [Record] = []
    var contacts = Contacts()
    /// What the last step told: who began to touch, then who ceased to.
    var events: [ContactEvent] = []

    /// A bit that no collision has.
    var freeBit: UInt64 {
        let taken = records.reduce(0) { $0 | $1.bit }
        precondition(taken != .max, "more than \(Tuning.collisionsMax) collisions")
        return ~taken & (taken &+ 1)
    }
}

extension Animator {
    /// Who began to touch in the last step, then who ceased to; each in the order of the items'
    /// age, of an item those with items before those with boundaries.
    package var contacts: [ContactEvent] { collisionStore.first?.events ?? [] }

    /// Lets items collide from the next step on.
    package mutating func add(_ collision: Collision) -> BehaviorID {
        let id = nextBehavior()
        if collisionStore.isEmpty { collisionStore.append(Collisions()) }
        let bit = collisionStore[0].freeBit
        collisionStore[0].records.append(
            Collisions.Record(id: id, collision: collision, bit: bit))
        take(collision.items)
        rebuildContacts()
        return id
    }

    /// Changes a collision while it acts, and wakes its items. What touches and still may, goes
    /// on touching.
    package mutating func change(_ id: BehaviorID, to collision: Collision) {
        guard let place = collisionStore.first?.records.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("no collision \(id)")
        }
        let old = collisionStore[0].records[place].collision
        collisionStore[0].records[place].collision = collision
        take(collision.items)
        for item in old.items { release(index(of: item)) }
        rebuildContacts()
    }

    /// Takes a collision away. Returns whether the behavior is one.
    mutating func removeCollision(_ id: BehaviorID) -> Bool {
        guard let place = collisionStore.first?.records.firstIndex(where: { $0.id == id }) else {
            return false
        }
        let record = collisionStore[0].records.remove(at: place)
        for item in record.collision.items { release(index(of: item)) }
        rebuildContacts()
        if collisionStore[0].records.isEmpty { collisionStore = [] }
        return true
    }

    // MARK: Changes

    /// After an item was made anew, or a collision changed: who may touch whom, and with what.
    ///
    /// `places` tells where a body that was at a place is now.
    mutating func rebuildContacts(places: (Int32) -> Int32? = { $0 }) {
        guard !collisionStore.isEmpty else { return }
        let records = collisionStore[0].records
        var items = [UInt64](repeating: 0, count: bodies.count)
        var boundaries = items
        var chains: [Chain] = []
        for record in records {
            for item in record.collision.items {
                let index = index(of: item)
                if record.collision.isAmongItems { items[index] |= record.bit }
                if record.collision.isAmongBoundaries { boundaries[index] |= record.bit }
            }
            guard record.collision.isAmongBoundaries else { continue }
            for (ordinal, boundary) in record.collision.boundaries.enumerated() {
                chains.append(
                    Chain(
                        behavior: record.id, ordinal: Int32(ordinal), among: record.bit,
                        path: boundary.path))
            }
        }
        let (parts, poses) = parts(items, boundaries)
        let left = collisionStore[0].contacts.replace(
            parts: parts, poses: poses, chains: chains, places: places)
        for index in left { wake(Int(index)) }
    }

    /// The parts of all bodies that may touch, and where they stand on them; the latter is empty
    /// where every body is of one part.
    private func parts(_ items: [UInt64], _ boundaries: [UInt64]) -> ([Part], [Pose]) {
        var parts: [Part] = []
        var poses: [Pose] = []
        parts.reserveCapacity(bodies.count)
        for index in bodies.indices where items[index] | boundaries[index] != 0 {
            guard let group = group(ofBodyAt: index) else {
                parts.append(
                    Part(
                        bodies[index].shape, size: bodies[index].size, of: index,
                        material(ofBodyAt: index), amongItems: items[index],
                        amongBoundaries: boundaries[index]))
                if !groups.isEmpty { poses.append(.identity) }
                continue
            }
            for (ordinal, member) in group.members.enumerated() {
                parts.append(
                    Part(
                        member.shape, size: member.size, of: index, ordinal: ordinal,
                        material(of: member, in: group), amongItems: items[index],
                        amongBoundaries: boundaries[index]))
                poses.append(member.pose)
            }
        }
        return (parts, poses)
    }

    /// Takes an item out of the collisions, whose body is no more.
    mutating func forgetContacts(_ item: ItemID, at index: Int) {
        guard !collisionStore.isEmpty else { return }
        for place in collisionStore[0].records.indices {
            collisionStore[0].records[place].collision.items.removeAll { $0 == item }
        }
        rebuildContacts { old in
            old == Int32(index) ? nil : old > Int32(index) ? old - 1 : old
        }
    }

    /// After a body was put elsewhere by hand: wakes what it leaves and what it comes to.
    mutating func wakeTouched(by index: Int) {
        guard !collisionStore.isEmpty else { return }
        let contacts = collisionStore[0].contacts
        for contact in contacts.list
        where contact.bodyB == Int16(index)
            || (contact.bodyA == Int16(index) && !contact.isOnGround)
        {
            if !contact.isOnGround { wake(Int(contact.bodyA)) }
            wake(Int(contact.bodyB))
        }
        let pose = Pose(center: bodies[index].center, rotation: bodies[index].rotation)
        for (number, part) in contacts.parts.enumerated() where part.body == Int32(index) {
            collisionStore[0].contacts.parts[number].room = .nothing
            let bounds = contacts.piece(Int32(number)).bounds(at: pose)
                .grown(by: Tuning.roomMargin)
            for other in contacts.parts where other.room.bounds.touches(bounds) {
                wake(Int(other.body))
            }
        }
    }

    // MARK: Stepping

    /// Finds what touches where the bodies stand, and wakes who is met or left.
    mutating func detectContacts(
        _ contacts: inout Contacts, _ movers: inout [Mover], _ poses: [Pose]
    ) {
        contacts.takeGround(bodies.count)
        // All that moved by itself was followed to where it is.
        if contacts.parts.contains(where: { $0.room == .nothing }) {
            contacts.follow(&movers, from: poses)
        }
        contacts.update(&movers, poses)
        for index in bodies.indices where movers[index].isAwake { wake(index) }
    }

    /// Follows the bodies to where they went, stops them at what they hit on the way, and tells.
    mutating func finishContacts(
        _ contacts: inout Contacts, _ movers: inout [Mover], _ poses: [Pose], _ starts: [Mover]
    ) {
        for index in bodies.indices { movers[index] = Mover(bodies[index]) }
        contacts.follow(&movers, from: poses)
        contacts.stopAtImpacts(&movers, from: starts)
        for index in bodies.indices where movers[index].isAwake {
            wake(index)
            bodies[index].take(movers[index])
        }
        contacts.settleTouches()
        if contacts.began.isEmpty && contacts.ended.isEmpty { return }
        let began = contacts.began.map { event(.began, $0) }
        collisionStore[0].events = began + contacts.ended.map { event(.ended, $0) }
        (contacts.began, contacts.ended) = ([], [])
    }

    private func event(_ phase: ContactEvent.Phase, _ touch: Touch) -> ContactEvent {
        func item(_ body: Int32) -> ItemID { ItemID(number: bodies[Int(body)].number) }
        let parties: ContactEvent.Parties =
            switch touch.pair {
            case .items(let a, let b): .items(item(a), item(b))
            case .boundary(let body, let behavior, let ordinal):
                .boundary(item(body), boundary(behavior, ordinal).id)
            }
        return ContactEvent(phase: phase, parties: parties, point: touch.point)
    }

    private func boundary(_ behavior: BehaviorID, _ ordinal: Int32) -> Boundary {
        guard let record = collisionStore[0].records.first(where: { $0.id == behavior }) else {
            preconditionFailure("no collision \(behavior)")
        }
        return record.collision.boundaries[Int(ordinal)]
    }
}
