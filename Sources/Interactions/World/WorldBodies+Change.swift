import Dynamics
import Geometry

/// Bodies that become those of another description, by the names of items and behaviors.
extension WorldBodies {
    typealias Placement = WorldMerge.Placement

    /// Items that stay keep places and velocities, except where `merge` says otherwise.
    ///
    /// Answers with the names of the items and groups that have other bodies or collisions now:
    /// nobody will tell how their contacts end.
    mutating func become(_ target: WorldParameters, by merge: WorldMerge) -> Set<String> {
        let former = self
        let kept = Set(
            placedBehaviors.map(\.behavior).filter { isKept($0, in: target, merge) }.map(\.id))
        var remade = detach(from: target, keeping: kept)
        for item in placedItems.map(\.item) {
            let other = target.items.first { $0.id == item.id }
            guard other?.shape != item.shape else { continue }
            remade.insert(item.id)
            remove(item: item.id)
        }
        for item in target.items { adopt(item, merge.placement(of: item), from: former) }
        placedItems = target.items.compactMap { item in
            itemIndex(item.id).map { placedItems[$0] }
        }
        for behavior in target.behaviors where behavior.isGroup && !kept.contains(behavior.id) {
            add(behavior)
        }
        let settled = former.behaviors
        for behavior in target.behaviors where !behavior.isGroup {
            adopt(behavior, from: former, settled)
        }
        restoreGravity(of: former)
        restoreVelocities(of: former)
        return remade
    }

    // MARK: Differences

    /// Whether a group stays as it is: of the same members, which nothing changes.
    func isKept(
        _ group: WorldBehavior, in target: WorldParameters, _ merge: WorldMerge
    ) -> Bool {
        guard group.isGroup,
            target.behaviors.contains(where: { $0.id == group.id && $0.rule == group.rule })
        else { return false }
        return group.names.allSatisfy { name in
            guard let item = target.items.first(where: { $0.id == name }),
                let now = itemIndex(name).map({ placedItems[$0].item })
            else { return false }
            return item.size == now.size && item.scale == now.scale && item.shape == now.shape
                && merge.placement(of: item).isEmpty
        }
    }

    /// Removes the behaviors that go or cannot stay as they are, then the groups that do not stay.
    /// Answers with what the removed groups and collisions acted on.
    private mutating func detach(
        from target: WorldParameters, keeping groups: Set<String>
    ) -> Set<String> {
        let going = placedBehaviors.map(\.behavior).filter {
            $0.isGroup && !groups.contains($0.id)
        }
        let coming = target.behaviors.filter { $0.isGroup && !groups.contains($0.id) }
        let remade = Set((going + coming).flatMap { $0.names + [$0.id] })
        var touched = remade
        for behavior in placedBehaviors.map(\.behavior) where !behavior.isGroup {
            let other = target.behaviors.first { $0.id == behavior.id }
            if other?.isOfKind(of: behavior) == true, remade.isDisjoint(with: behavior.names) {
                continue
            }
            if case .collision(let items, _, _) = behavior.rule { touched.formUnion(items) }
            remove(behavior: behavior.id)
        }
        for group in going { remove(behavior: group.id) }
        return touched
    }

    // MARK: Items

    /// Adds an item, or changes the one of that name. Items whose bodies are a group's stay.
    private mutating func adopt(
        _ item: WorldItem, _ placement: Placement, from former: WorldBodies
    ) {
        guard let index = itemIndex(item.id) else {
            var placed = item
            if let index = former.itemIndex(item.id) {
                let motion = former.animator.motion(of: former.placedItems[index].body)
                placed.center = placement.center ?? motion.center
                placed.rotation = placement.rotation ?? motion.rotation
            }
            add(placed)
            return
        }
        let now = placedItems[index].item
        placedItems[index].item = item
        // The size and the place of a group that stays have not changed.
        guard group(of: item.id) == nil else { return }
        if now.size != item.size || now.scale != item.scale {
            resize(item.id, size: item.size, scale: item.scale)
        }
        guard placement.center != nil || placement.rotation != nil else { return }
        let motion = animator.motion(of: placedItems[index].body)
        place(
            item.id, center: placement.center ?? motion.center,
            rotation: placement.rotation ?? motion.rotation)
    }

    /// Gives the velocities back that bodies lost when they or their behaviors were made anew.
    private mutating func restoreVelocities(of former: WorldBodies) {
        func restore(_ body: ItemID, _ motion: Motion) {
            let now = animator.motion(of: body)
            guard now.velocity != motion.velocity || now.angularVelocity != motion.angularVelocity
            else { return }
            animator.addVelocity(
                linear: motion.velocity - now.velocity,
                angular: motion.angularVelocity - now.angularVelocity, to: body)
        }
        for placed in former.placedItems {
            let id = placed.item.id
            guard let index = itemIndex(id), group(of: id) == nil else { continue }
            restore(placedItems[index].body, former.animator.motion(of: placed.body))
        }
        for placed in former.placedBehaviors {
            guard case .group(let body) = placed.handle,
                let index = behaviorIndex(placed.behavior.id),
                case .group(let other) = placedBehaviors[index].handle
            else { continue }
            restore(other, former.animator.motion(of: body))
        }
    }

    // MARK: Behaviors

    /// All gravities share one vector, which an added one writes. It stays while they are the
    /// same and the scene says no other vector.
    private mutating func restoreGravity(of former: WorldBodies) {
        func forces(_ bodies: WorldBodies) -> [String: PolarVector?] {
            let gravities = bodies.placedBehaviors.map(\.behavior).filter(\.isGravity)
            return Dictionary(uniqueKeysWithValues: gravities.map { ($0.id, $0.force) })
        }
        let now = forces(self)
        if !now.isEmpty && now == forces(former) { animator.gravity = former.animator.gravity }
    }

    /// Adds a behavior, or changes the one of that name. One that the scene says as before is added
    /// as it has become: a push that has fired does not fire again.
    private mutating func adopt(
        _ behavior: WorldBehavior, from former: WorldBodies, _ settled: [WorldBehavior]
    ) {
        let was = former.behaviorIndex(behavior.id).map { former.placedBehaviors[$0].behavior }
        guard let index = behaviorIndex(behavior.id) else {
            let isAsBefore = was?.rule == behavior.rule
            return add(
                isAsBefore ? settled.first { $0.id == behavior.id } ?? behavior : behavior)
        }
        let now = placedBehaviors[index].behavior
        if now.rule == behavior.rule { return }
        var isActive: Bool?
        if case .push(_, let push) = behavior.rule, case .push(_, let other)? = was?.rule,
            push.isActive != other.isActive
        {
            isActive = push.isActive
        }
        replace(behavior, isActive: isActive, isForced: behavior.force != was?.force)
    }
}

extension WorldBehavior {
    fileprivate func isOfKind(of other: WorldBehavior) -> Bool {
        switch (rule, other.rule) {
        case (.attachment, .attachment), (.snap, .snap), (.push, .push), (.gravity, .gravity),
            (.collision, .collision), (.properties, .properties), (.field, .field),
            (.group, .group):
            true
        case (.attachment, _), (.snap, _), (.push, _), (.gravity, _), (.collision, _),
            (.properties, _), (.field, _), (.group, _):
            false
        }
    }
}
