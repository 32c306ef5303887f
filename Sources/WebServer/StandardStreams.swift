import Foundation
import Notation

/// Standard output and error. Paths and addresses come from outside; none commands the terminal.
enum StandardStreams {
    static func printLine(_ text: String) { write(Printable.line(text), to: .standardOutput) }

    /// Prints this program's own text of several lines.
    static func printOwnLines(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            printLine(String(line))
        }
    }

    static func printError(_ text: String) { write(Printable.line(text), to: .standardError) }

    private static func write(_ line: String, to stream: FileHandle) {
        try? stream.write(contentsOf: Data("\(line)\n".utf8))
    }
}
