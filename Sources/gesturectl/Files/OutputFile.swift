import Glibc

/// A file that is written.
struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Makes the file anew; where one is there already it is emptied, or with `isNew` kept and
    /// refused. What is no file, as a pipe or a terminal, has nothing to keep; a descriptor of this
    /// process is written as it stands, since to open it anew would forget where its writers are.
    init(_ path: String, isNew: Bool) throws(Failure) {
        self.path = path
        if let own = Self.ownDescriptor(path) {
            descriptor = dup(own)
            guard descriptor >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
            return
        }
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC
        var opened = unsafe open(path, flags | (isNew ? O_EXCL : O_TRUNC), 0o666)
        if opened < 0 && errno == EEXIST {
            var status = stat()
            let isFile = unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
            opened = isFile ? -1 : unsafe open(path, flags)
            if isFile { errno = EEXIST }
        }
        descriptor = opened
        guard descriptor >= 0 else {
            let more = errno == EEXIST ? " (--overwrite writes over it)" : ""
            throw .file("\(path): \(Console.words(for: errno))\(more)")
        }
    }

    /// Standard output, as it is.
    init() throws(Failure) {
        path = "standard output"
        descriptor = dup(STDOUT_FILENO)
        guard descriptor >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    }

    /// A file that was opened already; `path` is what messages call it.
    init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(Failure) {
        let code = Console.writeAll(bytes, to: descriptor)
        if code == EPIPE { throw .outputClosed }
        guard code == 0 else { throw .file("\(path): \(Console.words(for: code))") }
    }

    /// Takes the owner, as far as that is allowed, and the permissions of another file.
    func resemble(_ other: stat) {
        let isOwned = fchown(descriptor, other.st_uid, other.st_gid) == 0
        // Rights that were given to another group are not given to ours.
        let isGroups = isOwned || fchown(descriptor, uid_t.max, other.st_gid) == 0
        fchmod(descriptor, other.st_mode & (isGroups ? 0o777 : 0o707))
    }

    /// Throws what the file system told only late: that the disk is full.
    func finish() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    }
}
