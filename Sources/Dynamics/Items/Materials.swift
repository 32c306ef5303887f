package import Geometry

/// The items' own materials, and the properties that behaviors set on them.
struct Materials: Hashable, Sendable, Codable {
    struct Original: Hashable, Sendable, Codable {
        let number: UInt32
        var material: Material
    }

    /// The properties that a behavior set at one time.
    struct Write: Hashable, Sendable, Codable {
        let behavior: BehaviorID
        var items: [ItemID]
        var properties: ItemProperties
    }

    struct Record: Hashable, Sendable, Codable {
        let id: BehaviorID
        var behavior: ItemBehavior
    }

    /// Own materials that differ from the standard one, by item number.
    var originals: [Original] = []
    var records: [Record] = []
    /// In the order in which they were set. The last write wins.
    var writes: [Write] = []

    /// The item's material without behaviors.
    func original(of number: UInt32) -> Material {
        originals.first { $0.number == number }?.material ?? Material()
    }

    mutating func recordMaterial(_ material: Material, of number: UInt32) {
        originals.removeAll { $0.number == number }
        guard material != Material() else { return }
        originals.append(Original(number: number, material: material))
    }

    mutating func removeItem(_ item: ItemID) {
        originals.removeAll { $0.number == item.number }
        for place in records.indices {
            records[place].behavior.items.removeAll { $0 == item }
        }
        for place in writes.indices { writes[place].items.removeAll { $0 == item } }
    }

    /// The item's material with every property that behaviors set.
    func material(of number: UInt32) -> Material {
        var material = original(of: number)
        for write in writes where write.items.contains(where: { $0.number == number }) {
            material.set(write.properties)
        }
        return material
    }
}

extension Animator {
    /// The materials. Writing creates them; reading an animator without them gives empty ones.
    var materials: Materials {
        get { materialsBox.value ?? Materials() }
        _modify {
            materialsBox.fill(Materials())
            yield &materialsBox.unwrapped
        }
    }

    /// Records an item's own material, if it differs from the standard one.
    mutating func recordMaterial(_ material: Material, of number: UInt32) {
        if materialsBox.isEmpty && material == Material() { return }
        materials.recordMaterial(material, of: number)
    }

    // MARK: Properties

    /// The material that a body has now, including behaviors.
    func material(ofBodyAt index: Int) -> Material { materials.material(of: bodies[index].number) }

    /// Changes an item's own properties. A property that a behavior sets stays as the behavior sets
    /// it.
    package mutating func change(_ item: ItemID, _ properties: ItemProperties) {
        var material = materials.original(of: item.number)
        material.set(properties)
        material.check()
        if let place = groups.firstIndex(where: { $0.number == item.number }) {
            groups[place].change(properties)
        }
        recordMaterial(material, of: item.number)
        rebuildBodies([item])
    }

    /// Sets properties on items until the behavior is removed.
    package mutating func add(_ behavior: ItemBehavior) -> BehaviorID {
        let id = nextBehavior()
        materials.records.append(Materials.Record(id: id, behavior: behavior))
        materials.writes.append(
            Materials.Write(
                behavior: id, items: behavior.items, properties: behavior.properties))
        retainItems(behavior.items)
        rebuildBodies(behavior.items)
        return id
    }

