/// Any behavior, for those who keep them all in one list.
package enum Behavior: Hashable, Sendable {
    case attachment(Attachment)
    case snap(Snap)
    case push(Push)
    case gravity(Gravity)
    case collision(Collision)
    case properties(ItemBehavior)
    case field(Field)
    case pin(Pin)
}

extension Animator {
    /// Lets a behavior act from the next step on.
    package mutating func add(_ behavior: Behavior) -> BehaviorID {
        switch behavior {
        case .attachment(let attachment): add(attachment)
        case .snap(let snap): add(snap)
        case .push(let push): add(push)
        case .gravity(let gravity): add(gravity)
        case .collision(let collision): add(collision)
        case .properties(let properties): add(properties)
        case .field(let field): add(field)
        case .pin(let pin): add(pin)
        }
    }

    /// Changes a behavior in its place; it stays of its kind.
    ///
    /// Attachments, snaps and pins stay on their items, pushes of their mode.
    package mutating func change(_ id: BehaviorID, to behavior: Behavior) {
        switch behavior {
        case .attachment(let attachment): change(id, to: attachment)
        case .snap(let snap): change(id, to: snap)
        case .push(let push): change(id, to: push)
        case .gravity(let gravity): change(id, to: gravity)
        case .collision(let collision): change(id, to: collision)
        case .properties(let properties): change(id, to: properties)
        case .field(let field): change(id, to: field)
        case .pin(let pin): change(id, to: pin)
        }
    }
}
