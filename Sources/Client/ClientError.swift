package import ZeroMQ

/// Why the daemon did not do what a client asked. Nothing else is thrown by this library.
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The daemon refused: a code of the protocol to decide by, and a sentence for a person.
    case refused(code: String, message: String)
    /// Nothing came from the endpoint in time: perhaps no daemon runs there.
    case noAnswer(endpoint: String, milliseconds: Int)
    /// The endpoint sent something that the protocol does not allow.
    case badAnswer(endpoint: String, message: String)
    /// libzmq failed, most often because of a bad endpoint.
    case transport(String)

    package init(_ error: ZeroMQError) { self = .transport(error.description) }

    /// One line for a person.
    public var description: String {
        switch self {
        case .refused(let code, let message): "\(code): \(message)"
        case .noAnswer(let endpoint, let milliseconds):
            "no answer from \(endpoint) within \(Double(milliseconds) / 1_000) s"
        case .badAnswer(let endpoint, let message): "\(endpoint) answered badly: \(message)"
        case .transport(let message): message
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
