import Gestures
package import Interactions

extension Session {
    /// The result of an event.
    package enum Reception: Equatable, Sendable {
        case applied
        /// Its id was applied before; nothing changed.
        case duplicate
        /// To be reported.
        case refused(Rejection)
        /// It continues a refused contact: counted, not reported again.
        case suppressed(Rejection)
    }

    /// Judges and applies one event; see `apply`.
    package mutating func receive(_ event: Event, received: Double) -> Reception {
        // Mostly nothing was refused: then nobody needs the event's contact.
        if !refused.isEmpty, let contact = Contact(event),
            let rejection = refused.judge(contact)
        {
            forgetTouch(contact)
            return .suppressed(rejection)
        }
        do throws(Rejection) {
            switch try apply(event, received: received) {
            case .applied: return .applied
            case .duplicate: return .duplicate
            }
        } catch {
            noteRefusal(of: event, error)
            return .refused(error)
        }
    }

    /// Judges an event that could not be decoded, as far as its contact was to be read.
    package mutating func refuse(_ contact: Contact?, with rejection: Rejection) -> Reception {
        if let contact, let first = refused.judge(contact) { return .suppressed(first) }
        remember(contact, rejection)
        return .refused(rejection)
    }

    /// Suppresses the rest of contacts that were refused before the session opened, beside those
    /// that an imported session brings.
    package mutating func suppress(_ contacts: RefusedContacts) { refused.append(contacts) }

    /// An event was refused when it was applied.
    mutating func noteRefusal(of event: Event, _ rejection: Rejection) {
        guard let contact = Contact(event) else { return }
        remember(contact, rejection)
        forgetTouch(contact)
    }

    mutating func remember(_ contact: Contact?, _ rejection: Rejection) {
        if let contact, contact.phase == .began { refused.insert(contact, rejection) }
    }
}

extension Rejection {
    /// For an event whose id was applied before.
    package static let duplicate = Rejection(.duplicate, "this id was applied already")
}
