import Notation
import Testing

@testable import Daemon

/// The bytes of events that wait to be read, as the guard sees connections and the reactor's
/// reading.
@Suite struct UnreadMessagesTests {
    private var unread = UnreadMessages(.events)
    private var progress = ConnectionJudge.Progress()
    private var read = 0

    @discardableResult
    private mutating func look(
        _ connections: (descriptor: CInt, identity: Int, consumed: Int)...
    ) -> CInt? {
        looked(connections).first
    }

    private mutating func looked(
        _ connections: [(descriptor: CInt, identity: Int, consumed: Int)]
    ) -> [CInt] {
        unread.look(
            connections.map {
                ConnectionJudge.Sample(
                    descriptor: $0.descriptor, identity: $0.identity,
                    role: $0.descriptor % 2 == 0 ? .events : .pushes, received: $0.consumed,
                    consumed: $0.consumed)
            }, read: read, progress)
    }

    @Test mutating func whatIsNotReadCountsAlsoOfConnectionsThatHaveGone() {
        let half = Limits.messagesUnreadBytesMax / 2
        look((4, 1, half))
        #expect(unread.bytes == half && !unread.areMany)
        // Another connection has the descriptor of one that has gone.
        look((4, 2, half + 1), (5, 1, 0))
        #expect(unread.bytes == 2 * half + 1 && unread.areMany)
        look()
        #expect(unread.areMany)
        read += 1
        look()
        #expect(unread.bytes == 2 * half && !unread.areMany)
    }

    /// A handshake counts until the sockets are found empty.
    @Test mutating func nothingWaitsWhereBothSocketsWereEmpty() {
        look((4, 1, 500), (5, 1, 700))
        progress.events += PeerTraffic.emptied
        look((4, 1, 510), (5, 1, 700))
        #expect(unread.bytes == 1_210)
        progress.pushes += PeerTraffic.emptied
        look((4, 1, 520), (5, 1, 700))
        #expect(unread.bytes == 10)
        look((4, 1, 530), (5, 1, 700))
        #expect(unread.bytes == 20)
        read += 1_000
        look((4, 1, 530), (5, 1, 700))
        #expect(unread.bytes == 0)
    }

    @Test mutating func theConnectionThatBringsMostIsCut() {
        let much = Limits.messagesUnreadBytesToCut
        #expect(look((4, 1, much / 2), (6, 1, 1_000)) == nil, "there is room")
        #expect(look((4, 1, much), (6, 1, 2_000)) == 4)
        // Its events go on waiting; another connection is no reason.
        #expect(look((6, 1, 3_000)) == nil)
        #expect(look((4, 2, Limits.messagesRecentBytesMin), (6, 1, 4_000)) == 4, "it is back")
    }

    /// It counts that it brings most now, not that it has been there for long.
    @Test mutating func aPublisherThatSendsLittleForLongIsNotCut() {
        let step = Limits.messagesRecentBytesMin / 8
        var consumed = 0
        while consumed < Limits.messagesUnreadBytesToCut {
            consumed += step
            read += step
            #expect(look((6, 1, consumed)) == nil)
        }
        consumed += step
        #expect(look((4, 1, Limits.messagesUnreadBytesToCut), (6, 1, consumed)) == 4)
        consumed += step
        #expect(look((6, 1, consumed)) == nil, "it sends no more than usual publishers do")
        consumed += step
        #expect(look((4, 2, Limits.messagesUnreadBytesToCut), (6, 1, consumed)) == 4)
        consumed += step
        #expect(look((6, 1, consumed)) == 6, "twice as much waits")
    }

