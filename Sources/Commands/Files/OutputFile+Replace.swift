import Glibc

extension OutputFile {
    /// Bytes written between two looks for a signal.
    private static let pieceBytes = 1_024 * 1_024
    /// Attempts to find a free name for the temporary file.
    private static let attemptsMax = 8
    /// Descriptors to compare; a shell passes only a few.
    private static let descriptorsMax: Int32 = 256

    /// Replaces a file with lines of JSON, as ``replace(_:with:)`` with bytes does.
    package static func replace(_ path: String, with json: ShownJSON) throws(Failure) {
        try replace(path, with: json.bytes)
    }

    /// Replaces a file, completely or not at all.
    ///
    /// Pipes, terminals, files that this process writes already, and files in folders where no
    /// other can be created or renamed are written in place.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        if ownDescriptor(path) != nil { return try OutputFile(path, isNew: false).write(bytes) }
        let former = status { unsafe stat(path, &$0) }
        if let former {
            if former.st_mode & S_IFMT != S_IFREG || isOpenHere(former) {
                return try OutputFile(path, isNew: false).write(bytes)
            }
            // Do not replace a file that may not be written.
            guard unsafe access(path, W_OK) == 0 else {
                throw .file("\(path): \(Console.words(for: errno))")
            }
        } else if status({ unsafe lstat(path, &$0) }) != nil {
            // A dangling link: create its target.
            return try OutputFile(path, isNew: false).write(bytes)
        }
        // Replace the target of a link, not the link.
        let target = resolved(path) ?? path
        let signals = InterruptSignals(InterruptSignals.ends)
        defer { signals.unblock() }
        guard let beside = try makeTemporaryFile(beside: target) else {
            return try OutputFile(path, isNew: false).write(bytes)
        }
        // After a successful rename, this finds nothing.
        defer { unsafe unlink(beside.path) }
        let file = OutputFile(adopting: beside.descriptor, path: path)
        if let former { file.copyOwnerAndMode(of: former) }
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            if let signal = signals.next() { throw .interrupted(signal) }
            try file.write(Array(bytes[start..<min(start + pieceBytes, bytes.count)]))
        }
        try file.syncToDisk()
        if unsafe rename(beside.path, target) == 0 { return }
        switch errno {
        // A mount point, or another user's file in a sticky folder.
        case EBUSY, EPERM, EACCES, EXDEV: try OutputFile(path, isNew: false).write(bytes)
        case let code: throw .file("\(path): \(Console.words(for: code))")
        }
    }

    /// The descriptor of this process that a path names, as /dev/stdout does.
    static func ownDescriptor(_ path: String) -> Int32? {
        var path = path
        for _ in 0...linksMax {
            if let descriptor = streams[path] { return descriptor }
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(
                String.init)
            let folder = parts.dropLast().joined(separator: "/")
            if folders.contains(folder) || folder == "/proc/\(getpid())/fd" {
                return parts.last.flatMap(Int32.init)
            }
            guard let target = link(path) else { return nil }
            path = target.hasPrefix("/") || parts.count < 2 ? target : "\(folder)/\(target)"
        }
        return nil
    }

    private static let streams: [String: Int32] = [
        "/dev/stdin": STDIN_FILENO, "/dev/stdout": STDOUT_FILENO, "/dev/stderr": STDERR_FILENO,
    ]
    private static let folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"]
    /// Links to follow to a descriptor; longer chains are opened as files.
    private static let linksMax = 8

    /// The target of a link; nil for other files.
    private static func link(_ path: String) -> String? {
        var letters = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &letters, letters.count)
        if count < 0 { return nil }
        return String(decoding: letters.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The result of `stat` or its kin; nil for no file.
    private static func status(_ call: (inout stat) -> Int32) -> stat? {
        var status = stat()
        return call(&status) == 0 ? status : nil
    }

    /// Whether a descriptor of this process writes to the file, such as standard output.
    private static func isOpenHere(_ file: stat) -> Bool {
        (0..<descriptorsMax).contains { descriptor in
            let flags = fcntl(descriptor, F_GETFL)
            guard flags >= 0, flags & O_ACCMODE != O_RDONLY,
                let other = status({ unsafe fstat(descriptor, &$0) })
            else { return false }
            return other.st_dev == file.st_dev && other.st_ino == file.st_ino
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// A new file in the same folder; nil where this user cannot create one.
    private static func makeTemporaryFile(
        beside path: String
    ) throws(Failure) -> (path: String, descriptor: Int32)? {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        for _ in 0..<attemptsMax {
            let name = "\(folder).gesturectl-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
            let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (name, descriptor) }
            switch errno {
            case EEXIST: break
            case EACCES, EPERM, EROFS: return nil
            case let code: throw .file("\(path): \(Console.words(for: code))")
            }
        }
        return nil
    }
}
