package import Geometry

extension Animator {
    /// Ties an item; what is not given, as a length, is settled now.
    package mutating func add(_ attachment: Attachment) -> BehaviorID {
        let behavior = nextBehavior()
        take(items(of: attachment))
        insert(bond(attachment, of: behavior, after: nil), on: index(of: attachment.item))
        return behavior
    }

    /// Nails a point of an item.
    package mutating func add(_ pin: Pin) -> BehaviorID {
        let behavior = nextBehavior()
        take([pin.item])
        insert([joint(pin, of: behavior)], on: index(of: pin.item))
        return behavior
    }

    /// Draws an item to a point.
    package mutating func add(_ snap: Snap) -> BehaviorID {
        let index = index(of: snap.item)
        let behavior = nextBehavior()
        take([snap.item])
        insert(joints(snap, of: behavior), on: index)
        return behavior
    }

    /// Takes a behavior away and wakes its items; an item that had no other loses its velocity.
    package mutating func remove(_ behavior: BehaviorID) {
        if removePush(behavior) || removeForce(behavior) || removeProperties(behavior) { return }
        if removeCollision(behavior) { return }
        if let place = links.firstIndex(where: { $0.behavior == behavior }) {
            let link = links.remove(at: place)
            if case .body(let first) = link.first { release(Int(first)) }
            release(Int(link.second))
            return
        }
        let index = owner(of: behavior)
        removeJoints(on: index) { $0.behavior == behavior }
        release(index)
    }

    /// Moves the fixed end of an attachment, pin or snap; lengths stay. Wakes the item.
    package mutating func moveAnchor(of behavior: BehaviorID, to anchor: Vector) {
        let anchor = anchor.reachable
        if let place = links.firstIndex(where: { $0.behavior == behavior }) {
            precondition(links[place].first == .ground, "\(behavior) has no fixed end")
            links[place].firstOffset = anchor
            wake(Int(links[place].second))
            return
        }
        let index = owner(of: behavior)
        for joint in bodies[index].jointRange where joints[joint].behavior == behavior {
            joints[joint].ground = anchor + joints[joint].arm
        }
        wake(index)
    }

    // MARK: Changing

    /// Changes an attachment while it holds. It stays in its place among the others, on the
    /// same items, and what was settled when it was added stays settled.
    package mutating func change(_ behavior: BehaviorID, to attachment: Attachment) {
        let former: Bond
        let index = index(of: attachment.item)
        if let place = links.firstIndex(where: { $0.behavior == behavior }) {
            precondition(links[place].second == Int32(index), "an attachment of another item")
            former = .link(links.remove(at: place))
        } else {
            let owner = owner(of: behavior)
            precondition(owner == index, "an attachment of another item")
            let held = bodies[index].jointRange.first { joints[$0].behavior == behavior }
            guard let held else { preconditionFailure("no attachment \(behavior)") }
            former = .joint(joints[held])
            removeJoints(on: index) { $0.behavior == behavior }
        }
        let bond = bond(attachment, of: behavior, after: former)
        precondition(former.first == bond.first, "an attachment to another end")
        insert(bond, on: index)
        wakeItems(of: attachment)
    }

    package mutating func change(_ behavior: BehaviorID, to pin: Pin) {
        change(behavior, to: [joint(pin, of: behavior)], on: index(of: pin.item))
    }

    package mutating func change(_ behavior: BehaviorID, to snap: Snap) {
        change(behavior, to: joints(snap, of: behavior), on: index(of: snap.item))
    }

    private func joint(_ pin: Pin, of behavior: BehaviorID) -> Joint {
        pin.joint(of: behavior, at: held(pin.item, pin.offset.reachable))
    }

    private func joints(_ snap: Snap, of behavior: BehaviorID) -> [Joint] {
        let index = index(of: snap.item)
        return snap.joints(of: behavior, on: bodies[index], middle: held(snap.item, .zero))
    }

    private mutating func change(_ behavior: BehaviorID, to changed: [Joint], on index: Int) {
        precondition(owner(of: behavior) == index, "a behavior of another item")
        let held = bodies[index].jointRange.filter { joints[$0].behavior == behavior }
        precondition(held.count == changed.count, "a behavior of another kind")
        for (place, var joint) in zip(held, changed) {
            joint.impulse = joints[place].impulse
            joints[place] = joint
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

    /// The body that a behavior's joints are on.
    private func owner(of behavior: BehaviorID) -> Int {
        guard let joint = joints.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no joint of \(behavior)")
        }
        guard
            let body = bodies.firstIndex(where: {
                $0.jointRange.contains(joint)
            })
        else { preconditionFailure("joint \(joint) is on no body") }
        return body
    }

    private mutating func insert(_ bond: Bond, on index: Int) {
        switch bond {
        case .joint(let joint): insert([joint], on: index)
        case .link(let link):
            let place = links.firstIndex { $0.behavior.number > link.behavior.number }
            links.insert(link, at: place ?? links.count)
        }
    }

    /// Puts joints of one behavior before the older ones of a body: the newest is solved first.
    private mutating func insert(_ added: [Joint], on index: Int) {
        let count = Int32(added.count)
        let number = added.first?.behavior.number ?? 0
        let range = bodies[index].jointRange
        let place = range.first { joints[$0].behavior.number < number } ?? range.upperBound
        joints.reserveCapacity(joints.count + added.count)
        joints.insert(contentsOf: added, at: place)
        bodies[index].jointCount += Int16(count)
        for later in bodies.indices.dropFirst(index + 1) { bodies[later].firstJoint += count }
    }

    mutating func removeJoints(on index: Int, where isRemoved: (Joint) -> Bool) {
        let range = bodies[index].jointRange
        let kept = joints[range].filter { !isRemoved($0) }
        let removed = Int32(range.count - kept.count)
        joints.replaceSubrange(range, with: kept)
        bodies[index].jointCount -= Int16(removed)
        for later in bodies.indices.dropFirst(index + 1) { bodies[later].firstJoint -= removed }
    }

    /// Counts a behavior on its items and wakes them.
    mutating func take(_ items: [ItemID]) {
        for item in items {
            let index = index(of: item)
            bodies[index].behaviorCount += 1
            wake(index)
        }
    }

    mutating func release(_ index: Int) {
        bodies[index].behaviorCount -= 1
        wake(index)
        guard bodies[index].behaviorCount == 0, worldGravity == .zero else { return }
        putToSleep(index)
    }
}