    /// The system is asked twice for what a connection has brought and was read of it. Bytes that
    /// come in between count as unread alone, so that a sample tells fewer than the one before.
    @Test(arguments: [true, false])
    mutating func bytesThatComeDuringALookMakeNoConnectionANewOne(areEvents: Bool) {
        unread = UnreadMessages(areEvents ? .events : .requests)
        func sample(_ consumed: Int) -> ConnectionJudge.Sample {
            .init(
                descriptor: 4, identity: 1, role: areEvents ? .events : .control,
                received: consumed, consumed: consumed)
        }
        var consumed = 0
        while consumed <= Limits.messagesUnreadBytesToCut {
            consumed += Limits.messagesRecentBytesMin
            read += Limits.messagesRecentBytesMin
            let usual = unread.look([sample(consumed)], read: read, progress)
            #expect(usual == [])
        }
        let less = unread.look([sample(consumed - 130)], read: read, progress)
        #expect(less == [] && unread.bytes == 0 && !unread.areMany, "all that came was read")
        let more = unread.look([sample(consumed + 130)], read: read, progress)
        #expect(more == [] && unread.bytes == 130, "what came since counts once")
    }

    /// Each byte may be half a frame, which takes 64 in libzmq.
    @Test mutating func whileMemoryIsShortFewMayWait() {
        let few = Limits.messagesUnreadBytesMax / Limits.frameMemoryFactorMax
        look((4, 1, few + 1), (6, 1, 0))
        #expect(!unread.areMany)
        progress.isMemoryShort = true
        look((4, 1, few + 1), (6, 1, 0))
        #expect(unread.areMany)
        #expect(look((4, 1, 2 * few), (6, 1, 100)) == 4)
    }

    /// libzmq holds back all those who have brought much.
    @Test mutating func whoBringsLittleIsNotCutInPlaceOfThoseWhoAreHeldBack() {
        let much = 4 * Limits.messagesUnreadBytesToCut
        look((4, 1, much), (6, 1, 100))
        for look in 2..<20 {
            #expect(self.look((4, 1, much), (6, 1, look * 1_000)) == nil)
        }
    }

    @Test mutating func requestsHaveABoundOfTheirOwn() {
        unread = UnreadMessages(.requests)
        func sample(_ descriptor: CInt, _ consumed: Int) -> ConnectionJudge.Sample {
            .init(
                descriptor: descriptor, role: descriptor == 5 ? .events : .control,
                received: consumed, consumed: consumed)
        }
        let much = Limits.requestsUnreadBytesToCut
        let full = unread.look([sample(4, much), sample(5, much)], read: 0, progress)
        #expect(full == [] && !unread.areMany)
        let over = unread.look([sample(4, much), sample(6, much / 10)], read: 0, progress)
        #expect(over == [6] && !unread.areMany)
        let more = unread.look([sample(4, 2 * much), sample(6, much / 10)], read: 0, progress)
        #expect(more == [4] && unread.areMany)
        progress.requests += PeerTraffic.emptied
        let read = unread.look([sample(4, 2 * much), sample(6, much / 10)], read: 0, progress)
        #expect(read == [] && unread.bytes == 0)
    }

    /// One of them at a time would bring too little relief.
    @Test mutating func ofManyThatBringLittleSomeAreCutAtOnce() {
        let each = Limits.messagesRecentBytesMin / 4
        let count = CInt(2 * Limits.messagesUnreadBytesToCut / each)
        let full = looked((0..<count).map { (2 * $0 + 4, 1, each) } + [(1_001, 1, 100)])
        let over = looked((0..<count).map { (2 * $0 + 4, 1, each + 1) } + [(1_001, 1, 200)])
        #expect(full.isEmpty || full.count == Limits.unreadCutsMax)
        #expect(over.count == Limits.unreadCutsMax && Set(over).count == over.count)
        #expect(!over.contains(1_001))
    }

    @Test mutating func requestsAndSubscriptionsDoNotCount() {
        for role in [ConnectionJudge.Role.control, .updates] {
            _ = unread.look(
                [.init(descriptor: 4, role: role, received: 9, consumed: 9)], read: 0, progress)
        }
        #expect(unread.bytes == 0)
    }
}
