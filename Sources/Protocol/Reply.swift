package import Notation

/// Appends replies to control requests. For a reply with fields call `begin`, then
/// `ByteBuffer.key` and `json` for each field, then `end`.
package enum Reply {
    /// `{"id":…,"ok":true`, without the id if the request had none.
    package static func begin(id: Node?, into buffer: inout ByteBuffer) {
        open(id, into: &buffer)
        buffer.append("\"ok\":true")
    }

    package static func end(into buffer: inout ByteBuffer) { buffer.append("}") }

    /// A complete reply without further fields.
    package static func ok(id: Node?, into buffer: inout ByteBuffer) {
        begin(id: id, into: &buffer)
        end(into: &buffer)
    }

    /// `owner` is JSON, for the code `moved` alone.
    package static func failure(
        id: Node?, code: String, message: String, owner: [UInt8]? = nil,
        into buffer: inout ByteBuffer
    ) {
        open(id, into: &buffer)
        buffer.append("\"ok\":false,\"error\":{\"code\":")
        buffer.json(code)
        buffer.key("message")
        buffer.json(message)
        if let owner {
            buffer.key("owner")
            buffer.append(owner)
        }
        buffer.append("}}")
    }

    private static func open(_ id: Node?, into buffer: inout ByteBuffer) {
        buffer.append("{")
        guard let id else { return }
        buffer.append("\"id\":")
        buffer.json(id)
        buffer.append(",")
    }
}
