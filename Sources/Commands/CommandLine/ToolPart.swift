import Glibc
import Platform

/// A part of the tool that is a program of its own, so that gesturectl needs none of the libraries
/// that it links. Each has a package of the same name.
package enum ToolPart: String, Sendable {
    /// cairo, Pango, libwebp, chafa.
    case pictures = "gesturectl-pictures"
    /// libmosquitto, libevdev, liblo.
    case bridges = "gesturectl-bridges"

    /// The folders in which a part may be: that of gesturectl itself, as after a build, then that
    /// of an installation for what no person calls.
    package static func folders(besides program: String) -> [String] {
        let own = Folder.above(program)
        return [own, Folder.above(own) + "/lib/gestured"]
    }

    /// Becomes the part's program, with the words of this process; its exit status is the command's
    /// own.
    ///
    /// Throws where the program is nowhere or cannot be started.
    func perform(_ command: String) throws(Failure) -> Never {
        // Without it no folder is certain, and another's program must not be started.
        guard let program = File.target(ofLink: "/proc/self/exe") else {
            throw .file("/proc/self/exe: \(Console.words(for: errno))")
        }
        let folders = Self.folders(besides: program)
        for folder in folders {
            let code = become("\(folder)/\(rawValue)")
            if code != ENOENT && code != ENOTDIR {
                throw .file("\(folder)/\(rawValue): \(Console.words(for: code))")
            }
        }
        throw .file(
            """
            '\(command)' needs the program \(rawValue), which is neither in \
            \(folders.joined(separator: " nor in "))
            Install its package by 'apt install \(rawValue)'; 'make build' builds it.
            """)
    }

    /// Replaces this process; returns the errno where that fails.
    private func become(_ path: String) -> Int32 {
        let words = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        unsafe execv(path, words)
        return errno
    }
}
