package import GesturedClient

/// Why a command ends before its work is done.
package enum Failure: Error, Equatable {
    /// The command line cannot be understood. Exit status 2.
    case usage(ShownText)
    /// A file cannot be read, or its content is wrong. Exit status 2.
    case file(ShownText)
    /// The daemon refused or did not answer. Exit status 1.
    case daemon(ShownText)
    /// The daemon at an endpoint did not answer. Exit status 1.
    case silence(ShownText, endpoint: String)
    /// The daemon would refuse an event. Exit status 1.
    case event(ShownText)
    /// This machine lacks something, as an address, that may come later. Exit status 1.
    case unavailable(ShownText)
    /// The command has printed what is wrong, and ends with this status.
    case told(Int32)
    /// Nobody reads standard output any more. Exit status 0: the reader has what it wanted.
    case outputClosed
    /// A signal ended the command. Exit status 128 and the signal's number.
    case interrupted(Int32)

    package init(_ error: ClientError) {
        switch error {
        case .refused, .badAnswer, .handshake: self = .daemon("\(error)")
        case .noAnswer(let endpoint, _): self = .silence("\(error)", endpoint: endpoint)
        case .badKeys(let message): self = .file("\(message)")
        // An endpoint to which no socket can be connected.
        case .transport(let message): self = .usage("\(message)")
        }
    }

    package var status: Int32 {
        switch self {
        case .usage, .file: 2
        case .daemon, .silence, .event, .unavailable: 1
        case .told(let status): status
        case .outputClosed: 0
        case .interrupted(let signal): 128 + signal
        }
    }

    /// The daemon's refusal or silence; nil: something else failed.
    package var daemonReason: ShownText? {
        switch self {
        case .daemon(let reason), .silence(let reason, _): reason
        default: nil
        }
    }

    /// The line for standard error; nil: none.
    package var message: ShownText? {
        switch self {
        case .usage(let message), .file(let message), .daemon(let message),
            .silence(let message, _),
            .event(let message), .unavailable(let message):
            message
        case .told, .outputClosed, .interrupted: nil
        }
    }
}

/// Runs calls of the client library, and throws their errors as the tool's own.
package func daemon<Result>(
    _ body: () throws(ClientError) -> Result
) throws(Failure) -> Result {
    do throws(ClientError) {
        return try body()
    } catch {
        throw Failure(error)
    }
}
