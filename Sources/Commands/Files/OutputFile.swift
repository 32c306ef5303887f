import Glibc

/// A file to write.
package struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Creates the file, or empties an existing one; with `isNew` an existing file is refused.
    ///
    /// Pipes and terminals are opened as they are. A path that names a descriptor of this process
    /// uses that descriptor, whose position a new one would not share.
    package init(_ path: String, isNew: Bool) throws(Failure) {
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
            let more = errno == EEXIST ? " (--overwrite replaces it)" : ""
            throw .file("\(path): \(Console.words(for: errno))\(more)")
        }
    }

    /// Creates a file that only these users may use, from its first moment on.
    ///
    /// Throws where anything of that name is there.
    package init(creating path: String, mode: UInt32) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0o600)
        guard descriptor >= 0 else {
            throw .file("\(path): \(Console.words(for: errno))")
        }
        // The mask of this process must not take from it: a daemon may run as another user.
        fchmod(descriptor, mode)
    }

    /// Standard output, as it is.
    package init() throws(Failure) {
        path = "standard output"
        descriptor = dup(STDOUT_FILENO)
        guard descriptor >= 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    }

    /// Adopts an open descriptor; `path` is the name in messages.
    package init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Writes lines of JSON. The file may be a terminal, so it takes nothing that commands one.
    package func write(_ json: ShownJSON) throws(Failure) { try write(json.bytes) }

    /// Writes the bytes of a picture, or of text whose control characters are shown.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        let code = Console.writeAll(bytes, to: descriptor)
        if code == EPIPE { throw .outputClosed }
        guard code == 0 else { throw .file("\(path): \(Console.words(for: code))") }
    }

    /// Copies the permissions of another file, and its owner as far as allowed.
    func copyOwnerAndMode(of other: stat) {
        let isOwned = fchown(descriptor, other.st_uid, other.st_gid) == 0
        // Do not give the rights of another group to ours.
        let isGroups = isOwned || fchown(descriptor, uid_t.max, other.st_gid) == 0
        fchmod(descriptor, other.st_mode & (isGroups ? 0o777 : 0o707))
    }

    /// Waits for the disk. Some errors, such as a full disk, appear only here.
    package func syncToDisk() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw .file("\(path): \(Console.words(for: errno))") }
    }
}
