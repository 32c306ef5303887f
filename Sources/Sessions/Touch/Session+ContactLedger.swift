import Geometry
import Gestures
import Interactions

/// How the session knows which contacts are down, and whose they are.
extension Session {
    /// Tells contacts from now on, or no more. Returns whether that is to be told.
    package mutating func tellTouches(_ isOn: Bool) -> Bool { touches.set(isOn: isOn) }

    /// The contacts as updates tell them; nil: none was told in this epoch.
    package var toldTouches: ContactLedger? {
        touches.publication == nil ? nil : touches.told.heard(at: motion)
    }

    /// A gesture was applied on the topic of a component, or for nil on the session's own.
    mutating func noteApplied(_ gesture: Gesture, on component: Int?, by publisher: UInt32) {
        if reacting.heedsTouches, !effects.isOfRest { noteTouch() }
        effects.isOfRest = false
        guard case .pointer(let pointer) = gesture else { return }
        guard let component else {
            touches.take(
                pointer, at: pointer.location, on: nil, by: publisher, now: motion)
            return
        }
        guard pointer.phase.goesOn, let point = pointInViewport(of: pointer, on: component) else {
            // It has ended, or its slot has gone, and nobody knows where the finger is.
            touches.remove(pointer.pointer, on: component)
            return
        }
        touches.take(pointer, at: point, on: component, by: publisher, now: motion)
    }

    /// The point of a contact whose place is in a component's coordinates; nil: the slot of what
    /// holds the component is absent.
    private mutating func pointInViewport(of pointer: Pointer, on component: Int) -> Vector? {
        // Mostly nothing holds it, and this spares a copy of the session.
        if scene.components[component].placement.holder == nil {
            return pointer.location + scene.components[component].placement.frame.origin
        }
        return coordinates(of: component)?.origin(of: pointer.location)
    }

    /// A contact was refused: the rest of it is, too.
    mutating func forgetTouch(_ contact: Contact) {
        guard contact.gesture == .pointer, let pointer = contact.pointer, !touches.ledger.isEmpty
        else { return }
        if contact.component == Contact.ofSession {
            touches.remove(pointer, on: nil)
        } else if let index = scene.components.firstIndex(where: { $0.id == contact.component }) {
            touches.remove(pointer, on: index)
        }
    }

    // MARK: Users

    /// Notes whose sample is about to be applied, as far as anything may react to it.
    mutating func noteUser(of gesture: Gesture, on component: Int?) {
        guard !scene.reactions.isEmpty else { return }
        if case .token(let token) = gesture { user = token.user }
        guard case .pointer(let pointer) = gesture else { return }
        user = pointer.user ?? touches.ledger.user(of: pointer.pointer, on: component)
    }

    /// Notes whose contact leads to what time alone brings, such as a long press: the one that a
    /// component has heard of first.
    mutating func noteUser(ofContactsOn component: Int) {
        guard !scene.reactions.isEmpty, !touches.ledger.isEmpty else { return }
        user = nil
        for entry in touches.ledger.entries {
            let isHeard =
                entry.component == component
                || entry.component == nil
                    && routes.open.contains {
                        $0.gesture == .pointer && $0.pointer == entry.pointer
                            && $0.listeners.contains(component)
                    }
            guard isHeard else { continue }
            user = entry.user
            return
        }
    }
}
