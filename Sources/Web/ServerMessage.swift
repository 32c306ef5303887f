import Protocol

/// The messages to a WebSocket client, as bytes.
package enum ServerMessage {
    /// `{"topic":T,"body":B}`; `bodyStart` is where the body begins, and it ends before the last
    /// byte.
    static func update(topic: [UInt8], body: [UInt8]) -> (bytes: [UInt8], bodyStart: Int) {
        var buffer = ByteBuffer(capacity: topic.count + body.count + 32)
        buffer.append("{\"topic\":")
        buffer.json(String(decoding: topic, as: UTF8.self))
        buffer.key("body")
        let start = buffer.count
        buffer.append(body)
        buffer.append("}")
        return (buffer.array(), start)
    }

    /// `prefix`: the one that was not subscribed to.
    package static func error(_ fault: ClientFault, prefix: [UInt8]? = nil) -> [UInt8] {
        var buffer = ByteBuffer(capacity: 128)
        buffer.append("{\"error\":")
        append(fault, to: &buffer, prefix: prefix)
        buffer.append("}")
        return buffer.array()
    }

    /// A reply that the bridge gives itself.
    package static func refusal(id: [UInt8]?, _ fault: ClientFault) -> [UInt8] {
        var buffer = ByteBuffer(capacity: 128)
        buffer.append("{\"reply\":{")
        if let id {
            buffer.append("\"id\":")
            buffer.append(id)
            buffer.append(",")
        }
        buffer.append("\"ok\":false,\"error\":")
        append(fault, to: &buffer)
        buffer.append("}}")
        return buffer.array()
    }

    /// The daemon's reply, which carries the bridge's number, with the client's id.
    package static func reply(id: [UInt8]?, _ reply: DaemonReply) -> [UInt8] {
        var buffer = ByteBuffer(capacity: reply.rest.count + (id?.count ?? 0) + 32)
        buffer.append("{\"reply\":{")
        if let id {
            buffer.append("\"id\":")
            buffer.append(id)
            if !reply.rest.isEmpty { buffer.append(",") }
        }
        buffer.append(reply.rest)
        buffer.append("}}")
        return buffer.array()
    }

    private static func append(
        _ fault: ClientFault, to buffer: inout ByteBuffer, prefix: [UInt8]? = nil
    ) {
        buffer.append("{\"code\":")
        buffer.json(fault.code)
        buffer.key("message")
        buffer.json(fault.message)
        if let prefix {
            buffer.key("subscribe")
            buffer.json(String(decoding: prefix, as: UTF8.self))
        }
        buffer.append("}")
    }
}

/// A reply of the daemon to a request of the bridge.
package struct DaemonReply: Hashable, Sendable {
    /// The number that the bridge gave the request.
    package var number: Int
    /// The members behind the id, without braces.
    package var rest: [UInt8]

    /// Nil: the bytes are no reply to a numbered request. The daemon writes the id first.
    package init?(_ bytes: [UInt8]) {
        let lead = Array("{\"id\":".utf8)
        guard bytes.starts(with: lead), bytes.last == UInt8(ascii: "}") else { return nil }
        let digits = bytes[lead.count...].prefix { (0x30...0x39).contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let rest = bytes[digits.endIndex..<(bytes.count - 1)]
        guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        self.number = number
        self.rest = Array(rest.dropFirst())
    }
}
