package import Geometry

extension Animator {
    /// Adds an attachment. Values that are nil, as a length, are resolved now.
    package mutating func add(_ attachment: Attachment) -> BehaviorID {
        let behavior = nextBehavior()
        retainItems(items(of: attachment))
        insert(makeJoint(attachment, of: behavior, after: nil), on: index(of: attachment.item))
        return behavior
    }

    /// Adds a pin.
    package mutating func add(_ pin: Pin) -> BehaviorID {
        let behavior = nextBehavior()
        retainItems([pin.item])
        insert([joint(pin, of: behavior)], on: index(of: pin.item))
        return behavior
    }

    /// Adds a snap.
    package mutating func add(_ snap: Snap) -> BehaviorID {
        let index = index(of: snap.item)
        let behavior = nextBehavior()
        retainItems([snap.item])
        insert(groundJoints(snap, of: behavior), on: index)
        return behavior
    }

    /// Removes a behavior and wakes its items. An item without another behavior stops.
    package mutating func remove(_ behavior: BehaviorID) {
        if removePush(behavior) || removeForce(behavior) || removeProperties(behavior) { return }
        if removeCollision(behavior) { return }
        if let place = joints.firstIndex(where: { $0.behavior == behavior }) {
            let joint = joints.remove(at: place)
            if case .body(let first) = joint.first { releaseBody(at: Int(first)) }
            releaseBody(at: Int(joint.second))
            return
        }
        let index = owner(of: behavior)
        removeJoints(on: index) { $0.behavior == behavior }
        releaseBody(at: index)
    }

    /// Moves the fixed end of an attachment, pin or snap (pt). Lengths stay. Wakes the item.
    package mutating func moveAnchor(of behavior: BehaviorID, to anchor: Vector) {
        let anchor = anchor.reachable
        if let place = joints.firstIndex(where: { $0.behavior == behavior }) {
            precondition(joints[place].first == .ground, "\(behavior) has no fixed end")
            joints[place].firstOffset = anchor
            wake(Int(joints[place].second))
            return
        }
        let index = owner(of: behavior)
        for joint in bodies[index].groundJointRange where groundJoints[joint].behavior == behavior {
            groundJoints[joint].ground = anchor + groundJoints[joint].arm
        }
        wake(index)
    }

    // MARK: Changing

    /// Changes an attachment of the same items. It keeps its place in the order of solving and the
    /// values that were resolved when it was added.
    package mutating func change(_ behavior: BehaviorID, to attachment: Attachment) {
        let former: AnyJoint
        let index = index(of: attachment.item)
        if let place = joints.firstIndex(where: { $0.behavior == behavior }) {
            precondition(joints[place].second == Int32(index), "an attachment of another item")
            former = .joint(joints.remove(at: place))
        } else {
            let owner = owner(of: behavior)
            precondition(owner == index, "an attachment of another item")
            let held = bodies[index].groundJointRange.first {
                groundJoints[$0].behavior == behavior
            }
            guard let held else { preconditionFailure("no attachment \(behavior)") }
            former = .ground(groundJoints[held])
            removeJoints(on: index) { $0.behavior == behavior }
        }
        let makeJoint = makeJoint(attachment, of: behavior, after: former)
        precondition(former.first == makeJoint.first, "an attachment to another end")
        insert(makeJoint, on: index)
        wakeItems(of: attachment)
    }

    package mutating func change(_ behavior: BehaviorID, to pin: Pin) {
        change(behavior, to: [joint(pin, of: behavior)], on: index(of: pin.item))
    }

    package mutating func change(_ behavior: BehaviorID, to snap: Snap) {
        change(behavior, to: groundJoints(snap, of: behavior), on: index(of: snap.item))
    }

    private func joint(_ pin: Pin, of behavior: BehaviorID) -> GroundJoint {
        pin.joint(of: behavior, at: bodyPoint(pin.item, pin.offset.reachable))
    }

    private func groundJoints(_ snap: Snap, of behavior: BehaviorID) -> [GroundJoint] {
        let index = index(of: snap.item)
        return snap.groundJoints(
            of: behavior, on: bodies[index], middle: bodyPoint(snap.item, .zero))
    }

    private mutating func change(_ behavior: BehaviorID, to changed: [GroundJoint], on index: Int) {
        precondition(owner(of: behavior) == index, "a behavior of another item")
        let held = bodies[index].groundJointRange.filter { groundJoints[$0].behavior == behavior }
        precondition(held.count == changed.count, "a behavior of another kind")
        for (place, var joint) in zip(held, changed) {
            joint.impulse = groundJoints[place].impulse
            groundJoints[place] = joint
        }
        wake(index)
    }

    private func items(of attachment: Attachment) -> [ItemID] {
        switch attachment.end {
        case .anchor: [attachment.item]
        case .item(let other, _): [attachment.item, other]
        }
    }

    private mutating func wakeItems(of attachment: Attachment) {
        for item in items(of: attachment) { wake(index(of: item)) }
    }

    // MARK: Storage

    mutating func nextBehavior() -> BehaviorID {
        behaviorsGiven += 1
        return BehaviorID(number: behaviorsGiven)
    }

    /// The index of the body that has a behavior's ground joints.
    private func owner(of behavior: BehaviorID) -> Int {
        guard let joint = groundJoints.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no joint of \(behavior)")
        }
        guard
            let body = bodies.firstIndex(where: {
                $0.groundJointRange.contains(joint)
            })
        else { preconditionFailure("joint \(joint) is on no body") }
        return body
    }

    private mutating func insert(_ makeJoint: AnyJoint, on index: Int) {
        switch makeJoint {
        case .ground(let joint): insert([joint], on: index)
        case .joint(let joint):
            let place = joints.firstIndex { $0.behavior.number > joint.behavior.number }
            joints.insert(joint, at: place ?? joints.count)
        }
    }

    /// Inserts the ground joints of a behavior before those of older ones: the newest is solved
    /// first.
    private mutating func insert(_ added: [GroundJoint], on index: Int) {
        let count = Int32(added.count)
        let number = added.first?.behavior.number ?? 0
        let range = bodies[index].groundJointRange
        let place = range.first { groundJoints[$0].behavior.number < number } ?? range.upperBound
        groundJoints.reserveCapacity(groundJoints.count + added.count)
        groundJoints.insert(contentsOf: added, at: place)
        bodies[index].groundJointCount += Int16(count)
        for later in bodies.indices.dropFirst(index + 1) { bodies[later].firstGroundJoint += count }
    }

    mutating func removeJoints(on index: Int, where isRemoved: (GroundJoint) -> Bool) {
        let range = bodies[index].groundJointRange
        let kept = groundJoints[range].filter { !isRemoved($0) }
        let removed = Int32(range.count - kept.count)
        groundJoints.replaceSubrange(range, with: kept)
        bodies[index].groundJointCount -= Int16(removed)
        for later in bodies.indices.dropFirst(index + 1) {
            bodies[later].firstGroundJoint -= removed
        }
    }

    /// Counts one more behavior on each item, and wakes it.
    mutating func retainItems(_ items: [ItemID]) {
        for item in items {
            let index = index(of: item)
            bodies[index].behaviorCount += 1
            wake(index)
        }
    }

    /// Counts one behavior less on each item, and wakes it. An item without another behavior stops.
    mutating func releaseItems(_ items: [ItemID]) {
        for item in items { releaseBody(at: index(of: item)) }
    }

    private mutating func releaseBody(at index: Int) {
        bodies[index].behaviorCount -= 1
        wake(index)
        guard bodies[index].behaviorCount == 0, worldGravity == .zero else { return }
        putToSleep(index)
    }
}
