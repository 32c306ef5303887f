import Gestures
package import Interactions
package import Notation

/// Contacts that were refused: the rest of each is suppressed with the same code. Most were refused
/// at their `began`, raw ones also later, once they were recognised.
package struct RefusedContacts: Hashable, Sendable, Codable {
    private struct Entry: Hashable, Sendable, Codable {
        var component: String
        var gesture: GestureKind
        var pointer: PointerNumber?
        var rejection: Rejection
    }

    private var entries: [Entry] = []

    package init() {}

    var isEmpty: Bool { entries.isEmpty }

    /// The rejection of the contact that this sample continues, if it was refused.
    ///
    /// An end closes the contact; a new `began` is judged anew.
    package mutating func judge(_ contact: Contact) -> Rejection? {
        if entries.isEmpty { return nil }
        let found = entries.firstIndex {
            $0.gesture == contact.gesture && $0.pointer == contact.pointer
                && $0.component == contact.component
        }
        guard let found else { return nil }
        switch contact.phase {
        case .changed: return entries[found].rejection
        case .ended, .cancelled: return entries.remove(at: found).rejection
        case .began:
            entries.remove(at: found)
            return nil
        }
    }

    /// Takes out the contacts of a session that opens, by the names that it uses; see `Contact.of`.
    package mutating func remove(of session: String) -> RefusedContacts {
        let prefix = "\(session)/"
        var own = RefusedContacts()
        for var entry in entries where entry.component.hasPrefix(prefix) {
            entry.component.removeFirst(prefix.count)
            own.entries.append(entry)
        }
        if !own.entries.isEmpty { entries.removeAll { $0.component.hasPrefix(prefix) } }
        return own
    }

    package mutating func insert(_ contact: Contact, _ rejection: Rejection) {
        append(
            Entry(
                component: contact.component, gesture: contact.gesture,
                pointer: contact.pointer, rejection: rejection))
    }

    /// Adds others, which were refused later.
    mutating func append(_ others: RefusedContacts) {
        for entry in others.entries { append(entry) }
    }

    private mutating func append(_ entry: Entry) {
        entries.removeAll {
            $0.component == entry.component && $0.gesture == entry.gesture
                && $0.pointer == entry.pointer
        }
        if entries.count == Limits.refusedContactsMax { entries.removeFirst() }
        entries.append(entry)
    }
}

extension RefusedContacts {
    /// Whether decoded entries could have been refused. Their component may not exist.
    var isSound: Bool {
        entries.count <= Limits.refusedContactsMax
            && entries.allSatisfy {
                (Name.isValid($0.component) || $0.component == Contact.ofSession)
                    && $0.rejection.message.utf8.count <= TableReader.textBytesMax
            }
    }
}

extension Limits {
    /// Contacts of which a refused `began` is remembered in a session; the oldest is forgotten.
    package static let refusedContactsMax = 64
}
