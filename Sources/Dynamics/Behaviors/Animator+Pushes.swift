import Geometry

/// A push that was added.
struct PushRecord: Hashable, Sendable, Codable {
    let behavior: BehaviorID
    var push: Push

    /// Instantaneous and not fired yet.
    var isPending: Bool { push.mode == .instantaneous && push.isActive }
    /// Acts in every step.
    var isLasting: Bool { push.mode == .continuous && push.isActive }
}

extension Animator {
    /// Pushes items from the next step on.
    package mutating func add(_ push: Push) -> BehaviorID {
        let behavior = nextBehavior()
        let record = PushRecord(behavior: behavior, push: push)
        pushes.append(record)
        take(push.items)
        pushesChanged(on: push.items)
        if record.isPending { hasPushPending = true }
        return behavior
    }

    /// A push as it stands: an instantaneous one that has fired is not active.
    package func push(of behavior: BehaviorID) -> Push {
        guard let record = pushes.first(where: { $0.behavior == behavior }) else {
            preconditionFailure("no push of \(behavior)")
        }
        return record.push
    }

    /// Changes a push while it acts, except its mode, and wakes its items.
    package mutating func change(_ behavior: BehaviorID, to push: Push) {
        guard let place = pushes.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no push of \(behavior)")
        }
        let old = pushes[place].push
        precondition(push.mode == old.mode, "a push of another mode")
        pushes[place].push = push
        take(push.items)
        for item in old.items { release(index(of: item)) }
        pushesChanged(on: old.items + push.items)
        if pushes[place].isPending { hasPushPending = true }
    }

    /// Takes a push away. Returns whether the behavior is one.
    mutating func removePush(_ behavior: BehaviorID) -> Bool {
        guard let place = pushes.firstIndex(where: { $0.behavior == behavior }) else {
            return false
        }
        let push = pushes.remove(at: place).push
        for item in push.items { release(index(of: item)) }
        pushesChanged(on: push.items)
        return true
    }

    /// Sums anew, so that adding and removing a push leaves no rounding behind.
    mutating func pushesChanged(on items: [ItemID]) {
        for item in items { pushesChanged(on: item) }
        aimPushes()
    }

    /// The same for one item; `aimPushes` comes after the last of them.
    mutating func pushesChanged(on item: ItemID) {
        var sum = Vector.zero
        for record in pushes where record.isLasting {
            for pushed in record.push.items where pushed == item {
                sum += record.push.vector
            }
        }
        let index = index(of: item)
        bodies[index].acceleration = sum * (Tuning.pushUnit * bodies[index].inverseMass)
    }

    /// Gathers anew what forces act on, where pushes act beside a center.
    mutating func aimPushes() {
        let isAside = pushes.contains { $0.isLasting && $0.push.offset != .zero }
        if isAside || !forces.targets.isEmpty { gatherTargets() }
    }

    /// Fires the instantaneous pushes that became active since the last step.
    mutating func firePushes() {
        hasPushPending = false
        for place in pushes.indices where pushes[place].isPending {
            pushes[place].push.isActive = false
            for item in pushes[place].push.items where !bodies[index(of: item)].anchored {
                let index = index(of: item)
                let effect = pushes[place].push.effect(on: bodies[index])
                bodies[index].velocity += effect.linear
                bodies[index].angularVelocity += effect.angular
            }
        }
    }
}
