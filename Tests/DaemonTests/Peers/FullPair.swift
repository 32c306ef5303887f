import CSystem
import Glibc

@testable import Daemon

/// Two connected sockets, whose first one has much to send that the other does not read.
final class FullPair {
    let descriptor: CInt
    private let other: CInt

    init() throws {
        var pair: [CInt] = [0, 0]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
            throw StartError("no pair of sockets")
        }
        (descriptor, other) = (pair[0], pair[1])
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    deinit {
        close(descriptor)
        close(other)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while unsafe recv(other, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
}
