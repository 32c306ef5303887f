import CSystem
import Glibc

/// A file that is held under the number that its file system gave it, so that another file under
/// its name can be told apart.
///
/// The descriptor reads nothing: to close one that reads would end SQLite's locks.
final class FileHold {
    let path: String
    private let descriptor: CInt

    init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = unsafe gs_file_hold(path)
        guard descriptor < 0 else { return }
        let code = errno
        let reason = unsafe String(cString: strerror(code))
        let mending = StoreAccess.mending(path).map { ": \($0)" } ?? ""
        throw StoreError(
            code == EIO ? .disk : .unavailable,
            "\(path): cannot be opened: \(reason)\(mending)")
    }

    deinit { close(descriptor) }

    var isInPlace: Bool { unsafe gs_file_is_at(descriptor, path) == 1 }
}

/// The database and its log as they were opened. SQLite goes on to write to a file that somebody
/// has removed or replaced, and nobody would ever read it again.
struct StoreFiles {
    private let held: [FileHold]

    init(_ held: [FileHold]) { self.held = held }

    /// Throws `displaced` unless the folder has the files that are open.
    func check() throws(StoreError) {
        for file in held where !file.isInPlace {
            throw StoreError(
                .displaced,
                "\(file.path): it was removed or replaced while it was open; bring it back, or "
                    + "restart to go on with the folder as it is")
        }
    }
}
