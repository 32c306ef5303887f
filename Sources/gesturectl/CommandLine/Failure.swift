import GesturedClient

/// Why a command ends before its work is done.
enum Failure: Error, Equatable {
    /// What was typed cannot be understood. Exit status 2.
    case usage(String)
    /// A file cannot be read or is not what it should be. Exit status 2.
    case file(String)
    /// The daemon refused or did not answer. Exit status 1.
    case daemon(String)
    /// Nobody reads standard output any more. Exit status 0: the reader has what it wanted.
    case outputClosed
    /// A signal ended it before its work was done. Exit status 128 and the signal's number.
    case interrupted(Int32)

    init(_ error: ClientError) {
        switch error {
        case .refused, .noAnswer, .badAnswer: self = .daemon(error.description)
        // An endpoint that no socket can be connected to.
        case .transport(let message): self = .usage(message)
        }
    }

    var status: Int32 {
        switch self {
        case .usage, .file: 2
        case .daemon: 1
        case .outputClosed: 0
        case .interrupted(let signal): 128 + signal
        }
    }
}

/// Runs what may fail at the daemon, and gives its failure as the tool's own.
func daemon<Result>(
    _ body: () throws(ClientError) -> Result
) throws(Failure) -> Result {
    do throws(ClientError) {
        return try body()
    } catch {
        throw Failure(error)
    }
}
