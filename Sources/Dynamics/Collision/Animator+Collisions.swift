extension Animator {
    /// The contacts that began in the last step, then those that ended. Each in the order of the
    /// items' ages; an item's contacts with items come before those with boundaries.
    package var contacts: [ContactEvent] {
        collisionsBox.isEmpty ? [] : collisionsBox.unwrapped.events
    }

    /// Adds a collision, which acts from the next step on.
    package mutating func add(_ collision: Collision) -> BehaviorID {
        let id = nextBehavior()
        collisionsBox.fill(Collisions())
        let bit = collisionsBox.unwrapped.freeBit
        collisionsBox.unwrapped.records.append(
            Collisions.Record(id: id, collision: collision, bit: bit))
        retainItems(collision.items)
        rebuildContacts()
        return id
    }

    /// Changes a collision and wakes its items. Contacts that are still possible continue.
    package mutating func change(_ id: BehaviorID, to collision: Collision) {
        guard let place = collisionsBox.value?.records.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("no collision \(id)")
        }
        let old = collisionsBox.unwrapped.records[place].collision
        collisionsBox.unwrapped.records[place].collision = collision
        retainItems(collision.items)
        releaseItems(old.items)
        rebuildContacts()
    }

    /// Removes a collision. Returns false if the id is of another kind of behavior.
    mutating func removeCollision(_ id: BehaviorID) -> Bool {
        guard let place = collisionsBox.value?.records.firstIndex(where: { $0.id == id }) else {
            return false
        }
        let record = collisionsBox.unwrapped.records.remove(at: place)
        releaseItems(record.collision.items)
        rebuildContacts()
        if collisionsBox.unwrapped.records.isEmpty { collisionsBox.value = nil }
        return true
    }

    // MARK: Changes

    /// Rebuilds fixtures and boundaries after a change of items, materials or collisions.
    ///
    /// `places` maps a body's former index to its present one; nil if it was removed.
    mutating func rebuildContacts(places: (Int32) -> Int32? = { $0 }) {
        guard !collisionsBox.isEmpty else { return }
        let records = collisionsBox.unwrapped.records
        var items = [UInt64](repeating: 0, count: bodies.count)
        var boundaries = items
        var chains: [ChainShape] = []
        for record in records {
            for item in record.collision.items {
                let index = index(of: item)
                if record.collision.meetsItems { items[index] |= record.bit }
                if record.collision.meetsBoundaries { boundaries[index] |= record.bit }
            }
            guard record.collision.meetsBoundaries else { continue }
            for (ordinal, boundary) in record.collision.boundaries.enumerated() {
                chains.append(
                    ChainShape(
                        behavior: record.id, ordinal: Int32(ordinal), mask: record.bit,
                        path: boundary.path))
            }
        }
        let (fixtures, transforms) = fixtures(items, boundaries)
        let left = collisionsBox.unwrapped.contacts.replace(
            fixtures: fixtures, transforms: transforms, chains: chains, places: places)
        for index in left { wake(Int(index)) }
    }

    /// The fixtures of all bodies in collisions, and their transforms within their bodies. No
    /// transforms if no body is a group.
    private func fixtures(_ items: [UInt64], _ boundaries: [UInt64]) -> ([Fixture], [Transform]) {
        var fixtures: [Fixture] = []
        var transforms: [Transform] = []
        fixtures.reserveCapacity(bodies.count)
        for index in bodies.indices where items[index] | boundaries[index] != 0 {
            guard let group = group(ofBodyAt: index) else {
                fixtures.append(
                    Fixture(
                        bodies[index].shape, size: bodies[index].size, of: index,
                        material(ofBodyAt: index), itemMask: items[index],
                        boundaryMask: boundaries[index]))
                if !groups.isEmpty { transforms.append(.identity) }
                continue
            }
            for (ordinal, member) in group.members.enumerated() {
                fixtures.append(
                    Fixture(
                        member.shape, size: member.size, of: index, ordinal: ordinal,
                        material(of: member, in: group), itemMask: items[index],
                        boundaryMask: boundaries[index]))
                transforms.append(member.transform)
            }
        }
        return (fixtures, transforms)
    }

    /// Removes an item whose body was removed.
    mutating func forgetContacts(_ item: ItemID, at index: Int) {
        guard !collisionsBox.isEmpty else { return }
        for place in collisionsBox.unwrapped.records.indices {
            collisionsBox.unwrapped.records[place].collision.items.removeAll { $0 == item }
        }
        rebuildContacts { old in
            old == Int32(index) ? nil : old > Int32(index) ? old - 1 : old
        }
    }

    /// Wakes the bodies that an item leaves and meets, after it was moved by a caller.
    mutating func wakeTouched(by index: Int) {
        guard !collisionsBox.isEmpty else { return }
        let contacts = collisionsBox.unwrapped.contacts
        for contact in contacts.list
        where contact.bodyB == Int16(index)
            || (contact.bodyA == Int16(index) && !contact.isOnGround)
        {
            if !contact.isOnGround { wake(Int(contact.bodyA)) }
            wake(Int(contact.bodyB))
        }
        let transform = Transform(center: bodies[index].center, rotation: bodies[index].rotation)
        for (number, fixture) in contacts.fixtures.enumerated() where fixture.body == Int32(index) {
            collisionsBox.unwrapped.contacts.fixtures[number].fatAABB = .nothing
            let aabb = contacts.shape(Int32(number)).aabb(at: transform)
                .grown(by: Tuning.aabbMargin)
            for other in contacts.fixtures where other.fatAABB.aabb.touches(aabb) {
                wake(Int(other.body))
            }
        }
    }

    // MARK: Stepping

    /// Finds the touching pairs at the present positions, and wakes bodies that meet or part.
    mutating func detectContacts(
        _ contacts: inout ContactManager, _ solverBodies: inout [SolverBody]
    ) {
        contacts.setGround(bodies.count)
        // Bodies that moved by themselves have a fat AABB already.
        if contacts.fixtures.contains(where: { $0.fatAABB == .nothing }) {
            contacts.follow(&solverBodies, from: solverBodies)
        }
        contacts.update(&solverBodies)
        for index in bodies.indices where solverBodies[index].isAwake { wake(index) }
    }

    /// Updates fat AABBs after the movement, stops bodies at impacts, and records contact events.
    mutating func finishContacts(
        _ contacts: inout ContactManager, _ solverBodies: inout [SolverBody],
        _ starts: [SolverBody]
    ) {
        Animator.copy(bodies, to: &solverBodies)
        contacts.follow(&solverBodies, from: starts)
        contacts.stopAtImpacts(&solverBodies, from: starts)
        for index in bodies.indices where solverBodies[index].isAwake {
            wake(index)
            bodies[index].setMotion(solverBodies[index])
        }
        contacts.mergeChanges()
        if contacts.began.isEmpty && contacts.ended.isEmpty { return }
        let began = contacts.began.map { event(.began, $0) }
        collisionsBox.unwrapped.events = began + contacts.ended.map { event(.ended, $0) }
        (contacts.began, contacts.ended) = ([], [])
    }

    private static func copy(_ bodies: [Body], to solverBodies: inout [SolverBody]) {
        var solverBodies = solverBodies.mutableSpan
        for index in bodies.indices { solverBodies[index].setMotion(bodies[index]) }
    }

    private func event(_ phase: ContactEvent.Phase, _ touch: ContactChange) -> ContactEvent {
        func item(_ body: Int32) -> ItemID { ItemID(number: bodies[Int(body)].number) }
        let parties: ContactEvent.Parties =
            switch touch.pair {
            case .items(let a, let b): .items(item(a), item(b))
            case .boundary(let body, let behavior, let ordinal):
                .boundary(item(body), boundary(behavior, ordinal).id)
            }
        return ContactEvent(
            phase: phase, parties: parties, point: touch.point,
            impulse: phase == .began ? touch.impulse : nil)
    }

    private func boundary(_ behavior: BehaviorID, _ ordinal: Int32) -> Boundary {
        guard let record = collisionsBox.unwrapped.records.first(where: { $0.id == behavior })
        else {
            preconditionFailure("no collision \(behavior)")
        }
        return record.collision.boundaries[Int(ordinal)]
    }
}
