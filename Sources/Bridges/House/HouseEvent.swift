package import Notation
import Protocol

/// Why a message of the broker becomes no event.
package enum HouseFault: String, Error, Hashable, Sendable {
    case badTopic = "bad-topic"
    case badPayload = "bad-payload"
    case badValue = "bad-value"
    case tooLarge = "too-large"
    case valueTooLong = "value-too-long"

    package var message: String {
        switch self {
        case .badTopic: "the topic is none of gestured's"
        case .badPayload:
            "the payload is neither a JSON object nor a name (of a kind, or of a command)"
        case .badValue:
            "the payload is no value of a variable: a number, true, false, or a text in UTF-8"
        case .tooLarge: "the payload has more than \(HouseEvent.payloadBytesMax) bytes"
        case .valueTooLong:
            "a variable's text has at most \(HouseEvent.textBytesMax) bytes"
        }
    }
}

/// An event for the daemon, as a message of the broker asks for it.
package struct HouseEvent: Hashable, Sendable {
    /// The daemon's bound of a body, less the id that may be added.
    package static let payloadBytesMax = 65_536 - 128
    /// The daemon's bound of a variable's text, in bytes of UTF-8.
    package static let textBytesMax = 4 * 1_024
    /// Bytes of a variable's value: JSON may write each byte of a text with six, as `\\u0041`.
    package static let valueBytesMax = 6 * textBytesMax + 2

    package var topic: String
    package var body: [Node.Member]
    /// The topic that a refusal names: the daemon's; for a variable the broker's, which alone says
    /// which one it is.
    package var toldTopic: String

    /// Reads a message: a JSON object is the event's body; a plain name is a notification's kind,
    /// or a command. For a variable it is the value.
    package init(
        topic: String, payload: [UInt8], _ topics: HouseTopics
    ) throws(HouseFault) {
        guard let event = topics.event(for: topic) else { throw .badTopic }
        guard payload.count <= Self.payloadBytesMax else { throw .tooLarge }
        self.topic = event
        if let variable = topics.variable(ofInput: topic) {
            toldTopic = topic
            body = [
                Node.Member("command", Node(.string("assign"))),
                Node.Member(
                    "values",
                    Node(.object([Node.Member(variable, try Self.value(payload))]))),
            ]
            return
        }
        toldTopic = event
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

    /// Reads a variable's value: a number, a truth value or a text, as JSON. Any other payload is a
    /// text as it stands, so that a person need not quote. Whether the variable takes a value of
    /// this type is the daemon's to say.
    private static func value(_ payload: [UInt8]) throws(HouseFault) -> Node {
        guard !payload.isEmpty else { throw .badValue }
        guard payload.count <= valueBytesMax else { throw .valueTooLong }
        let value: Node
        if let read = try? Document.json(payload) {
            value = read
        } else if let text = String(validating: payload, as: UTF8.self) {
            value = Node(.string(text))
        } else {
            throw .badValue
        }
        switch value.value {
        case .bool, .integer, .unsigned, .number: return value
        case .string(let text):
            guard text.utf8.count <= textBytesMax else { throw .valueTooLong }
            return value
        case .null, .array, .object: throw .badValue
        }
    }

    /// Whether its sender gave it an id, also one that the daemon will refuse.
    package var hasID: Bool { body.contains { $0.name == "id" } }
}
