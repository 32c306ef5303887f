import CSystem
import Glibc

/// Keeps damaged files under names that nothing has had before.
enum Quarantine {
    /// The endings of a database's and its log's names; "-shm" holds nothing.
    private static var suffixes: [String] { ["", "-wal"] }

    /// The first name with a time that is free, and whose log's name is free, too.
    static func name(of path: String, at time: Int) -> String {
        let first = "\(path).damaged-\(time)"
        var (name, number) = (first, 1)
        while suffixes.contains(where: { unsafe access(name + $0, F_OK) == 0 }) {
            number += 1
            name = "\(first)-\(number)"
        }
        return name
    }

    private static func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_size == 0
    }

    /// Renames a database with its log; returns its new name.
    static func move(_ path: String, at time: Int) throws(StoreError) -> String {
        let aside = name(of: path, at: time)
        for suffix in suffixes where suffix.isEmpty || !isEmpty(path + suffix) {
            guard unsafe gs_rename_new(path + suffix, aside + suffix) != 0 else { continue }
            // A log may be missing; the file itself must be renamed.
            guard suffix.isEmpty else { continue }
            let reason = unsafe String(cString: strerror(errno))
            throw StoreError(.unavailable, "\(path): cannot be set aside: \(reason)")
        }
        return aside
    }

    /// Copies a file; returns the copy's name, or nil if it cannot be made whole.
    static func copy(_ path: String, at time: Int) -> String? {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return nil }
        defer { close(source) }
        let aside = name(of: path, at: time)
        let target = unsafe open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard target >= 0 else { return nil }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(source, $0.baseAddress, $0.count)
            }
            if count == 0, fsync(target) == 0 { return aside }
            let written = unsafe buffer.withUnsafeBytes { bytes in
                count > 0 ? unsafe write(target, bytes.baseAddress, count) : -1
            }
            guard written == count else {
                unsafe unlink(aside)
                return nil
            }
        }
    }
}
