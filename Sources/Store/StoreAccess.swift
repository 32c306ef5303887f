import Glibc

/// The reason that keeps this user from a file, and what to do: SQLite says "unable to open
/// database file" for all of it.
enum StoreAccess {
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
        for place in [path, "\(path)-wal", "\(path)-shm"] where unsafe stat(place, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return "\(place) is a folder; move it away" }
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
