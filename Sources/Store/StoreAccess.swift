import Glibc

/// The reason that keeps this user from a file, and what to do: SQLite says "unable to open
/// database file" for all of it, and waits for ever for somebody who writes to a pipe.
package enum StoreAccess {
    /// The thing that stands at a path and is no file; nil: a file stands there, or nothing.
    package static func thing(at path: String, followsLinks: Bool = true) -> String? {
        var status = stat()
        let found = followsLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
        guard found == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFLNK: "a link"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    /// The reason that keeps everybody from a database at a path, and what to do: it, or a file
    /// that SQLite keeps beside it, is no file. Nil: none is in the way.
    package static func obstacle(_ path: String) -> String? {
        if let thing = thing(at: path) { return "\(path) is \(thing); move it away" }
        if thing(at: path, followsLinks: false) != nil {
            var status = stat()
            // A link that leads to a file is good.
            if unsafe stat(path, &status) != 0, errno == ENOENT || errno == ELOOP {
                return "\(path) is a link that leads to no file; remove it, or mend it"
            }
        }
        // They stand behind all links.
        let real = unsafe realpath(path, nil)
        defer { unsafe free(real) }
        let base = unsafe real.map { unsafe String(cString: $0) } ?? path
        for place in ["-wal", "-shm", "-journal"].map({ base + $0 }) {
            if let thing = thing(at: place) { return "\(place) is \(thing); move it away" }
        }
        return nil
    }

    /// Throws where one is in the way.
    static func refuseObstacle(_ path: String) throws(StoreError) {
        guard let obstacle = obstacle(path) else { return }
        throw StoreError(.unavailable, "\(path): cannot be opened: \(obstacle)")
    }

    /// Nil: the file and its folder are open to this user.
    static func mending(_ path: String) -> String? {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else {
            return errno == ENOENT
                ? "there is no folder \(folder); make it, or set state_dir to another"
                : "the user \(getuid()) cannot see the folder \(folder)"
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return "\(folder) is no folder; set state_dir to one"
        }
        if let obstacle = obstacle(path) { return obstacle }
        for place in [path, "\(path)-wal", "\(path)-shm"] where unsafe stat(place, &status) == 0 {
            if unsafe access(place, R_OK | W_OK) != 0 {
                return "the user \(getuid()) may not read and write \(place); chown or chmod it"
            }
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            return
                "the user \(getuid()) may not make files in \(folder); chown or chmod it, or set "
                + "state_dir to another"
        }
        return nil
    }
}
