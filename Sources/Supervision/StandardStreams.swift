import Glibc
import Notation
import Platform

/// Standard output and error before the log exists, and the ready line.
///
/// Paths, endpoints and scenes come from outside; none of them commands the terminal.
package enum StandardStreams {
    /// Prints one line. A failure to write is ignored.
    package static func printLine(_ text: String) {
        write(Printable.line(text), to: STDOUT_FILENO)
    }

    /// Prints this program's own text of several lines.
    package static func printOwnLines(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            printLine(String(line))
        }
    }

    /// Prints one line on standard error. A failure to write is ignored.
    package static func printError(_ text: String) {
        write(Printable.line(text), to: STDERR_FILENO)
    }

    /// Prints one line of a program that runs as a service, with its time unless a journal keeps
    /// that.
    package static func printLog(_ text: String) { printError(logTime + text) }

    /// The beginning of such a line: the time in UTC and a space; empty where a journal reads
    /// standard error.
    package static var logTime: String {
        let isKept = isJournal(STDERR_FILENO, stream: Host.variable("JOURNAL_STREAM"))
        return isKept ? "" : "\(Timestamp.now) "
    }

    /// Whether the journal reads a descriptor: `$JOURNAL_STREAM` then names its file.
    package static func isJournal(_ descriptor: CInt, stream: String?) -> Bool {
        guard let parts = stream?.split(separator: ":"), parts.count == 2,
            let device = UInt64(parts[0]), let inode = UInt64(parts[1])
        else { return false }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
    }

    private static func write(_ line: String, to descriptor: CInt) {
        _ = File.writeAll(Array("\(line)\n".utf8), to: descriptor)
    }
}
