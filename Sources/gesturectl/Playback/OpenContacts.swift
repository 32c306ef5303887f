import Notation
import Protocol
import Recordings

/// What a player has begun and not ended yet.
struct OpenContacts {
    /// The longest that a publisher may say nothing of what is down, as the protocol has it.
    static let pauseMax = Duration.seconds(1)
    /// Milliseconds of silence after which the daemon cancels what is down.
    static let silenceMilliseconds = 3_000.0

    /// What tells one contact from another.
    private struct Key: Equatable {
        var topic: [UInt8]
        var gesture: String
        var pointer: Node?
    }

    private struct Contact {
        var key: Key
        var body: [Node.Member]
        /// The place of its last sample among the recording's events.
        var place: Int
        /// When something of it was sent last.
        var sent: ContinuousClock.Instant
        /// Whether it is repeated until its next sample; nil: not known yet.
        var isKept: Bool?

        var due: ContinuousClock.Instant? { isKept == false ? nil : sent + pauseMax }

        /// The last sample again, as one of this phase.
        func said(phase: String) -> (topic: [UInt8], body: [UInt8]) {
            let others = body.filter { $0.name != "phase" }
            let phase = Node.Member("phase", Node(.string(phase)))
            return (key.topic, Node(.object(others + [phase])).json())
        }
    }

    private let events: [Recording.Event]
    private var contacts: [Contact] = []

    init(in events: [Recording.Event]) { self.events = events }

    var count: Int { contacts.count }

    /// Takes the event at a place, which was sent.
    mutating func follow(_ place: Int, sent: ContinuousClock.Instant) {
        guard let (key, phase, body) = Self.read(events[place]) else { return }
        contacts.removeAll { $0.key == key }
        if ["began", "changed"].contains(phase) {
            contacts.append(Contact(key: key, body: body, place: place, sent: sent))
        }
    }

    /// When something is to be repeated next, unless another sample of it comes before.
    var nextDue: ContinuousClock.Instant? { contacts.compactMap(\.due).min() }

    /// The last samples of those of which nothing was said for as long as may be.
    ///
    /// Where the recording itself says nothing for so long that the daemon cancels, it did so when
    /// it was recorded, and it shall again.
    mutating func repeated(at now: ContinuousClock.Instant) -> [(topic: [UInt8], body: [UInt8])] {
        var samples: [(topic: [UInt8], body: [UInt8])] = []
        for index in contacts.indices {
            guard let due = contacts[index].due, due <= now else { continue }
            let isKept = contacts[index].isKept ?? goesOn(contacts[index])
            contacts[index].isKept = isKept
            contacts[index].sent = now
            if isKept { samples.append(contacts[index].said(phase: "changed")) }
        }
        return samples
    }

    /// The events that cancel them all, each where it was last.
    func cancelled() -> [(topic: [UInt8], body: [UInt8])] {
        contacts.map { $0.said(phase: "cancelled") }
    }

    /// Whether its next sample follows, in the recording's own time, before the daemon cancels it.
    private func goesOn(_ contact: Contact) -> Bool {
        let end = events[contact.place].time + Self.silenceMilliseconds
        return events[(contact.place + 1)...].lazy.prefix { $0.time < end }.contains {
            $0.topic == contact.key.topic && Self.read($0)?.key == contact.key
        }
    }

    /// A sample of a gesture that has phases; nil for all else.
    private static func read(
        _ event: Recording.Event
    ) -> (key: Key, phase: String, body: [Node.Member])? {
        guard event.topic.starts(with: "gesture/".utf8),
            let node = try? Document.json(event.body), let members = node.members,
            let gesture = node["gesture"]?.string, let phase = node["phase"]?.string
        else { return nil }
        return (Key(topic: event.topic, gesture: gesture, pointer: node["pointer"]), phase, members)
    }
}
