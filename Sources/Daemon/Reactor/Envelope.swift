import CSystem
import Codec
import Interactions
import Notation
import Protocol

/// The sender of a request and the way of its reply. It travels with the request.
struct Envelope: Sendable {
    /// The peer's identity, given by the ROUTER socket.
    var identity: [UInt8]
    /// The frames before the empty one, which the answer carries back: a correlating REQ sends a
    /// number, and each proxy an identity.
    var route: [[UInt8]] = []
    /// Whether an empty frame stood before the request, as a REQ sends it.
    var hasDelimiter: Bool
    /// The descriptor of its connection; −1: unknown.
    var descriptor: CInt = -1
    /// The client's number; −1: it has shown no key, or nobody is limited.
    var client = -1
    /// The peer's connection, where its answer could reach another client; 0: it cannot. See
    /// ``connection(of:_:)``.
    var connection: Int64 = 0
    /// The request's own `id`, of any type.
    var id: Node?
    /// Set for `publish`: its session, in whose count of unanswered requests it stands.
    var publishes: String?
}

extension Envelope {
    /// The connection of a peer that chose its routing id itself; 0: the socket gave it one, which
    /// begins with a zero.
    ///
    /// A ROUTER sends by the routing id alone. Once a peer has gone, another client may connect by
    /// the same one, and would read answers that it may not.
    static func connection(of identity: [UInt8], _ descriptor: CInt) -> Int64 {
        guard identity.first != 0 else { return 0 }
        let connection = gs_connection_identity(descriptor)
        // It has gone already: no connection is this one.
        return connection < 0 ? .max : connection
    }

    /// Whether the peer of the request still has the connection over which it came.
    var isStillThere: Bool {
        connection == 0 || gs_connection_identity(descriptor) == connection
    }

    /// Splits a message of the ROUTER socket at its first empty frame. Without one, or with one at
    /// the end, the request stands behind the identity. Nil for the request where the frames do not
    /// fit, or the envelope is beyond its bounds; then the answer goes to the sender alone.
    static func split(_ frames: [[UInt8]]) -> (Envelope, request: [UInt8]?) {
        let identity = frames[0]
        // The shapes of a DEALER and of a REQ come often, and need no search.
        if frames.count == 2 {
            return (Envelope(identity: identity, hasDelimiter: false), frames[1])
        }
        if frames.count == 3, frames[1].isEmpty {
            return (Envelope(identity: identity, hasDelimiter: true), frames[2])
        }
        guard let delimiter = frames.dropFirst().firstIndex(where: { $0.isEmpty }),
            delimiter < frames.count - 1
        else {
            return (Envelope(identity: identity, hasDelimiter: false), nil)
        }
        let route = Array(frames[1..<delimiter])
        let isWhole =
            delimiter == frames.count - 2 && route.count < Limits.envelopeFramesMax
            && route.reduce(0) { $0 + $1.count } <= Limits.envelopeBytesMax
        return (
            Envelope(identity: identity, route: isWhole ? route : [], hasDelimiter: true),
            isWhole ? frames.last : nil
        )
    }
}

extension Limits {
    /// Frames before a request, with the empty one: a correlating REQ sends two, and each proxy
    /// adds one. They wait with the answer.
    static let envelopeFramesMax = 8
    /// Bytes of these frames: libzmq's identities have at most 255.
    static let envelopeBytesMax = 2_048
}

extension Chunk {
    /// Appends `{"ok":true,…}` with the members that `fields` writes.
    func reply(to envelope: Envelope, _ fields: (inout ByteBuffer) -> Void) {
        let start = bytes.count
        Reply.begin(id: envelope.id, into: &bytes)
        fields(&bytes)
        Reply.end(into: &bytes)
        end(.reply(envelope), from: start)
    }

    /// Appends `{"ok":false,…}` with the code and the message.
    func refuse(_ envelope: Envelope, _ rejection: Rejection) {
        let start = bytes.count
        Reply.failure(id: envelope.id, rejection, into: &bytes)
        end(.reply(envelope), from: start)
    }
}
