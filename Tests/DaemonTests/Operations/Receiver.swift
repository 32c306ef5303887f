import Foundation
import Synchronization
import Testing

@testable import Daemon

/// A datagram socket that listens as a service manager or a journal does, at a path of its own.
@safe final class Receiver {
    let path: String
    private let descriptor: CInt

    /// With `isAbstract`, the path is a name that begins with '@' and is no file.
    init(isAbstract: Bool = false) throws {
        let name = "gestured-\(UUID().uuidString)"
        path = isAbstract ? "@" + name : NSTemporaryDirectory() + name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if isAbstract { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size)
            }
        }
        try #require(result == 0)
    }

    deinit {
        close(descriptor)
        if !path.hasPrefix("@") { unsafe unlink(path) }
    }

    /// Every datagram that has arrived, at once.
    func datagrams() -> [[UInt8]] {
        var all: [[UInt8]] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            guard count >= 0 else { return all }
            all.append(Array(buffer.prefix(count)))
        }
    }

    func texts() -> [String] { datagrams().map { String(decoding: $0, as: UTF8.self) } }
}

/// A pipe whose reading end is read only when it is asked.
final class Drain {
    private let pipe = Pipe()
    var descriptor: CInt { pipe.fileHandleForWriting.fileDescriptor }

    /// Ends the writing, and returns all that was written, without the times.
    func lines() throws -> [String] {
        try timedLines().map { line in
            line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? line
        }
    }

    func timedLines() throws -> [String] {
        try pipe.fileHandleForWriting.close()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns what is there, without an end of the writing.
    func read() -> String {
        String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    }
}
