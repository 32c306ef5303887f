import Commands
import Glibc

/// Follows a file to which another process writes captions, a line each, and knows the newest one.
///
/// `replay` writes them to standard error, so `replay FILE 2>captions` makes such a file.
struct CaptionFile {
    /// Bytes at the file's end that are looked at; a longer line is cut at its front.
    static let tailBytesMax = 4_096
    /// The pause between two looks: shorter than anybody reads.
    private static let pause = Duration.milliseconds(200)

    private let path: String
    private var next = ContinuousClock.now
    private var length: off_t = 0
    private(set) var newest = ""

    /// Fails where the file cannot be read.
    init(_ path: String) throws(Failure) {
        self.path = path
        guard let tail = readTail() else {
            throw .file("\(path): \(Console.words(for: errno))")
        }
        newest = Self.lastLine(of: tail)
    }

    /// Looks at the file if it is time; returns whether the newest caption changed.
    mutating func look() -> Bool {
        guard next <= .now else { return false }
        next = .now + Self.pause
        let before = (newest, length)
        // A file that has gone keeps its last caption.
        guard let tail = readTail(), length != before.1 else { return false }
        newest = Self.lastLine(of: tail)
        return newest != before.0
    }

    /// The last line that is whole and not blank.
    static func lastLine(of tail: [UInt8]) -> String {
        let lines = tail.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let whole = lines.dropLast().last { !$0.allSatisfy { $0 == UInt8(ascii: " ") } }
        return whole.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private mutating func readTail() -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        length = lseek(descriptor, 0, SEEK_END)
        guard length >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.tailBytesMax)
        let start = max(length - off_t(bytes.count), 0)
        let count = unsafe pread(descriptor, &bytes, bytes.count, start)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }
}
