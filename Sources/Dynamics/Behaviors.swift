package import Geometry

/// A push that was added.
struct PushRecord: Hashable, Sendable {
    let behavior: BehaviorID
    let push: Push
    /// Instantaneous and not fired yet.
    var isPending: Bool
}

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

    /// Pushes items from the next step on.
    package mutating func add(_ push: Push) -> BehaviorID {
        let behavior = nextBehavior()
        let isPending = push.mode == .instantaneous
        pushes.append(PushRecord(behavior: behavior, push: push, isPending: isPending))
        if isPending { hasPushPending = true }
        for item in push.items {
            bodies[Int(item.index)].behaviorCount += 1
            wake(Int(item.index))
        }
        if !isPending { sumPushes(on: push.items) }
        return behavior
    }

    /// Takes a behavior away and wakes its items; an item that had no other loses its velocity.
    package mutating func remove(_ behavior: BehaviorID) {
        if let place = pushes.firstIndex(where: { $0.behavior == behavior }) {
            let push = pushes.remove(at: place).push
            for item in push.items { release(Int(item.index)) }
            if push.mode == .continuous { sumPushes(on: push.items) }
            return
        }
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

    private mutating func nextBehavior() -> BehaviorID {
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

    private mutating func release(_ index: Int) {
        bodies[index].behaviorCount -= 1
        wake(index)
        guard bodies[index].behaviorCount == 0, gravity == .zero else { return }
        bodies[index].stop()
        guard bodies[index].isAwake else { return }
        bodies[index].isAwake = false
        awakeCount -= 1
    }

    /// Sums anew, so that adding and removing a push leaves no rounding behind.
    private mutating func sumPushes(on items: [ItemID]) {
        for item in items {
            let index = Int(item.index)
            var sum = Vector.zero
            for record in pushes where record.push.mode == .continuous {
                for pushed in record.push.items where pushed == item {
                    sum += record.push.vector.reachable
                }
            }
            bodies[index].acceleration = sum * (Tuning.pushUnit * bodies[index].inverseMass)
        }
    }

    /// Fires the instantaneous pushes that were added since the last step.
    mutating func firePushes() {
        hasPushPending = false
        for place in pushes.indices where pushes[place].isPending {
            pushes[place].isPending = false
            let impulse = pushes[place].push.vector.reachable * Tuning.pushUnit
            for item in pushes[place].push.items where !bodies[Int(item.index)].anchored {
                let index = Int(item.index)
                bodies[index].velocity += impulse * bodies[index].inverseMass
            }
        }
    }
}
