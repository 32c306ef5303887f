import CSystem
import Glibc

/// Reads a file that a person wrote: at most `bytesMax` bytes, and without waiting for a writer.
package enum PlainFile {
    /// Why a file cannot be read: one line, without its path.
    package struct Failure: Error, Hashable, Sendable {
        package var reason: String
    }

    package static func read(
        _ path: String, bytesMax: Int
    ) throws(Failure) -> [UInt8] {
        let bytes = try beginning(path, bytesMax: bytesMax + 1)
        guard bytes.count <= bytesMax else {
            throw Failure(reason: "has more than \(bytesMax) bytes")
        }
        return bytes
    }

    /// The beginning of a file of any length; a device may have no end.
    package static func beginning(_ path: String, bytesMax: Int) throws(Failure) -> [UInt8] {
        var result = 0
        var code: CInt = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, count in
            result = unsafe gs_read_file(path, buffer.baseAddress, bytesMax)
            code = errno
            count = max(0, result)
        }
        if result == -2 { throw Failure(reason: "cannot be read: it is no file") }
        if result < 0 {
            throw Failure(reason: "cannot be read: \(unsafe String(cString: strerror(code)))")
        }
        return bytes
    }
}
