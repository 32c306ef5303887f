import Codec
import Foundation

/// The few things that the daemon does with files, away from the lanes and the reactor.
enum Files {
    static func read(_ path: String) throws(StartError) -> [UInt8] {
        do throws(PlainFile.Failure) {
            return try PlainFile.read(path)
        } catch {
            throw StartError("\(path): \(error.reason)")
        }
    }

    /// The beginning of a file, whatever its length.
    static func read(_ path: String, bytesMax: Int) throws(StartError) -> [UInt8] {
        do throws(PlainFile.Failure) {
            return try PlainFile.beginning(path, bytesMax: bytesMax)
        } catch {
            throw StartError("\(path): \(error.reason)")
        }
    }

    /// Whether something is there, or may be: what may not be looked at is told when it is read.
    static func exists(_ path: String) -> Bool {
        let found = unsafe access(path, F_OK)
        return found == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    static func makeFolder(_ path: String) throws(StartError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o750])
        } catch {
            throw StartError("\(path): cannot be made: \(reason(error))")
        }
    }

    /// A path as written in a file: relative to the folder of that file.
    static func resolve(_ path: String, beside file: String) -> String {
        if path.hasPrefix("/") { return path }
        return URL(fileURLWithPath: file).deletingLastPathComponent()
            .appendingPathComponent(path).path
    }

    static func environment(_ name: String) -> String? {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
            return nil
        }
        return value
    }

    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        if let underlying, underlying.domain == NSPOSIXErrorDomain {
            return unsafe String(cString: strerror(Int32(underlying.code)))
        }
        return error.localizedDescription
    }
}
