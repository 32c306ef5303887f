package import Notation
import Protocol

/// Why a message of the broker becomes no event.
package enum HouseFault: String, Error, Hashable, Sendable {
    case badTopic = "bad-topic"
    case badPayload = "bad-payload"
    case tooLarge = "too-large"

    package var message: String {
        switch self {
        case .badTopic: "the topic is none of gestured's"
        case .badPayload:
            "the payload is neither a JSON object nor a name (of a kind, or of a command)"
        case .tooLarge: "the payload has more than \(HouseEvent.payloadBytesMax) bytes"
        }
    }
}

/// An event for the daemon, as a message of the broker asks for it.
package struct HouseEvent: Hashable, Sendable {
    /// The daemon's bound of a body, less the id that may be added.
    package static let payloadBytesMax = 65_536 - 128

    package var topic: String
    package var body: [Node.Member]

    /// Reads a message: a JSON object is the event's body; a plain name is a notification's kind,
    /// or a command.
    package init(
        topic: String, payload: [UInt8], _ topics: HouseTopics
    ) throws(HouseFault) {
        guard let event = topics.event(for: topic) else { throw .badTopic }
        guard payload.count <= Self.payloadBytesMax else { throw .tooLarge }
        self.topic = event
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let words = payload.split(whereSeparator: blanks.contains)
        if words.first?.first == UInt8(ascii: "{") {
            guard let members = (try? Document.json(payload))?.members else { throw .badPayload }
            body = members
            return
        }
        let name = words.first.map { PeerText.text($0) } ?? ""
        guard words.count == 1, Name.isValid(name) else { throw .badPayload }
        let key = event.hasPrefix("notification/") ? "kind" : "command"
        body = [Node.Member(key, Node(.string(name)))]
    }

    /// Whether its sender gave it an id, also one that the daemon will refuse.
    package var hasID: Bool { body.contains { $0.name == "id" } }
}
