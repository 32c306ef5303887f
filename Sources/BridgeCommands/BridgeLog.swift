import Commands
import Supervision

/// Prints what a bridge says on standard error: each line with its time, unless a journal keeps it.
enum BridgeLog {
    static func printLine(_ text: ShownText) {
        Console.printError("\(StandardStreams.logTime)\(text)")
    }

    /// Prints a warning: the bridge goes on.
    static func printWarning(_ text: ShownText) { printLine(Console.warning(text)) }

    /// Prints why a bridge ends. Returns what the tool has still to say: it explains a wrong
    /// command line, and the silence of a daemon.
    static func told(_ failure: Failure) -> Failure {
        switch failure {
        case .usage, .silence, .told, .outputClosed, .interrupted: return failure
        case .file(let reason), .daemon(let reason), .event(let reason), .unavailable(let reason):
            printLine("\(Style.errors("gesturectl:", .red)) \(reason)")
            return .told(failure.status)
        }
    }
}
