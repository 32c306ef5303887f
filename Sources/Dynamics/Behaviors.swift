package import Geometry

extension Animator {
    /// Holds a point of an item; its length is settled now.
    package mutating func add(_ attachment: Attachment) -> BehaviorID {
        let index = Int(attachment.item.index)
        let behavior = nextBehavior()
        insert([attachment.joint(of: behavior, on: bodies[index])], on: index)
        return behavior
    }

    /// Nails a point of an item.
    package mutating func add(_ pin: Pin) -> BehaviorID {
        let behavior = nextBehavior()
        insert([pin.joint(of: behavior)], on: Int(pin.item.index))
        return behavior
    }

    /// Draws an item to a point.
    package mutating func add(_ snap: Snap) -> BehaviorID {
        let index = Int(snap.item.index)
        let behavior = nextBehavior()
        insert(snap.joints(of: behavior, on: bodies[index]), on: index)
        return behavior
    }

    /// Takes a behavior away and wakes its items; an item that had no other loses its velocity.
    package mutating func remove(_ behavior: BehaviorID) {
        if removePush(behavior) || removeForce(behavior) { return }
        let index = owner(of: behavior)
        let before = joints.count
        joints.removeAll { $0.behavior == behavior }
        let removed = Int32(before - joints.count)
        bodies[index].jointCount -= removed
        for later in bodies.indices.dropFirst(index + 1) { bodies[later].firstJoint -= removed }
        release(index)
    }

    /// Moves the fixed end of an attachment, pin or snap; lengths stay. Wakes the item.
    package mutating func moveAnchor(of behavior: BehaviorID, to anchor: Vector) {
        let index = owner(of: behavior)
        let anchor = anchor.reachable
        for joint in bodies[index].jointRange where joints[joint].behavior == behavior {
            joints[joint].ground = anchor + joints[joint].arm
        }
        wake(index)
    }

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

    /// Puts joints before those that a body has: the newest is solved first.
    private mutating func insert(_ added: [Joint], on index: Int) {
        let count = Int32(added.count)
        joints.insert(contentsOf: added, at: Int(bodies[index].firstJoint))
        bodies[index].jointCount += count
        for later in bodies.indices.dropFirst(index + 1) { bodies[later].firstJoint += count }
        bodies[index].behaviorCount += 1
        wake(index)
    }

    mutating func release(_ index: Int) {
        bodies[index].behaviorCount -= 1
        wake(index)
        guard bodies[index].behaviorCount == 0, worldGravity == .zero else { return }
        bodies[index].stop()
        guard bodies[index].isAwake else { return }
        bodies[index].isAwake = false
        awakeCount -= 1
    }
}
