import Dynamics
import Geometry

/// The named items and behaviors of a world in an animator.
///
/// Callers pass valid names: an unknown one traps.
struct WorldBodies: Hashable, Sendable {
    struct PlacedItem: Hashable, Sendable {
        /// Center and rotation are as written; the body has the present ones.
        var item: WorldItem
        /// A member of a group has a body of its own that only tells its place.
        var body: ItemID
    }

    struct PlacedBehavior: Hashable, Sendable {
        var behavior: WorldBehavior
        var handle: Handle
    }

    /// A behavior's counterpart in the animator.
    enum Handle: Hashable, Sendable, Codable {
        case behavior(BehaviorID)
        /// The body that its members make.
        case group(ItemID)
    }

    var animator = Animator()
    /// The topmost last.
    var placedItems: [PlacedItem] = []
    /// In the order in which they were added.
    private(set) var placedBehaviors: [PlacedBehavior] = []

    init(
        animator: Animator, placedItems: [PlacedItem], placedBehaviors: [PlacedBehavior]
    ) {
        self.animator = animator
        self.placedItems = placedItems
        self.placedBehaviors = placedBehaviors
    }

    init(_ parameters: WorldParameters) {
        for item in parameters.items { add(item) }
        // Groups come first: other behaviors may act on them.
        for behavior in parameters.behaviors where behavior.isGroup { add(behavior) }
        for behavior in parameters.behaviors where !behavior.isGroup { add(behavior) }
    }

    // MARK: Contents

    func itemIndex(_ name: String) -> Int? { placedItems.firstIndex { $0.item.id == name } }

    func behaviorIndex(_ name: String) -> Int? {
        placedBehaviors.firstIndex { $0.behavior.id == name }
    }

    /// The group that an item is a member of.
    func group(of item: String) -> PlacedBehavior? {
        placedBehaviors.first { $0.behavior.isGroup && $0.behavior.names.contains(item) }
    }

    /// The body that moves with an item or a group: an item's group, or its own body.
    func body(moving name: String) -> ItemID {
        let group = group(of: name) ?? placedBehaviors.first { $0.behavior.id == name }
        if let group, case .group(let body) = group.handle { return body }
        guard let index = itemIndex(name) else { preconditionFailure("there is no item \(name)") }
        return placedItems[index].body
    }

    /// The item or group with that body; nil: it was removed.
    func name(of body: ItemID) -> String? {
        if let placed = placedItems.first(where: { $0.body == body }) { return placed.item.id }
        return placedBehaviors.first { $0.handle == .group(body) }?.behavior.id
    }

    /// Whether an item, or its group, is anchored.
    func isAnchored(_ item: String) -> Bool { animator.isAnchored(body(moving: item)) }

    /// The topmost item at a point that is not anchored.
    func item(at point: Vector) -> String? {
        placedItems.last { placed in
            let motion = animator.motion(of: placed.body)
            return placed.item.contains(motion.local(point)) && !isAnchored(placed.item.id)
        }?.item.id
    }

    /// How fast a point of a body moves, in points per second.
    func speed(of body: ItemID, at point: Vector) -> Double {
        let motion = animator.motion(of: body)
        let arm = point - motion.center
        return (motion.velocity + Vector(-arm.y, arm.x) * motion.angularVelocity).length
    }

    /// Takes an item's velocity, or its group's.
    mutating func stop(_ name: String) {
        let body = body(moving: name)
        let motion = animator.motion(of: body)
        animator.addVelocity(
            linear: -motion.velocity, angular: -motion.angularVelocity, to: body)
    }

    /// Whether a behavior keeps the world moving.
    var isDriven: Bool {
        placedBehaviors.contains { placed in
            placed.behavior.drives(under: animator.gravity)
                && !placed.behavior.names.allSatisfy { animator.isAnchored(body(moving: $0)) }
        }
    }

    /// The items where they are now.
    var items: [WorldItem] {
        placedItems.map { placed in
            let motion = animator.motion(of: placed.body)
            var item = placed.item
            item.center = motion.center
            item.rotation = motion.rotation
            return item
        }
    }

