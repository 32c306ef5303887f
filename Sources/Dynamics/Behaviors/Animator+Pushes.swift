import Geometry

/// A push with its id.
struct PushRecord: Hashable, Sendable, Codable {
    let behavior: BehaviorID
    var push: Push

    /// Instantaneous and not yet fired.
    var isPending: Bool { push.mode == .instantaneous && push.isActive }
    /// Accelerates in every step.
    var isLasting: Bool { push.mode == .continuous && push.isActive }
}

extension Animator {
    /// Adds a push, which acts from the next step on.
    package mutating func add(_ push: Push) -> BehaviorID {
        let behavior = nextBehavior()
        let record = PushRecord(behavior: behavior, push: push)
        pushes.append(record)
        retainItems(push.items)
        updatePushAcceleration(on: push.items)
        if record.isPending { hasPushPending = true }
        return behavior
    }

    /// A push in its present state: an instantaneous push that fired is inactive.
    package func push(of behavior: BehaviorID) -> Push {
        guard let record = pushes.first(where: { $0.behavior == behavior }) else {
            preconditionFailure("no push of \(behavior)")
        }
        return record.push
    }

    /// Changes a push and wakes its items. Its mode cannot change.
    package mutating func change(_ behavior: BehaviorID, to push: Push) {
        guard let place = pushes.firstIndex(where: { $0.behavior == behavior }) else {
            preconditionFailure("no push of \(behavior)")
        }
        let old = pushes[place].push
        precondition(push.mode == old.mode, "a push of another mode")
        pushes[place].push = push
        retainItems(push.items)
        releaseItems(old.items)
        updatePushAcceleration(on: old.items + push.items)
        if pushes[place].isPending { hasPushPending = true }
    }

    /// Removes a push. Returns false if the id is of another kind of behavior.
    mutating func removePush(_ behavior: BehaviorID) -> Bool {
        guard let place = pushes.firstIndex(where: { $0.behavior == behavior }) else {
            return false
        }
        let push = pushes.remove(at: place).push
        releaseItems(push.items)
        updatePushAcceleration(on: push.items)
        return true
    }

    /// Sums all pushes again, so that adding and removing one leaves no rounding error.
    mutating func updatePushAcceleration(on items: [ItemID]) {
        for item in items { updatePushAcceleration(on: item) }
        updateOffCenterPushes()
    }

    /// The same for one item. Call `updateOffCenterPushes` after the last item.
    mutating func updatePushAcceleration(on item: ItemID) {
        var sum = Vector.zero
        for record in pushes where record.isLasting {
            for pushed in record.push.items where pushed == item {
                sum += record.push.vector
            }
        }
        let index = index(of: item)
        bodies[index].acceleration = sum * (Tuning.pushUnit * bodies[index].inverseMass)
    }

    /// Rebuilds the forces' targets, if pushes act off center.
    mutating func updateOffCenterPushes() {
        let isAside = pushes.contains { $0.isLasting && $0.push.offset != .zero }
        if isAside || !forces.targets.isEmpty { rebuildTargets() }
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
