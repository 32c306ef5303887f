package import Geometry

/// What items were made of, and what behaviors set of it. Empty where nothing is out of the
/// ordinary, because most worlds are small and many.
struct Makeup: Hashable, Sendable, Codable {
    struct Original: Hashable, Sendable, Codable {
        let number: UInt32
        var material: Material
    }

    /// What a behavior set at one time.
    struct Write: Hashable, Sendable, Codable {
        let behavior: BehaviorID
        var items: [ItemID]
        var properties: ItemProperties
    }

    struct Record: Hashable, Sendable, Codable {
        let id: BehaviorID
        var behavior: ItemBehavior
    }

    /// Of items that are not of the standard material, by number.
    var originals: [Original] = []
    var records: [Record] = []
    /// In the order of their setting: the last one counts.
    var writes: [Write] = []

    /// An item's own material.
    func original(of number: UInt32) -> Material {
        originals.first { $0.number == number }?.material ?? Material()
    }

    mutating func note(_ material: Material, of number: UInt32) {
        originals.removeAll { $0.number == number }
        guard material != Material() else { return }
        originals.append(Original(number: number, material: material))
    }

    mutating func forget(_ item: ItemID) {
        originals.removeAll { $0.number == item.number }
        for place in records.indices {
            records[place].behavior.items.removeAll { $0 == item }
        }
        for place in writes.indices { writes[place].items.removeAll { $0 == item } }
    }

    /// With all that behaviors set.
    func material(of number: UInt32) -> Material {
        var material = original(of: number)
        for write in writes where write.items.contains(where: { $0.number == number }) {
            material.set(write.properties)
        }
        return material
    }
}

extension Animator {
    /// What items are made of; kept from the first that is out of the ordinary.
    var makeup: Makeup {
        get { makeupStore.first ?? Makeup() }
        _modify {
            if makeupStore.isEmpty { makeupStore.append(Makeup()) }
            yield &makeupStore[0]
        }
    }

    /// Keeps an item's own material where it is not the standard one.
    mutating func note(_ material: Material, of number: UInt32) {
        if makeupStore.isEmpty && material == Material() { return }
        makeup.note(material, of: number)
    }

    // MARK: Properties

    /// An item's material as it is now, behaviors and all.
    func material(ofBodyAt index: Int) -> Material { makeup.material(of: bodies[index].number) }

    /// Changes an item's own properties; those that a behavior sets stay as that sets them.
    package mutating func change(_ item: ItemID, _ properties: ItemProperties) {
        var material = makeup.original(of: item.number)
        material.set(properties)
        material.check()
        if let place = groups.firstIndex(where: { $0.number == item.number }) {
            groups[place].change(properties)
        }
        note(material, of: item.number)
        remake([item])
    }

    /// Gives items properties until it is removed.
    package mutating func add(_ behavior: ItemBehavior) -> BehaviorID {
        let id = nextBehavior()
        makeup.records.append(Makeup.Record(id: id, behavior: behavior))
        makeup.writes.append(
            Makeup.Write(
                behavior: id, items: behavior.items, properties: behavior.properties))
        take(behavior.items)
        remake(behavior.items)
        return id
    }

