package import Gestures

/// The continuous gesture on one component that a sample belongs to.
package struct Contact: Hashable, Sendable {
    package var component: String
    package var gesture: GestureKind
    package var phase: Phase

    package init(component: String, gesture: GestureKind, phase: Phase) {
        self.component = component
        self.gesture = gesture
        self.phase = phase
    }

    /// Nil for what is no continuous gesture.
    package init?(_ event: Event) {
        guard case .gesture(let component, let gesture) = event.payload,
            let phase = gesture.phase
        else { return nil }
        self.init(component: component, gesture: gesture.kind, phase: phase)
    }

    /// The same contact among those of all sessions.
    package func of(session: String) -> Contact {
        Contact(component: "\(session)/\(component)", gesture: gesture, phase: phase)
    }
}