    /// The behaviors as they have become, in their order.
    var behaviors: [WorldBehavior] {
        let gravity = placedBehaviors.last { $0.behavior.isGravity }?.behavior.id
        return placedBehaviors.map { placed in
            guard case .behavior(let id) = placed.handle else { return placed.behavior }
            switch placed.behavior.rule {
            case .push(_, let push):
                let hasFired = push.mode == .instantaneous && !animator.push(of: id).isActive
                return hasFired ? placed.behavior.spent : placed.behavior
            case .gravity:
                // The gravity added last sets the vector of all.
                return placed.behavior.id == gravity
                    ? placed.behavior.pulling(by: animator.gravity) : placed.behavior
            case .attachment(let attachment):
                return placed.behavior.tying(by: animator.resolved(attachment.type, of: id))
            case .snap, .collision, .properties, .field, .group: return placed.behavior
            }
        }
    }

    // MARK: Items

    mutating func add(_ item: WorldItem) {
        placedItems.append(PlacedItem(item: item, body: animator.add(item.engineItem)))
    }

    /// Removes an item, and the behaviors that cannot be without it.
    mutating func remove(item name: String) {
        placedBehaviors = placedBehaviors.compactMap { placed in
            guard placed.behavior.names.contains(name) else { return placed }
            return placed.behavior.without(name).map {
                PlacedBehavior(behavior: $0, handle: placed.handle)
            }
        }
        guard let index = itemIndex(name) else { preconditionFailure("there is no item \(name)") }
        animator.remove(placedItems.remove(at: index).body)
    }

    /// Moves an item, or its group.
    mutating func place(_ name: String, center: Vector, rotation: Double) {
        animator.place(body(moving: name), center: center, rotation: rotation)
    }

    /// Gives an item to one person at a time, or to all.
    mutating func setExclusive(_ name: String, _ isExclusive: Bool) {
        guard let index = itemIndex(name) else { preconditionFailure("there is no item \(name)") }
        placedItems[index].item.isExclusive = isExclusive
    }

    /// Gives an item that is in no group another size.
    mutating func resize(_ name: String, size: Size, scale: Double) {
        guard let index = itemIndex(name) else { preconditionFailure("there is no item \(name)") }
        placedItems[index].item.size = size
        placedItems[index].item.scale = scale
        animator.resize(placedItems[index].body, to: placedItems[index].item.extent)
    }

    // MARK: Behaviors

    mutating func add(_ behavior: WorldBehavior) {
        placedBehaviors.append(PlacedBehavior(behavior: behavior, handle: handle(behavior)))
    }

    private mutating func handle(_ behavior: WorldBehavior) -> Handle {
        if case .group(let members) = behavior.rule { return .group(bind(members)) }
        return .behavior(animator.add(engineBehavior(behavior)))
    }

    /// Makes one body of several items, at rest.
    private mutating func bind(_ members: [String]) -> ItemID {
        let items = items
        let places = members.compactMap { itemIndex($0) }
        for place in places { animator.remove(placedItems[place].body) }
        let (group, bodies) = animator.addGroup(of: places.map { items[$0].engineItem })
        for (place, body) in zip(places, bodies) { placedItems[place].body = body }
        return group
    }

    /// Makes a group's members items again, at their places and velocities.
    private mutating func unbind(_ group: ItemID, _ members: [String]) {
        let items = items
        let whole = animator.motion(of: group)
        animator.remove(group)
        for place in members.compactMap({ itemIndex($0) }) {
            let body = animator.add(items[place].engineItem)
            let arm = items[place].center - whole.center
            let turn = Vector(-arm.y, arm.x) * whole.angularVelocity
            if whole.velocity != .zero || whole.angularVelocity != 0 {
                animator.addVelocity(
                    linear: whole.velocity + turn, angular: whole.angularVelocity, to: body)
            }
            placedItems[place].body = body
        }
    }

    mutating func remove(behavior name: String) {
        guard let index = behaviorIndex(name) else {
            preconditionFailure("there is no behavior \(name)")
        }
        let removed = placedBehaviors.remove(at: index)
        switch removed.handle {
        case .behavior(let id): animator.remove(id)
        case .group(let group): unbind(group, removed.behavior.names)
        }
    }

