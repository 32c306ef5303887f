import Gestures
import Interactions

/// Contacts whose `began` was refused: the rest of them is swallowed with the same code.
struct RefusedContacts: Hashable, Sendable {
    private struct Contact: Hashable, Sendable {
        var component: String
        var gesture: GestureKind
        var rejection: Rejection
    }

    private var contacts: [Contact] = []

    /// What the contact was refused with, if this phase belongs to a refused one.
    ///
    /// An end closes the contact; a new `began` is judged anew.
    mutating func judge(
        component: String, gesture: GestureKind, phase: Phase?
    ) -> Rejection? {
        guard !contacts.isEmpty, let phase else { return nil }
        let found = contacts.firstIndex {
            $0.gesture == gesture && $0.component == component
        }
        guard let found else { return nil }
        switch phase {
        case .changed: return contacts[found].rejection
        case .ended, .cancelled: return contacts.remove(at: found).rejection
        case .began:
            contacts.remove(at: found)
            return nil
        }
    }

    mutating func insert(component: String, gesture: GestureKind, rejection: Rejection) {
        if contacts.count == Limits.refusedContactsMax { contacts.removeFirst() }
        contacts.append(
            Contact(component: component, gesture: gesture, rejection: rejection))
    }
}
