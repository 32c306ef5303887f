import Gestures
package import Interactions
package import Notation

/// Contacts whose `began` was refused, and raw ones that were refused later for what they turned
/// out to be: the rest of them is suppressed with the same code.
package struct RefusedContacts: Hashable, Sendable, Codable {
    private struct Entry: Hashable, Sendable, Codable {
        var component: String
        var gesture: GestureKind
        var pointer: Int?
        var rejection: Rejection
    }

    private var entries: [Entry] = []

    package init() {}

    /// What the contact was refused with, if this sample belongs to a refused one.
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

    /// Takes out those of a session that opens, named as it names them; see `Contact.of`.
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

    /// Takes in others, which were refused later.
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
    /// Whether decoded ones could have been refused; on a component that there is not, perhaps.
    var isSound: Bool {
        entries.count <= Limits.refusedContactsMax
            && entries.allSatisfy {
                Name.isValid($0.component)
                    && $0.rejection.message.utf8.count <= TableReader.textBytesMax
            }
    }
}

extension Limits {
    /// Contacts of which a refused `began` is remembered in a session; the oldest is forgotten.
    package static let refusedContactsMax = 32
}
