import Notation
import Protocol

/// Why a client's message is not taken: a code of the protocol, and a sentence for a person.
package struct ClientFault: Error, Hashable, Sendable {
    package var code: String
    package var message: String

    package init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }

    /// How many refusals it counts as. A page cannot know that the daemon goes, and one on a
    /// read-only bridge may be of somebody who only tries: neither is an attack.
    package var weight: Int { code == "unauthorized" || code == "unavailable" ? 0 : 1 }
}

/// A request for the daemon, cut from a client's message.
package struct ClientRequest: Hashable, Sendable {
    /// The text between the quotes of `op`, as it was written; empty if there is none, or if it is
    /// too long for one.
    package var operation: [UInt8]
    /// The `id` as it was written; nil if there is none.
    package var id: [UInt8]?
    /// All other members as they were written, without the braces.
    package var members: [UInt8]
    /// The session that it is about, as far as it is written without escapes; nil: none, or its
    /// name is too long for one.
    package var session: [UInt8]?

    /// The request with the bridge's own number instead of the client's id.
    package func text(number: Int) -> [UInt8] {
        var text = Array("{\"id\":\(number)".utf8)
        if !members.isEmpty { text.append(UInt8(ascii: ",")) }
        text += members
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// Whether it publishes an event with an `id`, which counts once, however often it is sent.
    /// One that is too large to be kept does not count as such: it is not sent again.
    package var countsOnce: Bool {
        guard operation.elementsEqual("publish".utf8), members.count <= Limits.webKeptBytesMax
        else { return false }
        let text = [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
        var hasID = false
        do throws(JSONScanner.Flaw) {
            try JSONScanner.walk(text) { (name, scanner) throws(JSONScanner.Flaw) in
                let isBody = text[name].elementsEqual("body".utf8)
                guard isBody, scanner.next == UInt8(ascii: "{") else {
                    _ = try scanner.skipUnchecked()
                    return
                }
                try scanner.walkObject { (name, scanner) throws(JSONScanner.Flaw) in
                    if text[name].elementsEqual("id".utf8) { hasID = true }
                    _ = try scanner.skipUnchecked()
                }
            }
        } catch {
            return false
        }
        return hasID
    }
}

/// A message of a WebSocket client: one JSON object that says one thing.
package enum ClientMessage: Hashable, Sendable {
    case publish(topic: [UInt8], body: [UInt8])
    case subscribe([UInt8])
    case unsubscribe([UInt8])
    /// The session lives as long as the client.
    case bind(String)
    case unbind(String)
    case request(ClientRequest)
}

extension ClientMessage {
    /// Bytes of a request's `id`: the daemon's own bound.
    static let idBytesMax = 1_024

    /// Reads a message. Parts that go on to the daemon are copied as they are written: the daemon
    /// judges them.
    package init(_ bytes: [UInt8]) throws(ClientFault) {
        var found: [String: Range<Int>] = [:]
        for member in try Self.members(of: bytes, in: nil, "the message") {
            guard member.name.count <= Limits.webNameBytesMax else { continue }
            let name = PeerText.text(bytes[member.name])
            guard found.updateValue(member.value, forKey: name) == nil else {
                throw ClientFault("bad-value", "\(Printable.line(name)) is there twice")
            }
        }
        let verbs = Self.verbs.filter { found[$0] != nil }
        guard let verb = verbs.first, let value = found[verb] else {
            throw ClientFault(
                "missing-field",
                "one of topic, subscribe, unsubscribe, bind, unbind and request must be there")
        }
        guard verbs.count == 1 else {
            throw ClientFault("bad-value", "\(verbs[0]) and \(verbs[1]) are two messages")
        }
        switch verb {
        case "topic":
            let topic = try Self.topic(bytes, value)
            guard let body = found["body"] else {
                throw ClientFault("missing-field", "topic needs a body")
            }
            guard body.count <= Limits.webBodyBytesMax else {
                throw ClientFault(
                    "too-large", "the body of an event has at most \(Limits.webBodyBytesMax) bytes")
            }
            self = .publish(topic: topic, body: Array(bytes[body]))
        case "subscribe": self = .subscribe(try Self.prefix(bytes, value, verb))
        case "unsubscribe": self = .unsubscribe(try Self.prefix(bytes, value, verb))
        case "bind": self = .bind(try Self.session(bytes, value, verb))
        case "unbind": self = .unbind(try Self.session(bytes, value, verb))
        default: self = .request(try Self.request(bytes, value))
        }
    }

    private static let verbs = [
        "topic", "subscribe", "unsubscribe", "bind", "unbind", "request",
    ]

    private static func session(
        _ bytes: [UInt8], _ value: Range<Int>, _ verb: String
    ) throws(ClientFault) -> String {
        let written = try text(bytes, value, verb, atMost: Name.bytesMax)
        guard let name = written.map({ PeerText.text($0) }), Name.isValidSession(name) else {
            throw ClientFault("bad-value", "\(verb) must be \(Name.sessionRule)")
        }
        return name
    }

    private static func members(
        of bytes: [UInt8], in range: Range<Int>?, _ what: String
    ) throws(ClientFault) -> [JSONScanner.Member] {
        let max = Limits.webMembersMax
        let members: [JSONScanner.Member]
        do throws(JSONScanner.Flaw) {
            members = try JSONScanner.members(of: bytes, in: range, atMost: max + 1)
            // An escaped name could say something else to the daemon than it says here.
            for member in members where member.hasEscape {
                throw JSONScanner.Flaw(
                    message: "an escape in a name", place: member.name.lowerBound)
            }
        } catch {
            throw ClientFault("bad-json", "\(what): \(error.message) at byte \(error.place)")
        }
        guard members.count <= max else {
            throw ClientFault("bad-value", "\(what): it has more than limit_members \(max)")
        }
        return members
    }

    private static func topic(
        _ bytes: [UInt8], _ value: Range<Int>
    ) throws(ClientFault) -> [UInt8] {
        guard let topic = try text(bytes, value, "topic", atMost: Name.topicBytesMax) else {
            throw ClientFault("bad-topic", "a topic has at most \(Name.topicBytesMax) bytes")
        }
        return topic
    }

    private static func prefix(
        _ bytes: [UInt8], _ value: Range<Int>, _ name: String
    ) throws(ClientFault) -> [UInt8] {
        let written = try text(bytes, value, name, atMost: Name.topicBytesMax)
        guard let prefix = written, prefix.count <= Name.topicBytesMax else {
            throw ClientFault(
                "too-large", "\(name): a prefix has at most \(Name.topicBytesMax) bytes")
        }
        return prefix
    }

    /// Whether a JSON text is too long to be one of `max` bytes, however it is written.
    private static func isTooLong(_ value: Range<Int>, for max: Int) -> Bool {
        // The quotes stand around it.
        value.count > Limits.webWrittenBytesOfByteMax * max + 2
    }

    /// The bytes of a JSON text; nil where it is too long to be read for one of `max` bytes.
    private static func text(
        _ bytes: [UInt8], _ value: Range<Int>, _ name: String, atMost max: Int
    ) throws(ClientFault) -> [UInt8]? {
        guard bytes[value.lowerBound] == UInt8(ascii: "\"") else {
            throw ClientFault("bad-value", "\(name) is no text")
        }
        if isTooLong(value, for: max) { return nil }
        let inner = bytes[(value.lowerBound + 1)..<(value.upperBound - 1)]
        if !inner.contains(UInt8(ascii: "\\")) { return Array(inner) }
        do throws(DocumentError) {
            let list = try Document.json([UInt8(ascii: "[")] + bytes[value] + [UInt8(ascii: "]")])
            return Array((list.array?.first?.string ?? "").utf8)
        } catch {
            throw ClientFault("bad-json", "\(name): \(error.message)")
        }
    }

    /// A session's name, unless it is too long for one. It is hashed often while its request waits.
    private static func session(named name: ArraySlice<UInt8>) -> [UInt8]? {
        name.count <= Name.bytesMax ? Array(name) : nil
    }

    private static func request(
        _ bytes: [UInt8], _ value: Range<Int>
    ) throws(ClientFault) -> ClientRequest {
        var request = ClientRequest(operation: [], members: [])
        var seen: Set<[UInt8]> = []
        for member in try members(of: bytes, in: value, "request") {
            let isShort = member.name.count <= Limits.webNameBytesMax
            let name = isShort ? Array(bytes[member.name]) : []
            guard !isShort || seen.insert(name).inserted else {
                let shown = Printable.line(String(decoding: name, as: UTF8.self))
                throw ClientFault("bad-value", "request: \(shown) is there twice")
            }
            if name.elementsEqual("id".utf8) {
                guard member.value.count <= idBytesMax else {
                    throw ClientFault("bad-value", "an id has at most \(idBytesMax) bytes")
                }
                request.id = Array(bytes[member.value])
                continue
            }
            if bytes[member.value.lowerBound] == UInt8(ascii: "\"") {
                let text = bytes[member.value].dropFirst().dropLast()
                switch PeerText.text(name) {
                case "op":
                    request.operation = text.count <= Limits.webOperationBytesMax ? Array(text) : []
                case "session": request.session = session(named: text)
                case "topic":
                    let isTooLong = Self.isTooLong(member.value, for: Name.topicBytesMax)
                    let named = isTooLong ? nil : SessionTopic.name(in: Array(text))
                    request.session = named.flatMap { session(named: $0[...]) }
                default: break
                }
            }
            if !request.members.isEmpty { request.members.append(UInt8(ascii: ",")) }
            request.members += bytes[(member.name.lowerBound - 1)..<member.value.upperBound]
        }
        return request
    }
}
