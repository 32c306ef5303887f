package import Notation
import Protocol

extension Control {
    /// Publishes one event and waits until it is applied and as durable as the daemon makes it.
    ///
    /// `topic` as `notification/alice`, `body` one JSON object. A notification or a command without
    /// an `id` gets a random one. Where no answer comes within a third of the connection's timeout
    /// the same event goes out again, three times in all: by its id it counts once, and the reply
    /// says `"duplicate":true` if an earlier try had reached the daemon. A gesture has no id, so it
    /// is tried once. Returns the reply, a JSON object. Throws as
    /// ``request(_:fields:)-(_,[UInt8])`` does; after
    /// ``ClientError/noAnswer(endpoint:milliseconds:)`` it is not known whether the event was
    /// applied.
    @discardableResult
    public func publish(topic: String, body: [UInt8]) throws(ClientError) -> [UInt8] {
        let members: [Node.Member]
        do throws(DocumentError) {
            guard let given = try Document.json(body, exactly: true).members else {
                throw DocumentError(message: "the body is not a JSON object")
            }
            members = given
        } catch {
            throw ClientError.refused(code: "bad-json", message: error.message)
        }
        return try publish(topic, members).json()
    }

    /// The same with the body's members; returns the reply.
    func publish(_ topic: String, _ members: [Node.Member]) throws(ClientError) -> Node {
        let body = Self.identified(members, topic: topic)
        let fields = [
            Node.Member("topic", Node(.string(topic))), Node.Member("body", Node(.object(body))),
        ]
        return try request("publish", fields, tries: Self.takesID(topic) ? Self.triesMax : 1)
    }

    private static func takesID(_ topic: String) -> Bool {
        topic.hasPrefix("notification/") || topic.hasPrefix("command/")
    }

    /// The members of an event's body, with a random `id` where it can have one and has none.
    package static func identified(_ members: [Node.Member], topic: String) -> [Node.Member] {
        guard takesID(topic), !members.contains(where: { $0.name == "id" }) else { return members }
        return members + [Node.Member("id", Node(.string(randomID())))]
    }

    /// The same with texts.
    @discardableResult
    public func publish(topic: String, body: String) throws(ClientError) -> String {
        String(decoding: try publish(topic: topic, body: Array(body.utf8)), as: UTF8.self)
    }

    /// 128 bits of chance: no two events of a session have the same.
    private static func randomID() -> String {
        String(UInt64.random(in: 0 ... .max), radix: 36)
            + String(UInt64.random(in: 0 ... .max), radix: 36)
    }
}
