import Notation
import Protocol
import Recordings

/// The contacts that a player has begun and not ended yet.
struct OpenContacts {
    /// The longest pause between two samples of a contact, as the protocol has it.
    static let pauseMax = Duration.seconds(1)
    /// Milliseconds of silence after which the daemon cancels a contact.
    static let silenceMilliseconds = 3_000.0

    /// Identifies a contact.
    private struct Key: Equatable {
        var topic: [UInt8]
        var gesture: String
        /// The number of a raw contact, or the symbol of a token.
        var number: Node?
    }

    private struct OpenContact {
        var key: Key
        var body: [Node.Member]
        /// The index of its last sample in the recording's events.
        var index: Int
        /// The time of the last sample.
        var sent: ContinuousClock.Instant
        /// Whether its last sample is repeated until the next; nil: not known yet.
        var isKept: Bool?

        var due: ContinuousClock.Instant? { isKept == false ? nil : sent + pauseMax }

        /// The last sample, with another phase.
        func sample(phase: String) -> (topic: [UInt8], body: [UInt8]) {
            let others = body.filter { $0.name != "phase" }
            let phase = Node.Member("phase", Node(.string(phase)))
            return (key.topic, Node(.object(others + [phase])).json())
        }
    }

    private let events: [Recording.Event]
    private var contacts: [OpenContact] = []

    init(in events: [Recording.Event]) { self.events = events }

    var count: Int { contacts.count }

    /// Records that the event at an index was sent.
    mutating func recordSent(_ index: Int, sent: ContinuousClock.Instant) {
        guard let (key, phase, body) = Self.read(events[index]) else { return }
        contacts.removeAll { $0.key == key }
        if ["began", "changed"].contains(phase) {
            contacts.append(OpenContact(key: key, body: body, index: index, sent: sent))
        }
    }

    /// The time of the next repeat, unless another sample comes before.
    var nextDue: ContinuousClock.Instant? { contacts.compactMap(\.due).min() }

    /// The samples to repeat now, one for each contact that paused too long.
    ///
    /// Where the recording itself pauses until the daemon cancels a contact, it did so then, and
    /// does so again.
    mutating func repeated(at now: ContinuousClock.Instant) -> [(topic: [UInt8], body: [UInt8])] {
        var samples: [(topic: [UInt8], body: [UInt8])] = []
        for index in contacts.indices {
            guard let due = contacts[index].due, due <= now else { continue }
            let isKept = contacts[index].isKept ?? continuesInTime(contacts[index])
            contacts[index].isKept = isKept
            contacts[index].sent = now
            if isKept { samples.append(contacts[index].sample(phase: "changed")) }
        }
        return samples
    }

    /// The events that cancel all contacts, each at its last place.
    func cancelled() -> [(topic: [UInt8], body: [UInt8])] {
        contacts.map { $0.sample(phase: "cancelled") }
    }

    /// Whether the next sample follows, in the recording's own time, before the daemon cancels.
    private func continuesInTime(_ contact: OpenContact) -> Bool {
        let end = events[contact.index].time + Self.silenceMilliseconds
        return events[(contact.index + 1)...].lazy.prefix { $0.time < end }.contains {
            $0.topic == contact.key.topic && Self.read($0)?.key == contact.key
        }
    }

    /// Reads a sample of a gesture with phases; nil for other events.
    private static func read(
        _ event: Recording.Event
    ) -> (key: Key, phase: String, body: [Node.Member])? {
        guard event.topic.starts(with: "gesture/".utf8),
            let node = try? Document.json(event.body), let members = node.members,
            let gesture = node["gesture"]?.string, let phase = node["phase"]?.string
        else { return nil }
        let number = node[gesture == "token" ? "symbol" : "pointer"]
        return (Key(topic: event.topic, gesture: gesture, number: number), phase, members)
    }
}
