import CSystem
import Codec
import Interactions
import Notation
import Protocol

/// The sender of a request and the way of its reply. It travels with the request.
///
/// It is copied often, so what is counted by reference, and few envelopes have, stands apart.
struct Envelope: Sendable {
    private var peer: PeerIdentity
    private var number: Int?
    private var rest: Rest?
    /// Whether an empty frame stood before the request, as a REQ sends it.
    let hasDelimiter: Bool
    /// The descriptor of its connection; −1: unknown.
    var descriptor: CInt = -1
    /// The client's number; −1: it has shown no key, or nobody is limited.
    var client = -1
    /// The peer's connection, where its answer could reach another client; 0: it cannot. See
    /// ``connection(of:_:)``.
    var connection: Int64 = 0
    /// Set for `publish`: its session, in whose count of unanswered requests it stands.
    var publishes: NameKey?

    private final class Rest: Sendable {
        let identity: [UInt8]
        let route: [[UInt8]]
        let id: Node?

        init(_ identity: [UInt8], _ route: [[UInt8]], _ id: Node?) {
            (self.identity, self.route, self.id) = (identity, route, id)
        }
    }

    init(
        identity: UnsafeRawBufferPointer, route: [[UInt8]] = [], hasDelimiter: Bool,
        id: Node? = nil
    ) {
        peer = unsafe PeerIdentity(identity)
        self.hasDelimiter = hasDelimiter
        if peer.isLong || !route.isEmpty {
            rest = Rest(peer.isLong ? unsafe Array(identity) : [], route, nil)
        }
        self.id = id
    }

    /// The peer's identity, given by the ROUTER socket.
    var identity: [UInt8] { unsafe withIdentity { unsafe Array($0) } }

    /// Lends the bytes of the peer's identity.
    func withIdentity<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if peer.isLong, let rest {
            let identity = rest.identity
            return try unsafe identity.span.withUnsafeBytes(body)
        }
        return try unsafe peer.withBytes(body)
    }

    /// The frames before the empty one, which the answer carries back: a correlating REQ sends a
    /// number, and each proxy an identity.
    var route: [[UInt8]] { rest?.route ?? [] }

    /// The request's own `id`, of any type.
    var id: Node? {
        get { number.map { Node(.integer($0)) } ?? rest?.id }
        set {
            number = nil
            if case .integer(let whole) = newValue?.value {
                number = whole
            } else if newValue != nil || rest?.id != nil {
                rest = Rest(rest?.identity ?? [], route, newValue)
            }
        }
    }
}

/// The identity of a peer of a ROUTER, in place if it is short: libzmq's own have five bytes.
private struct PeerIdentity {
    private var bytes: (UInt64, UInt64) = (0, 0)
    private var count: UInt8 = 0

    init(_ identity: UnsafeRawBufferPointer) {
        guard identity.count <= MemoryLayout<(UInt64, UInt64)>.size else {
            count = .max
            return
        }
        count = UInt8(identity.count)
        unsafe withUnsafeMutableBytes(of: &bytes) { unsafe $0.copyMemory(from: identity) }
    }

    /// Whether it is too long to stand here.
    var isLong: Bool { count == .max }

    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBytes(of: bytes) { (bytes) throws(Failure) in
            try unsafe body(UnsafeRawBufferPointer(start: bytes.baseAddress, count: Int(count)))
        }
    }
}

extension Envelope {
    /// The connection of a peer that chose its routing id itself; 0: the socket gave it one, which
    /// begins with a zero.
    ///
    /// A ROUTER sends by the routing id alone. Once a peer has gone, another client may connect by
    /// the same one, and would read answers that it may not.
    static func connection(of identity: UnsafeRawBufferPointer, _ descriptor: CInt) -> Int64 {
        guard unsafe identity.first != 0 else { return 0 }
        let connection = gs_connection_identity(descriptor)
        // It has gone already: no connection is this one.
        return connection < 0 ? ChosenIdentities.gone : connection
    }

    /// Whether the peer of the request still has the connection over which it came.
    var isStillThere: Bool {
        connection == 0 || gs_connection_identity(descriptor) == connection
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
