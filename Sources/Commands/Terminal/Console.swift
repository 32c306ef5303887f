import Glibc
package import Notation
import Protocol

/// Standard output for data, and standard error for words.
///
/// This folder owns the screen and the process: `Console` writes, `Style` colors, `Terminal` draws
/// frames, and `InterruptSignals` waits for signals. Commands use these and never write themselves.
/// All that is written is `ShownText` or JSON without control characters, so that neither a daemon
/// nor a file can command the terminal.
package enum Console {
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
    package static func printLine(_ text: ShownText) throws(Failure) {
        try write(Array("\(text.text)\n".utf8))
    }

    /// Prints a value as one line of JSON.
    package static func printJSON(_ node: Node) throws(Failure) { try printJSON(node.json()) }

    /// Prints JSON as one line. Its value stays as it is.
    package static func printJSON(_ bytes: [UInt8]) throws(Failure) {
        try write(ShownJSON(bytes).bytes + [UInt8(ascii: "\n")])
    }

    /// Prints lines of JSON, each with its end.
    package static func printLines(_ json: ShownJSON) throws(Failure) { try write(json.bytes) }

    /// Prints `name value` lines.
    package static func printFields(_ fields: [(path: String, value: String)]) throws(Failure) {
        for (path, value) in fields {
            try printLine("\(Style.output(path, .cyan)) \(value)")
        }
    }

    private static func write(_ bytes: [UInt8]) throws(Failure) {
        switch writeAll(bytes, to: STDOUT_FILENO) {
        case 0: return
        case EPIPE: throw .outputClosed
        case let code: throw .file("standard output: \(words(for: code))")
        }
    }

    /// Prints words on standard error. A failure to write is ignored.
    package static func printError(_ text: ShownText, newline: Bool = true) {
        _ = writeAll(Array((text.text + (newline ? "\n" : "")).utf8), to: STDERR_FILENO)
    }

    /// Prints a warning: the command goes on.
    package static func printWarning(_ text: ShownText) { printError(warning(text)) }

    /// The line that `printWarning` prints.
    package static func warning(_ text: ShownText) -> ShownText {
        "\(Style.errors("gesturectl:", .yellow)) \(text)"
    }

    package static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The words for an errno.
    package static func words(for code: Int32) -> String { unsafe String(cString: strerror(code)) }

    /// Returns 0 or the errno that stopped it. For this type and `OutputFile` alone.
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
