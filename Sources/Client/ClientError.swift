package import ZeroMQ

/// Why the daemon did not do what it was asked.
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It said no, with a code of the protocol and words for a person.
    case refused(code: String, message: String)
    /// Nothing came from the endpoint in time: perhaps no daemon is there.
    case noAnswer(endpoint: String, milliseconds: Int)
    /// What came is not of the protocol.
    case badAnswer(endpoint: String, message: String)
    /// The messaging library failed: a bad endpoint, most often.
    case transport(String)

    package init(_ error: ZeroMQError) { self = .transport(error.description) }

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

/// Runs what may fail in the messaging library, and gives its failure as the client's own.
func transport<Result>(
    _ body: () throws(ZeroMQError) -> Result
) throws(ClientError) -> Result {
    do throws(ZeroMQError) {
        return try body()
    } catch {
        throw ClientError(error)
    }
}