    /// Replaces a behavior, not a group, by one of its kind. If it acts on other items, it is
    /// removed and added.
    ///
    /// `isActive` says whether an instantaneous push fires; nil: as it stands. `isForced` says
    /// whether to write a gravity's vector, which all gravities share.
    mutating func replace(
        _ behavior: WorldBehavior, isActive: Bool? = nil, isForced: Bool = true
    ) {
        guard let index = behaviorIndex(behavior.id),
            case .behavior(let id) = placedBehaviors[index].handle
        else {
            preconditionFailure("there is no behavior \(behavior.id)")
        }
        var changed = engineBehavior(behavior)
        if case .push(var push) = changed, push.mode == .instantaneous {
            push.isActive = isActive ?? animator.push(of: id).isActive
            changed = .push(push)
        }
        if case .gravity(var gravity) = changed, !isForced {
            gravity.vector = animator.gravity
            changed = .gravity(gravity)
        }
        if behavior.isAlike(placedBehaviors[index].behavior) {
            animator.change(id, to: changed)
            placedBehaviors[index].behavior = behavior
            return
        }
        animator.remove(id)
        placedBehaviors[index] = PlacedBehavior(
            behavior: behavior, handle: .behavior(animator.add(changed)))
        // The newest behavior is the last.
        placedBehaviors.append(placedBehaviors.remove(at: index))
    }

    /// Attaches an item, or its group, to a point, at that point of the item.
    mutating func grip(
        _ name: String, at point: Vector, frequency: Double, damping: Double
    ) -> BehaviorID {
        let body = body(moving: name)
        return animator.add(
            Attachment(
                item: body, offset: animator.motion(of: body).local(point), anchor: point,
                length: frequency > 0 ? 0 : nil, frequency: frequency, damping: damping))
    }

    func engineBehavior(_ behavior: WorldBehavior) -> Behavior {
        func bodies(_ names: [String]) -> [ItemID] { names.map { body(moving: $0) } }
        switch behavior.rule {
        case .attachment(let attachment):
            let end: Attachment.End =
                switch attachment.end {
                case .anchor(let point): .anchor(point)
                case .item(let other, let offset): .item(body(moving: other), offset: offset)
                }
            return .attachment(
                Attachment(
                    item: body(moving: attachment.item), offset: attachment.offset, end: end,
                    type: attachment.type))
        case .snap(let item, let point, let damping):
            return .snap(Snap(item: body(moving: item), point: point, damping: damping))
        case .push(let items, var push):
            push.items = bodies(items)
            return .push(push)
        case .gravity(let items, var gravity):
            gravity.items = bodies(items)
            return .gravity(gravity)
        case .collision(let items, var collision, _):
            collision.items = bodies(items)
            return .collision(collision)
        case .properties(let items, let properties):
            return .properties(ItemBehavior(items: bodies(items), properties: properties))
        case .field(let items, var field):
            field.items = bodies(items)
            return .field(field)
        case .group: preconditionFailure("a group is a body")
        }
    }
}

extension Motion {
    /// A point of the viewport in the item's own coordinates, counted from its center.
    func local(_ point: Vector) -> Vector {
        let (sine, cosine) = Angle.sineCosine(-rotation)
        return (point - center).rotated(sine: sine, cosine: cosine)
    }
}

extension WorldBehavior {
    /// Whether the animator can change it in place: it acts on the same ends.
    fileprivate func isAlike(_ other: WorldBehavior) -> Bool {
        switch (rule, other.rule) {
        case (.attachment(let a), .attachment(let b)):
            switch (a.end, b.end) {
            case (.anchor, .anchor): a.item == b.item
            case (.item, .item): a.names == b.names
            case (.anchor, .item), (.item, .anchor): false
            }
        case (.snap(let a, _, _), .snap(let b, _, _)): a == b
        case (.push(_, let a), .push(_, let b)): a.mode == b.mode
        default: true
        }
    }
}
