import CSystem
import Codec
import Glibc
import Notation
import Platform

/// The daemon's calls on files. Lanes and reactor make none of them.
enum Files {
    /// The file of a state directory that the daemon which runs on it has locked.
    static let lockName = "lock"

    static func read(_ path: String) throws(StartError) -> [UInt8] {
        do throws(PlainFile.Failure) {
            return try PlainFile.read(path, bytesMax: Limits.fileBytesMax)
        } catch {
            throw StartError("\(path): \(error.reason)")
        }
    }

    /// Reads at most the given number of bytes from the beginning of a file.
    static func read(_ path: String, bytesMax: Int) throws(StartError) -> [UInt8] {
        do throws(PlainFile.Failure) {
            return try PlainFile.beginning(path, bytesMax: bytesMax)
        } catch {
            throw StartError("\(path): \(error.reason)")
        }
    }

    /// Whether a file is there, or may be. One without permission is reported when it is read.
    static func exists(_ path: String) -> Bool {
        let found = unsafe access(path, F_OK)
        return found == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    enum FolderAccess: Equatable {
        case good
        /// No user could have it.
        case impossible(String)
        /// This user may not, others may.
        case forbidden(String)
    }

    /// Whether a folder is there or can be made, and files in it. It makes none.
    static func folderAccess(_ path: String) -> FolderAccess {
        let whole = path.isEmpty ? "." : path
        var place = whole
        var missing: [Substring] = []
        var status = stat()
        while unsafe stat(place, &status) != 0 {
            let code = errno
            if code == ENOENT, isLink(place) {
                return .impossible("\(place) is a link to a place that is not there")
            }
            guard code == ENOENT || code == ENOTDIR, place != "/", place != "." else {
                return refusal(of: place, code)
            }
            let slash = place.lastIndex(of: "/")
            missing.append(slash.map { place[place.index(after: $0)...] } ?? place[...])
            place = slash.map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? "."
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .impossible(
                place == whole
                    ? "is a file, and must be a folder" : "\(place) is a file, and no folder")
        }
        if unsafe gs_is_kernels_own(place) == 1 {
            return .impossible("\(place) is the kernel's own, and no folder can be made there")
        }
        let bytesMax = unsafe pathconf(place, Int32(_PC_NAME_MAX))
        if bytesMax > 0, let long = missing.first(where: { $0.utf8.count > bytesMax }) {
            return .impossible(
                "the name \(TableReader.shortened(String(long))) is longer than the \(bytesMax) "
                    + "bytes that a name has there")
        }
        guard unsafe Glibc.access(place, W_OK | X_OK) == 0 else {
            if errno == EROFS { return .impossible("\(place) is on a file system without writing") }
            return .forbidden("this user may not write in \(place)")
        }
        return .good
    }

    private static func refusal(of place: String, _ code: CInt) -> FolderAccess {
        let reason = unsafe String(cString: strerror(code))
        switch code {
        case ELOOP: return .impossible("\(place) is a link that leads back to itself")
        case ENAMETOOLONG: return .impossible("a name in it is longer than the system takes")
        case EACCES, EPERM: return .forbidden("this user cannot see \(place): \(reason)")
        default: return .impossible("\(place): \(reason)")
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Makes a folder, and those above it that are missing; one that is there is good.
    static func makeFolder(_ path: String) throws(StartError) {
        let code = Folder.make(path, mode: 0o750)
        guard code != 0 else { return }
        let reason =
            switch folderAccess(path) {
            // The kernel's folders answer as if a folder were missing.
            case .impossible(let reason), .forbidden(let reason): reason
            case .good: unsafe String(cString: strerror(code))
            }
        throw StartError("\(path): the folder cannot be made: \(reason)")
    }

    /// When a file was changed last, in nanoseconds of the wall clock; nil: there is none.
    static func modified(_ path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    }

    /// The words of chmod that keep other users from a file; nil: none of them may use it.
    ///
    /// A file of root's that has another group is for a service that reads it by that group.
    static func mendedMode(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let isForService = status.st_uid == 0 && status.st_gid != 0
        if !isForService, status.st_mode & (S_IRWXG | S_IRWXO) != 0 { return "chmod 600" }
        return status.st_mode & S_IRWXO != 0 ? "chmod o=" : nil
    }

    /// The path of a file with the same content that its owner alone may read: of itself, or of a
    /// copy in memory that stays open.
    ///
    /// libpq passes over passwords that a group may read. A credential of systemd looks so: it is
    /// root's, and an access list lets the service's user read it.
    static func `private`(_ path: String) throws(StartError) -> String {
        let bytes = try read(path)
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & (S_IRWXG | S_IRWXO) == 0 {
            return path
        }
        let copy = gs_private_file()
        guard copy >= 0, unsafe write(copy, bytes, bytes.count) == bytes.count else {
            throw StartError("\(path): no copy of it can be made in memory")
        }
        return "/proc/self/fd/\(copy)"
    }

    /// A path from a file, relative to the folder of that file.
    static func resolve(_ path: String, beside file: String) -> String {
        path.hasPrefix("/") ? path : "\(Folder.above(file))/\(path)"
    }
}
