/// A behavior of any kind.
///
/// This room holds what a caller may add (one file per kind, as UIKit Dynamics names them) and how
/// each acts: attachments, snaps and pins become joints; pushes, gravities and fields become
/// accelerations (`Forces`); collisions become fixtures (room `Collision`); item behaviors become
/// materials (room `Items`). `Animator+Behaviors` adds, changes and removes. A new kind needs a
/// case here and a `remove`.
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
    /// Adds a behavior, which acts from the next step on.
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

    /// Changes a behavior. Its kind stays, and its place in the order of solving.
    ///
    /// Attachments, snaps and pins keep their items; pushes keep their mode.
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

/// Identifies a behavior of one animator. An id is never reused.
package struct BehaviorID: Hashable, Sendable {
    let number: UInt32
}