    /// Changes what a behavior sets: what differs counts as set last, the rest as it was set.
    package mutating func change(_ id: BehaviorID, to behavior: ItemBehavior) {
        guard let place = makeup.records.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("no item behavior \(id)")
        }
        let old = makeup.records[place].behavior
        makeup.records[place].behavior = behavior
        for write in makeup.writes.indices where makeup.writes[write].behavior == id {
            makeup.writes[write].items = behavior.items
            makeup.writes[write].properties =
                makeup.writes[write].properties.kept(in: behavior.properties)
        }
        makeup.writes.append(
            Makeup.Write(
                behavior: id, items: behavior.items,
                properties: behavior.properties.changed(from: old.properties)))
        makeup.writes.removeAll { $0.properties == ItemProperties() }
        take(behavior.items)
        for item in old.items { release(index(of: item)) }
        remake(old.items + behavior.items)
    }

    /// Takes an item behavior away. Returns whether the behavior is one.
    mutating func removeProperties(_ id: BehaviorID) -> Bool {
        guard let place = makeupStore.first?.records.firstIndex(where: { $0.id == id }) else {
            return false
        }
        let behavior = makeup.records.remove(at: place).behavior
        makeup.writes.removeAll { $0.behavior == id }
        for item in behavior.items { release(index(of: item)) }
        remake(behavior.items)
        return true
    }

    /// Makes bodies anew of what their items are made of now, and wakes those that it changed.
    private mutating func remake(_ items: [ItemID]) {
        var changed: [Int] = []
        for item in items {
            let index = index(of: item)
            if make(index, size: bodies[index].size) { changed.append(index) }
        }
        // Friction and elasticity are no body's, but of what touches.
        if changed.isEmpty { rebuildContacts() } else { bodiesMade(at: changed) }
    }

    /// Returns whether that changed anything of a body.
    private mutating func make(_ index: Int, size: Size) -> Bool {
        let before = bodies[index]
        let material = material(ofBodyAt: index)
        bodies[index].make(of: material, size: size)
        if !groups.isEmpty { weigh(index) }
        let isCharged = material.charge != chargeOfBody(at: index)
        if isCharged { charge(index, material.charge) }
        guard isCharged || bodies[index] != before else { return false }
        if bodies[index].anchored { putToSleep(index) }
        return true
    }

    /// After masses or sizes changed: what was reckoned with them is reckoned anew, once for all,
    /// because a crowd that touches is a lot to reckon.
    private mutating func bodiesMade(at changed: some Collection<Int>) {
        for index in changed { pushesChanged(on: ItemID(number: bodies[index].number)) }
        aimPushes()
        if !forceStore.isEmpty { gatherTargets() }
        rebuildContacts()
        for index in changed { wakeWithNeighbors(index) }
    }

    private func chargeOfBody(at index: Int) -> Double {
        forceStore.first?.charge(of: index) ?? 0
    }

    // MARK: Places

    /// Puts an item elsewhere, anchored or not; it keeps its velocity. Wakes what is tied to it.
    package mutating func place(_ item: ItemID, center: Vector, rotation: Double) {
        precondition(rotation.isFinite, "a rotation of \(rotation)")
        let index = index(of: item)
        bodies[index].center = center.reachable
        bodies[index].rotation = rotation
        if !groups.isEmpty {
            bodies[index].rotation -= turn(item)
            let arm = bodies[index].point(at: held(item, .zero)) - bodies[index].center
            bodies[index].center -= arm
        }
        wakeWithNeighbors(index)
    }

    /// Gives an item another size about its center: its mass changes with it, offsets of
    /// attachments do not, and a snap holds the new corners.
    package mutating func resize(_ item: ItemID, to size: Size) {
        let index = index(of: item)
        precondition(group(ofBodyAt: index) == nil, "a group has the size of its items")
        if make(index, size: size) { bodiesMade(at: CollectionOfOne(index)) }
        let half = Vector(bodies[index].size.width / 2, bodies[index].size.height / 2)
        for place in bodies[index].jointRange where joints[place].arm != .zero {
            joints[place].stretch(to: half)
        }
    }

    /// Wakes a body, and if it does not move itself, those that are tied to it.
    mutating func wakeWithNeighbors(_ index: Int) {
        wake(index)
        wakeTouched(by: index)
        for link in links where link.ties(index) {
            if case .body(let first) = link.first { wake(Int(first)) }
            wake(Int(link.second))
        }
    }

    /// Puts all items to rest where they are. Behaviors stay, and what disturbs an item wakes it.
    package mutating func rest() {
        for index in bodies.indices { putToSleep(index) }
    }

    // MARK: Removing

    /// The behaviors that tie an item: its attachments, snaps and pins, the oldest first.
    package func behaviors(tying item: ItemID) -> [BehaviorID] {
        let index = index(of: item)
        var numbers = Set(joints[bodies[index].jointRange].map(\.behavior.number))
        for link in links where link.ties(index) { numbers.insert(link.behavior.number) }
        return numbers.sorted().map { BehaviorID(number: $0) }
    }

    /// Takes an item out, with the behaviors that tie it; their ids are then no more.
    ///
    /// Other behaviors lose it from their items and stay, even without any.
    package mutating func remove(_ item: ItemID) {
        let index = index(of: item)
        precondition(bodies[index].number == item.number, "an item of a group")
        groups.removeAll { $0.number == item.number }
        for behavior in behaviors(tying: item) { remove(behavior) }
        for place in pushes.indices { pushes[place].push.items.removeAll { $0 == item } }
        if !makeupStore.isEmpty { makeup.forget(item) }
        if !forceStore.isEmpty { forces.forget(item, at: index) }
        putToSleep(index)
        bodies.remove(at: index)
        for place in links.indices { links[place].bodyRemoved(at: index) }
        forgetContacts(item, at: index)
        if !forceStore.isEmpty { gatherTargets() }
    }
}

extension Joint {
    /// Holds the corner of another size, if it is a snap's.
    mutating func stretch(to half: Vector) {
        let point = ground - arm
        let reach = arm - offset
        offset = Vector(offset.x < 0 ? -half.x : half.x, offset.y < 0 ? -half.y : half.y)
        arm = offset + reach
        ground = point + arm
    }
}

extension Link {
    /// The bodies after a removed one move up by a place.
    mutating func bodyRemoved(at index: Int) {
        if second > index { second -= 1 }
        if case .body(let place) = first, place > index { first = .body(place - 1) }
    }
}

extension Forces {
    mutating func forget(_ item: ItemID, at index: Int) {
        for place in fields.indices { fields[place].field.items.removeAll { $0 == item } }
        for place in gravities.indices {
            gravities[place].gravity.items.removeAll { $0 == item }
        }
        if index < charges.count { charges.remove(at: index) }
        targets.removeAll { $0.body == Int32(index) }
        for place in targets.indices where targets[place].body > index {
            targets[place].body -= 1
        }
    }
}
