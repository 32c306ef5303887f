package import ZeroMQ

/// Why the daemon did not do what a client asked. Nothing else is thrown by this library.
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The daemon refused: a code of the protocol to decide by, and a sentence for a person.
    case refused(code: String, message: String)
    /// Nothing came from the endpoint in time: perhaps no daemon runs there.
    case noAnswer(endpoint: String, milliseconds: Int)
    /// The endpoint sent something that the protocol does not allow.
    case badAnswer(endpoint: String, message: String)
    /// Both ends could not agree who they are: the daemon does not let this key in, or one end
    /// alone has keys. It is thrown as soon as the other end says so; the next call tries again.
    /// A daemon may also refuse by silence, which ends as ``noAnswer(endpoint:milliseconds:)``.
    case handshake(endpoint: String, message: String)
    /// Keys cannot be read: the file, the line and the flaw.
    case badKeys(String)
    /// libzmq failed, most often because of a bad endpoint.
    case transport(String)

    package init(_ error: ZeroMQError) { self = .transport(error.description) }

    package init(_ fault: HandshakeFault, of peer: borrowing PeerConnection) {
        self.init(fault, at: peer.endpoint, hasKeys: peer.hasKeys)
    }

    package init(_ fault: HandshakeFault, at endpoint: String, hasKeys: Bool) {
        let message =
            switch (fault, hasKeys) {
            case (.refused, true): "the daemon does not let this key in"
            case (.refused, false): "the daemon lets nobody in without a key"
            case (.mismatch, true): "there is no CURVE at that end; connect without keys"
            case (.mismatch, false): "there is CURVE at that end; connect with a key"
            case (.lost, true):
                "the daemon does not let this key in, or its own is another than the given one"
            case (.lost, false): "the daemon closes the connection at once"
            case (.broken(let code), _):
                "the handshake failed (libzmq's error 0x\(String(code, radix: 16)))"
            }
        self = .handshake(endpoint: endpoint, message: message)
    }

    /// Whether the daemon is away, or lets this client not in: it may be otherwise later.
    package var isAbsence: Bool {
        switch self {
        case .noAnswer, .handshake: true
        case .refused, .badAnswer, .badKeys, .transport: false
        }
    }

    /// One line for a person.
    public var description: String {
        switch self {
        case .refused(let code, let message): "\(code): \(message)"
        case .noAnswer(let endpoint, let milliseconds):
            "no answer from \(endpoint) within \(Double(milliseconds) / 1_000) s"
        case .badAnswer(let endpoint, let message): "\(endpoint) answered badly: \(message)"
        case .handshake(let endpoint, let message): "\(endpoint): \(message)"
        case .badKeys(let message), .transport(let message): message
        }
    }
}

/// Runs a call of libzmq and turns its error into the client's own.
func transport<Result>(
    _ body: () throws(ZeroMQError) -> Result
) throws(ClientError) -> Result {
    do throws(ZeroMQError) {
        return try body()
    } catch {
        throw ClientError(error)
    }
}
