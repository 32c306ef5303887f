import Glibc
import Recordings

/// Standard output and error: data on the one, words for a person on the other.
enum Console {
    /// Sees to it that nothing that is opened takes the place of a stream that is closed.
    static func holdStandardStreams() {
        // Opened the wrong way round, so that to use it is the error that it was.
        let streams = [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ]
        for (descriptor, way) in streams where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", way)
        }
    }

    /// Writes one line of data at once, so that a pipe's reader has it.
    ///
    /// Throws `outputClosed` when nobody reads any more.
    static func printLine(_ text: String) throws(Failure) { try printLine(Array(text.utf8)) }

    static func printLine(_ bytes: [UInt8]) throws(Failure) {
        try write(bytes + [UInt8(ascii: "\n")])
    }

    /// Writes data as it is.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        switch writeAll(bytes, to: STDOUT_FILENO) {
        case 0: return
        case EPIPE: throw .outputClosed
        case let code: throw .file("standard output: \(words(for: code))")
        }
    }

    /// Words on standard error; what cannot be said there is lost.
    static func printError(_ text: String, newline: Bool = true) {
        _ = writeAll(Array((newline ? text + "\n" : text).utf8), to: STDERR_FILENO)
    }

    /// The same, of what is worth telling and no reason to end.
    static func printWarning(_ text: String) { printError(warning(text)) }

    /// The line that `warn` says.
    static func warning(_ text: String) -> String {
        "\(Style.errors("gesturectl:", .yellow)) \(printable(text))"
    }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// An errno in words.
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

/// The bytes of a file, at most `Recording.fileBytesMax`: longer ones are no recordings or scenes.
func readFile(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    defer { close(descriptor) }
    return try ChunkReader(descriptor: descriptor, name: path).all()
}

/// The same; `-` is standard input, whatever it is.
func readFileOrInput(_ path: String) throws(Failure) -> [UInt8] {
    if path != "-" { return try readFile(path) }
    return try ChunkReader(descriptor: STDIN_FILENO, name: inputName(path)).all()
}

/// What messages call a file that `-` may stand for.
func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Reads a descriptor to its end, piece by piece.
struct ChunkReader {
    let descriptor: Int32
    /// What messages call it.
    let name: String

    func all() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try next() {
            bytes += chunk
            if bytes.count > Recording.fileBytesMax {
                throw .file("\(name): larger than \(Recording.fileBytesMax / 1_048_576) MiB")
            }
        }
        return bytes
    }

    func next() throws(Failure) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count > 0 { return Array(chunk.prefix(count)) }
            if count == 0 { return nil }
            if errno != EINTR { throw .file("\(name): \(Console.words(for: errno))") }
        }
    }
}

/// The lines of standard input, one by one as they come.
struct LineReader {
    /// Bytes of a line: more than any event's body.
    static let lineBytesMax = 1_024 * 1_024

    private let chunks = ChunkReader(descriptor: STDIN_FILENO, name: "standard input")
    private var pending: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// Of the last line returned, from 1.
    private(set) var number = 0

    /// A whole line has been read already, so that the next one need not be waited for.
    var hasMoreWaiting: Bool { pending[start...].contains(UInt8(ascii: "\n")) }

    /// The next line without its end; nil after the last.
    mutating func next() throws(Failure) -> [UInt8]? {
        while true {
            if let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                number += 1
                return Array(pending[start..<end])
            }
            if isAtEnd {
                defer { start = pending.count }
                number += 1
                return start < pending.count ? Array(pending[start...]) : nil
            }
            pending.removeFirst(start)
            start = 0
            guard pending.count <= Self.lineBytesMax else {
                throw .file("standard input:\(number + 1): longer than 1 MiB")
            }
            if let chunk = try chunks.next() { pending += chunk } else { isAtEnd = true }
        }
    }
}
