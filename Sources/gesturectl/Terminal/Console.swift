import Glibc
import Notation
import Protocol

/// Standard output for data, and standard error for words.
///
/// This folder owns the screen and the process: `Console` writes, `Style` colors, `Terminal` draws
/// frames, and `Signals` waits for signals. Commands use these and never call `write` themselves.
enum Console {
    /// Opens closed standard streams, so that no file takes their descriptors.
    static func holdStandardStreams() {
        // Opened in the wrong direction, so that using it remains an error.
        let streams = [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ]
        for (descriptor, way) in streams where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", way)
        }
    }

    /// Prints one line of data, unbuffered, so that a pipe's reader has it at once.
    ///
    /// Throws `outputClosed` when nobody reads any more.
    static func printLine(_ text: String) throws(Failure) { try printLine(Array(text.utf8)) }

    static func printLine(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes + [UInt8(ascii: "\n")])
    }

    /// Prints a value as one line of JSON.
    static func printJSON(_ node: Node) throws(Failure) { try printLine(node.json()) }

    /// Prints `name value` lines.
    static func printFields(_ fields: [(path: String, value: String)]) throws(Failure) {
        for (path, value) in fields {
            try printLine("\(Style.output(Printable.line(path), .cyan)) \(Printable.line(value))")
        }
    }

    /// Writes data without a line end.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        switch writeAll(bytes, to: STDOUT_FILENO) {
        case 0: return
        case EPIPE: throw .outputClosed
        case let code: throw .file("standard output: \(words(for: code))")
        }
    }

    /// Prints words on standard error. A failure to write is ignored.
    static func printError(_ text: String, newline: Bool = true) {
        _ = writeAll(Array((newline ? text + "\n" : text).utf8), to: STDERR_FILENO)
    }

    /// Prints a warning: the command goes on.
    static func printWarning(_ text: String) { printError(warning(text)) }

    /// The line that `printWarning` prints.
    static func warning(_ text: String) -> String {
        "\(Style.errors("gesturectl:", .yellow)) \(Printable.line(text))"
    }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The words for an errno.
    static func words(for code: Int32) -> String { unsafe String(cString: strerror(code)) }

    /// Returns 0 or the errno that stopped it.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            written += count
        }
        return 0
    }
}
