import Foundation
import Notation

/// Standard output and error before the log exists, and the ready line.
///
/// Paths, endpoints and scenes come from outside; none of them commands the terminal.
package enum StandardStreams {
    /// Prints one line. A failure to write is ignored.
    package static func printLine(_ text: String) {
        write(Printable.line(text), to: .standardOutput)
    }

    /// Prints this program's own text of several lines.
    package static func printOwnLines(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            printLine(String(line))
        }
    }

    /// Prints one line on standard error. A failure to write is ignored.
    package static func printError(_ text: String) {
        write(Printable.line(text), to: .standardError)
    }

    private static func write(_ line: String, to stream: FileHandle) {
        try? stream.write(contentsOf: Data("\(line)\n".utf8))
    }
}
