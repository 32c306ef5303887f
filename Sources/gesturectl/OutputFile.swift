import Glibc

/// A file that is written.
struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Makes the file anew; where one is there already it is emptied, or with `isNew` kept and
    /// refused.
    init(_ path: String, isNew: Bool) throws(Failure) {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : O_TRUNC)
        descriptor = unsafe open(path, flags, 0o666)
        guard descriptor >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    }

    /// Standard output, as it is.
    init() throws(Failure) {
        path = "standard output"
        descriptor = dup(STDOUT_FILENO)
        guard descriptor >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(Failure) {
        let code = Console.writeAll(bytes, to: descriptor)
        if code == EPIPE { throw .outputClosed }
        guard code == 0 else { throw .file("\(path): \(Console.words(for: code))") }
    }

    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        try OutputFile(path, isNew: false).write(bytes)
    }
}
