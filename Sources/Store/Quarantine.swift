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

    /// Renames a database with its log; returns its new name. Never removes one: where
    /// `databasesMax` are kept already, a person has to look.
    static func move(_ path: String, at time: Int) throws(StoreError) -> String {
        let kept = kept(of: path).filter { !$0.name.hasSuffix("-wal") }
        guard kept.count < databasesMax else {
            throw StoreError(
                .damaged,
                "\(path): damaged, and \(kept.count) damaged ones are kept beside it already; look "
                    + "at the disk, and move them away")
        }
        let aside = name(of: path, at: time)
        for suffix in suffixes where suffix.isEmpty || !isEmpty(path + suffix) {
            unsafe gs_file_protect(path + suffix)
            guard unsafe gs_rename_new(path + suffix, aside + suffix) != 0 else { continue }
            // A log may be missing; the file itself must be renamed.
            guard suffix.isEmpty else { continue }
            let code = errno
            let reason = unsafe String(cString: strerror(code))
            throw StoreError(
                code == EIO ? .disk : .unavailable, "\(path): cannot be set aside: \(reason)")
        }
        return aside
    }

    // MARK: Copies of logs

    /// Damaged databases kept: each is all that somebody has of it, and each needs a damage.
    static let databasesMax = 16
    /// Copies of damaged logs kept: the newest show what happens, and a disk that damages each log
    /// makes one at each start.
    static let copiesMax = 4
    /// Bytes of all kept copies of logs: four logs of the usual size.
    static let copiesBytesMax = 64 << 20

    /// Copies a damaged log and removes the oldest copies beyond the bounds; says so.
    static func keepCopy(of path: String, at time: Int) -> String {
        let bytes = size(of: path)
        guard bytes <= copiesBytesMax else {
            return "it has \(bytes) bytes, which is too many to be kept"
        }
        var copies = kept(of: path)
        var removed: [String] = []
        while let oldest = copies.first,
            copies.count >= copiesMax
                || copies.reduce(bytes, { $0 + $1.bytes }) > copiesBytesMax
        {
            if unsafe unlink(oldest.path) == 0 { removed.append(oldest.name) }
            copies.removeFirst()
        }
        let result = copy(path, at: time).map { "it is kept as \($0)" } ?? "it cannot be kept"
        return removed.isEmpty
            ? result : "\(result), and the oldest is removed: \(removed.joined(separator: ", "))"
    }

    private struct Kept {
        var path: String
        var name: String
        var bytes: Int
        var time: Int
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The damaged files that are kept of a path, the oldest first.
    private static func kept(of path: String) -> [Kept] {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        let prefix = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...] + ".damaged-"
        guard let listing = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(listing) }
        var found: [Kept] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            guard name.hasPrefix(prefix) else { continue }
            let file = folder + name
            var status = stat()
            guard unsafe lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            found.append(
                Kept(
                    path: file, name: name, bytes: Int(status.st_size),
                    time: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec))
        }
        return found.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    }

    /// Copies a file; returns the copy's name, or nil if it cannot be made whole.
    static func copy(_ path: String, at time: Int) -> String? {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return nil }
        defer { close(source) }
        let aside = name(of: path, at: time)
        let target = unsafe open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
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
