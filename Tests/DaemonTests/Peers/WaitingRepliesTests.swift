import Glibc
import Notation
import Testing
import ZeroMQ

@testable import Daemon

struct WaitingRepliesTests {
    private static let large = 520_000

    /// Each of many connections may not have what one may.
    @Test func peersThatReadNothingHaveNoMoreTogetherThanAllMay() {
        var waiting = WaitingReplies()
        let taken = (0..<2_000).count { waiting.take(Self.large, for: CInt($0)) }
        #expect(taken > 200 && waiting.bytes <= Limits.repliesUnreadBytesInAllMax)
        // They leave room for the small replies of others.
        let areAnswered = (2_000..<2_500).allSatisfy { waiting.take(4_000, for: CInt($0)) }
        #expect(areAnswered)
    }

    @Test func fewPeersThatReadNothingLeaveRoomForLargeReplies() {
        var waiting = WaitingReplies()
        for peer in 0..<20 {
            while waiting.take(Self.large, for: CInt(peer)) {}
        }
        #expect(waiting.bytes > Limits.repliesUnreadBytesInAllMax / 2)
        let isAnswered = waiting.take(Self.large, for: 20)
        #expect(isAnswered)
    }

    /// The connection of many clients (gesture-web), some of which ask for exports.
    @Test func largeRepliesOfAConnectionLeaveRoomForItsSmallOnes() {
        var waiting = WaitingReplies()
        for _ in 0..<12 {
            let isTaken = waiting.take(Self.large, for: 7)
            #expect(isTaken)
        }
        for peer in 8..<32 {
            while waiting.take(Self.large, for: CInt(peer)) {}
        }
        let isAnswered = waiting.take(Self.large, for: 7)
        #expect(!isAnswered, "it has more than its share")
        guard case .uncounted = waiting.way(of: 100, on: 7),
            case .counted(let held, let cost) = waiting.way(of: 40_000, on: 7)
        else {
            Issue.record("a small reply has no room")
            return
        }
        held.add(cost)
    }

    /// One of fifteen counts for all of them, so that they are bounded as others are.
    @Test func smallRepliesCountTogether() {
        var waiting = WaitingReplies()
        var counted = 0
        var sum = 0
        for _ in 0..<15_000 {
            switch waiting.way(of: 20, on: 7) {
            case .counted(let held, let cost):
                held.add(cost)
                (counted, sum) = (counted + 1, sum + cost)
            case .uncounted: break
            case .dropped: Issue.record("there is room")
            }
        }
        #expect(counted == 1_000 && sum == 15_000 * WaitingReplies.cost(of: 20))
        let size = 60_000
        while case .counted(let held, let cost) = waiting.way(of: size, on: 7) { held.add(cost) }
        guard case .dropped = waiting.way(of: size, on: 7) else {
            Issue.record("it is beyond the bound")
            return
        }
        let left = Limits.repliesUnreadBytesMax - waiting.bytes
        #expect((0..<WaitingReplies.cost(of: size)).contains(left))
    }

    /// libzmq encrypts one of each connection. Where the system has taken that, there is room.
    @Test func whatEncryptedConnectionsHaveTakenLeavesRoom() {
        var waiting = WaitingReplies(isEncrypted: true)
        let bytes = [UInt8](repeating: 0, count: 1_024 * 1_024)
        // No descriptor is as high: these connections are gone.
        for peer in 0..<400 {
            let held = waiting.room(for: bytes.count, on: CInt(100_000 + peer))
            #expect(held != nil)
            guard let held else { return }
            unsafe bytes.withUnsafeBytes {
                _ = unsafe Message(copying: $0, counting: $0.count, in: held)
            }
        }
        #expect(waiting.bytes > Limits.repliesUnreadBytesInAllMax / 2)
        #expect(waiting.bytes <= Limits.repliesUnreadBytesInAllMax)
    }

    /// A reply has room again as soon as libzmq has let go of the ones before it.
    @Test func whatIsReadCountsNoLonger() throws {
        let context = try Context()
        let router = try Socket(.router, in: context, .mandatoryRouting(true))
        let dealer = try Socket(
            .dealer, in: context, .identity([1]), .receiveHighWaterMark(1),
            .lingerMilliseconds(0))
        try dealer.connect(try router.bind("tcp://127.0.0.1:*"))
        _ = try dealer.send([0], wait: true)
        var poller = Poller()
        poller.watch(router)
        try poller.wait(milliseconds: 5_000)
        _ = try router.receiveMessage()

        var waiting = WaitingReplies()
        let bytes = [UInt8](repeating: 0, count: 1_024 * 1_024)
        var sent = 0
        while let held = waiting.room(for: bytes.count, on: 7) {
            _ = try router.send([1], more: true)
            try unsafe bytes.withUnsafeBytes {
                var frame = unsafe Message(copying: $0, counting: $0.count, in: held)
                _ = try router.send(&frame)
            }
            sent += 1
        }
        #expect(sent >= 64 && waiting.bytes > 32 * bytes.count)
        poller = Poller()
        poller.watch(dealer)
        for _ in 0..<sent {
            try poller.wait(milliseconds: 5_000)
            #expect(try dealer.receiveMessage()?.first?.count == bytes.count)
        }
        // libzmq looks for the next message before it lets go of the last one.
        for _ in 0..<500 where waiting.bytes > 0 { usleep(10_000) }
        let hasRoom = waiting.room(for: bytes.count, on: 7) != nil
        #expect(waiting.bytes == 0 && hasRoom)
    }
}

extension WaitingReplies {
    /// Counts a reply that is never read, if it has room.
    mutating func take(_ cost: Int, for descriptor: CInt) -> Bool {
        guard let held = room(for: cost, on: descriptor) else { return false }
        held.add(cost)
        return true
    }
}
