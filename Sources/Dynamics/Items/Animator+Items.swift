package import Geometry

extension Animator {
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
