import Glibc

/// Folders, by their paths.
package enum Folder {
    /// The names in a folder, at most so many, in no order; nil where it cannot be read.
    package static func names(in path: String, countMax: Int = .max) -> [String]? {
        guard let listing = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while names.count < countMax, let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
                unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes a folder, and those above it that are missing. Returns 0, or the error's number; one
    /// that is there is good.
    package static func make(_ path: String, mode: UInt32 = 0o777) -> CInt {
        var code = unsafe mkdir(path, mode) == 0 ? 0 : errno
        if code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            code = make(String(path[..<slash]), mode: mode)
            guard code == 0 else { return code }
            code = unsafe mkdir(path, mode) == 0 ? 0 : errno
        }
        return code == EEXIST && isThere(path) ? 0 : code
    }

    /// Whether a path leads to a folder.
    package static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The path of the folder that holds a file or folder: `.` for a name alone.
    package static func above(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
