import Geometry

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
    mutating func rebuildBody(_ index: Int, size: Size) -> Bool {
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
    mutating func bodiesChanged(at changed: some Collection<Int>) {
        for index in changed { updatePushAcceleration(on: ItemID(number: bodies[index].number)) }
        updateOffCenterPushes()
        if !forcesBox.isEmpty { rebuildTargets() }
        rebuildContacts()
        for index in changed { wakeWithNeighbors(index) }
    }

    private func chargeOfBody(at index: Int) -> Double {
        forcesBox.value?.charge(of: index) ?? 0
    }
}
