import Glibc
import Notation
import Testing

@testable import Daemon

struct ReplyBudgetTests {
    /// The system keeps so little for such a peer that it looked as if the peer read.
    @Test func aPeerOfSmallSegmentsThatReadsNothingGetsNoMoreThanOthers() throws {
        let pair = try SmallSegments()
        var budget = ReplyBudget()
        let part = Limits.repliesUnreadBytesMax / 64
        let taken = (0..<100).count { _ in budget.take(part, for: pair.descriptor) }
        #expect(taken == 64)
    }
}

/// A connection over TCP to a peer with small segments and little room that reads nothing; the
/// system takes no more for it.
private final class SmallSegments {
    let descriptor: CInt
    private let listener, peer: CInt

    init() throws {
        let kind = Int32(SOCK_STREAM.rawValue)
        let (listener, peer) = (socket(AF_INET, kind, 0), socket(AF_INET, kind, 0))
        (self.listener, self.peer) = (listener, peer)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var (segment, room): (CInt, CInt) = (200, 1)
        let optionSize = socklen_t(MemoryLayout<CInt>.size)
        unsafe setsockopt(peer, Int32(IPPROTO_TCP), TCP_MAXSEG, &segment, optionSize)
        unsafe setsockopt(peer, SOL_SOCKET, SO_RCVBUF, &room, optionSize)
        let isConnected = unsafe withUnsafeMutablePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe bind(listener, place, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, place, &size) == 0 && connect(peer, place, size) == 0
            }
        }
        let descriptor = isConnected ? accept(listener, nil, nil) : -1
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw StartError("no connection") }
        let bytes = [UInt8](repeating: 0, count: 8_192)
        // The system's buffer grows for a while.
        for _ in 0..<20 {
            while unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
            usleep(25_000)
        }
    }

    deinit { for one in [descriptor, listener, peer] { close(one) } }
}
