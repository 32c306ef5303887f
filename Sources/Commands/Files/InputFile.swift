import Glibc
import Recordings

/// Reads a file of at most `Recording.fileBytesMax` bytes; no recording or scene is longer.
///
/// This folder reads and writes files whole. `OutputFile+Replace` leaves either the old file or the
/// new one, whatever happens.
package func readFile(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    defer { close(descriptor) }
    return try ChunkReader(descriptor: descriptor, name: path).all()
}

/// Reads a file, or standard input where the path is `-`.
package func readFileOrInput(_ path: String) throws(Failure) -> [UInt8] {
    if path != "-" { return try readFile(path) }
    return try ChunkReader(descriptor: STDIN_FILENO, name: inputName(path)).all()
}

/// The name of an input in messages.
package func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Reads a descriptor to its end.
package struct ChunkReader {
    package let descriptor: Int32
    /// The name in messages.
    package let name: String

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    package func all() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try next() {
            bytes += chunk
            if bytes.count > Recording.fileBytesMax {
                throw .file("\(name): larger than \(Recording.fileBytesMax / 1_048_576) MiB")
            }
        }
        return bytes
    }

    package func next() throws(Failure) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count > 0 { return Array(chunk.prefix(count)) }
            if count == 0 { return nil }
            if errno != EINTR { throw .file("\(name): \(Console.words(for: errno))") }
        }
    }
}

/// Reads lines from standard input as they come.
package struct LineReader {
    /// Bytes of a line; more than any event's body.
    package static let lineBytesMax = 1_024 * 1_024

    private let chunks = ChunkReader(descriptor: STDIN_FILENO, name: "standard input")
    private var pending: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of the last returned line, from 1.
    package private(set) var number = 0

    package init() {}

    /// Whether the next line is here already.
    package var hasNextLine: Bool { pending[start...].contains(UInt8(ascii: "\n")) }

    /// The next line without its line end; nil after the last.
    package mutating func next() throws(Failure) -> [UInt8]? {
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
