package import Gestures

/// The continuous gesture on one component that a sample belongs to.
package struct Contact: Hashable, Sendable {
    package var component: String
    package var gesture: GestureKind
    package var phase: Phase
    /// The number of a raw contact, or a token's symbol; nil: it is neither, or its number could
    /// not be read.
    package var pointer: PointerNumber?

    package init(
        component: String, gesture: GestureKind, phase: Phase, pointer: PointerNumber? = nil
    ) {
        self.component = component
        self.gesture = gesture
        self.phase = phase
        self.pointer = pointer
    }

    /// The component of contacts on a session's own topic.
    package static let ofSession = ""

    /// Nil: the event is part of no continuous gesture.
    package init?(_ event: Event) {
        guard case .gesture(let component, let gesture) = event.payload,
            let phase = gesture.phase
        else { return nil }
        self.init(
            component: component ?? Self.ofSession, gesture: gesture.kind, phase: phase,
            pointer: gesture.number)
    }

    /// The same contact, named among those of all sessions.
    package func of(session: String) -> Contact {
        Contact(
            component: "\(session)/\(component)", gesture: gesture, phase: phase,
            pointer: pointer)
    }
}
