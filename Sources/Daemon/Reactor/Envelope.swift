import Codec
import Interactions
import Notation
import Protocol

/// The sender of a request and the way of its reply. It travels with the request.
struct Envelope: Sendable {
    /// The peer's identity, given by the ROUTER socket.
    var identity: [UInt8]
    /// Whether an empty frame stood before the request, as a REQ sends it.
    var hasDelimiter: Bool
    /// The request's own `id`, of any type.
    var id: Node?
    /// Set for `publish`: its session, in whose count of unanswered requests it stands.
    var publishes: String?
}

extension Chunk {
    /// Appends `{"ok":true,…}` with the members that `fields` writes.
    func reply(to envelope: Envelope, _ fields: (inout ByteBuffer) -> Void) {
        let start = bytes.count
        Reply.begin(id: envelope.id, into: &bytes)
        fields(&bytes)
        Reply.end(into: &bytes)
        records.append(Record(destination: .reply(envelope), range: start..<bytes.count))
    }

    /// Appends `{"ok":false,…}` with the code and the message.
    func refuse(_ envelope: Envelope, _ rejection: Rejection) {
        let start = bytes.count
        Reply.failure(id: envelope.id, rejection, into: &bytes)
        records.append(Record(destination: .reply(envelope), range: start..<bytes.count))
    }
}
