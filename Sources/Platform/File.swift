import Glibc

/// Files, by their paths.
package enum File {
    /// Whether a path leads to something that this user can see.
    package static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Where a symbolic link leads; nil where it is none.
    package static func target(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(
            decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Replaces a file as a whole, so that no reader finds a part of it: it stands beside the path
    /// under a name of its own until it is on the disk. Returns 0, or the error's number: `EINVAL`
    /// for a device or a pipe.
    package static func replace(_ path: String, with bytes: [UInt8]) -> CInt {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            return status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
        }
        let beside = "\(path).\(getpid()).new"
        let file = unsafe open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard file >= 0 else { return errno }
        var code = writeAll(bytes, to: file)
        if code == 0, fsync(file) != 0 { code = errno }
        if close(file) != 0, code == 0 { code = errno }
        if code == 0, unsafe rename(beside, path) != 0 { code = errno }
        if code != 0 { unsafe unlink(beside) }
        return code
    }

    /// Writes bytes to a descriptor, as long as it takes. Returns 0, or the error's number.
    package static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
