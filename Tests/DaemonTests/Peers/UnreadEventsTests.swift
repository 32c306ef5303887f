import Notation
import Testing

@testable import Daemon

/// The bytes of events that wait to be read, as the guard sees connections and the reactor's
/// reading.
@Suite struct UnreadEventsTests {
    private var unread = UnreadEvents()
    private var progress = ConnectionJudge.Progress()
    private var read = 0

    @discardableResult
    private mutating func look(
        _ connections: (descriptor: CInt, identity: Int, consumed: Int)...
    ) -> CInt? {
        unread.look(
            connections.map {
                ConnectionJudge.Sample(
                    descriptor: $0.descriptor, identity: $0.identity,
                    role: $0.descriptor % 2 == 0 ? .events : .pushes, received: $0.consumed,
                    consumed: $0.consumed)
            }, read: read, progress)
    }

    @Test mutating func whatIsNotReadCountsAlsoOfConnectionsThatHaveGone() {
        let half = Limits.eventsUnreadBytesMax / 2
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
        let much = Limits.eventsUnreadBytesToCut
        #expect(look((4, 1, much / 2), (6, 1, 1_000)) == nil, "there is room")
        #expect(look((4, 1, much), (6, 1, 2_000)) == 4)
        // Its events go on waiting; another connection is no reason.
        #expect(look((6, 1, 3_000)) == nil)
        #expect(look((4, 2, Limits.eventsRecentBytesMin), (6, 1, 4_000)) == 4, "it is back")
    }

    /// It counts that it brings most now, not that it has been there for long.
    @Test mutating func aPublisherThatSendsLittleForLongIsNotCut() {
        let step = Limits.eventsRecentBytesMin / 8
        var consumed = 0
        while consumed < Limits.eventsUnreadBytesToCut {
            consumed += step
            read += step
            #expect(look((6, 1, consumed)) == nil)
        }
        consumed += step
        #expect(look((4, 1, Limits.eventsUnreadBytesToCut), (6, 1, consumed)) == 4)
        consumed += step
        #expect(look((6, 1, consumed)) == nil, "it sends no more than usual publishers do")
        consumed += step
        #expect(look((4, 2, Limits.eventsUnreadBytesToCut), (6, 1, consumed)) == 4)
        consumed += step
        #expect(look((6, 1, consumed)) == 6, "twice as much waits")
    }

    @Test mutating func requestsAndSubscriptionsDoNotCount() {
        for role in [ConnectionJudge.Role.control, .updates] {
            _ = unread.look(
                [.init(descriptor: 4, role: role, received: 9, consumed: 9)], read: 0, progress)
        }
        #expect(unread.bytes == 0)
    }
}