    /// Changes what a behavior sets. A value that differs counts as set last; the others keep their
    /// place in the order.
    package mutating func change(_ id: BehaviorID, to behavior: ItemBehavior) {
        guard let place = materials.records.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("no item behavior \(id)")
        }
        let old = materials.records[place].behavior
        materials.records[place].behavior = behavior
        for write in materials.writes.indices where materials.writes[write].behavior == id {
            materials.writes[write].items = behavior.items
            materials.writes[write].properties =
                materials.writes[write].properties.kept(in: behavior.properties)
        }
        materials.writes.append(
            Materials.Write(
                behavior: id, items: behavior.items,
                properties: behavior.properties.changed(from: old.properties)))
        materials.writes.removeAll { $0.properties == ItemProperties() }
        retainItems(behavior.items)
        releaseItems(old.items)
        rebuildBodies(old.items + behavior.items)
    }

    /// Removes an item behavior. Returns false if the id is of another kind of behavior.
    mutating func removeProperties(_ id: BehaviorID) -> Bool {
        guard let place = materialsBox.value?.records.firstIndex(where: { $0.id == id }) else {
            return false
        }
        let behavior = materials.records.remove(at: place).behavior
        materials.writes.removeAll { $0.behavior == id }
        releaseItems(behavior.items)
        rebuildBodies(behavior.items)
        return true
    }

    /// Applies the items' present materials to their bodies, and wakes the bodies that changed.
    private mutating func rebuildBodies(_ items: [ItemID]) {
        var changed: [Int] = []
        for item in items {
            let index = index(of: item)
            if rebuildBody(index, size: bodies[index].size) { changed.append(index) }
        }
        // Friction and elasticity belong to contacts, not to bodies.
        if changed.isEmpty { rebuildContacts() } else { bodiesChanged(at: changed) }
    }

    /// Returns whether anything of the body changed.
    private mutating func rebuildBody(_ index: Int, size: Size) -> Bool {
        let before = bodies[index]
        let material = material(ofBodyAt: index)
        bodies[index].setMaterial(material, size: size)
        if !groups.isEmpty { updateMass(index) }
        let isCharged = material.charge != chargeOfBody(at: index)
        if isCharged { charge(index, material.charge) }
        guard isCharged || bodies[index] != before else { return false }
        if bodies[index].anchored { putToSleep(index) }
        return true
    }

    /// Recomputes what depends on masses and sizes. Once for all bodies, because contacts are
    /// rebuilt.
    private mutating func bodiesChanged(at changed: some Collection<Int>) {
        for index in changed { updatePushAcceleration(on: ItemID(number: bodies[index].number)) }
        updateOffCenterPushes()
        if !forcesBox.isEmpty { rebuildTargets() }
        rebuildContacts()
        for index in changed { wakeWithNeighbors(index) }
    }

    private func chargeOfBody(at index: Int) -> Double {
        forcesBox.value?.charge(of: index) ?? 0
    }

    // MARK: Places

    /// Moves an item to a place, anchored or not. It keeps its velocity. Wakes the bodies coupled
    /// to it.
    package mutating func place(_ item: ItemID, center: Vector, rotation: Double) {
        precondition(rotation.isFinite, "a rotation of \(rotation)")
        let index = index(of: item)
        bodies[index].center = center.reachable
        bodies[index].rotation = rotation
        if !groups.isEmpty {
            bodies[index].rotation -= rotationOnBody(item)
            let arm = bodies[index].point(at: bodyPoint(item, .zero)) - bodies[index].center
            bodies[index].center -= arm
        }
        wakeWithNeighbors(index)
    }

    /// Resizes an item about its center. Its mass changes; offsets of attachments stay; a snap
    /// moves to the new corners.
    package mutating func resize(_ item: ItemID, to size: Size) {
        let index = index(of: item)
        precondition(group(ofBodyAt: index) == nil, "a group has the size of its items")
        if rebuildBody(index, size: size) { bodiesChanged(at: CollectionOfOne(index)) }
        let half = Vector(bodies[index].size.width / 2, bodies[index].size.height / 2)
        for place in bodies[index].groundJointRange where groundJoints[place].arm != .zero {
            groundJoints[place].stretch(to: half)
        }
    }

    /// Wakes a body and the bodies that joints or contacts couple to it.
    mutating func wakeWithNeighbors(_ index: Int) {
        wake(index)
        wakeTouched(by: index)
        for joint in joints where joint.ties(index) {
            if case .body(let first) = joint.first { wake(Int(first)) }
            wake(Int(joint.second))
        }
    }

    /// Puts all items to sleep where they are. Behaviors stay; a disturbed item wakes.
    package mutating func rest() {
        for index in bodies.indices { putToSleep(index) }
    }

    // MARK: Removing

    /// The attachments, snaps and pins of an item, oldest first.
    package func behaviors(tying item: ItemID) -> [BehaviorID] {
        let index = index(of: item)
        var numbers = Set(groundJoints[bodies[index].groundJointRange].map(\.behavior.number))
        for joint in joints where joint.ties(index) { numbers.insert(joint.behavior.number) }
        return numbers.sorted().map { BehaviorID(number: $0) }
    }

    /// Removes an item and the behaviors that tie it; their ids become invalid.
    ///
    /// Other behaviors lose it from their items and stay, even with none left.
    package mutating func remove(_ item: ItemID) {
        let index = index(of: item)
        precondition(bodies[index].number == item.number, "an item of a group")
        groups.removeAll { $0.number == item.number }
        for behavior in behaviors(tying: item) { remove(behavior) }
        for place in pushes.indices { pushes[place].push.items.removeAll { $0 == item } }
        if !materialsBox.isEmpty { materials.removeItem(item) }
        if !forcesBox.isEmpty { forces.removeItem(item, at: index) }
        putToSleep(index)
        bodies.remove(at: index)
        for place in joints.indices { joints[place].bodyRemoved(at: index) }
        forgetContacts(item, at: index)
        if !forcesBox.isEmpty { rebuildTargets() }
    }
}

extension GroundJoint {
    /// Moves a snap's spring to the corner of another size.
    mutating func stretch(to half: Vector) {
        let point = ground - arm
        let reach = arm - offset
        offset = Vector(offset.x < 0 ? -half.x : half.x, offset.y < 0 ? -half.y : half.y)
        arm = offset + reach
        ground = point + arm
    }
}

extension Joint {
    /// Follows the indices of bodies after one was removed.
    mutating func bodyRemoved(at index: Int) {
        if second > index { second -= 1 }
        if case .body(let place) = first, place > index { first = .body(place - 1) }
    }
}

extension Forces {
    mutating func removeItem(_ item: ItemID, at index: Int) {
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
