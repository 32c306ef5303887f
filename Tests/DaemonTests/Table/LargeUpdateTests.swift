import Notation
import Protocol
import Synchronization
import Testing
import ZeroMQ

@testable import Daemon

/// Large updates wait while subscribers leave many of them unread.
struct LargeUpdateTests {
    private static let large = Limits.largeUpdateBytes

    /// A session writes one update with a body of so many bytes, unless there is no room. Returns
    /// whether it wrote, and whether its updates are large from now on.
    private static func look(
        _ sink: inout LaneSink, _ bytes: Int, wasLarge: Bool
    ) -> (wrote: Bool, isLarge: Bool) {
        sink.begin(Publishing(isLarge: wasLarge))
        let wrote = !sink.isFull
        if wrote {
            sink.message(.frame(session: "anna")) { buffer in
                for _ in 0..<bytes { buffer.append(UInt8(ascii: "a")) }
            }
        }
        return (wrote, sink.end().isLarge)
    }

    private func expect(
        _ sink: inout LaneSink, _ bytes: Int, wasLarge: Bool, wrote: Bool, isLarge: Bool,
        at place: SourceLocation = #_sourceLocation
    ) {
        let look = Self.look(&sink, bytes, wasLarge: wasLarge)
        #expect(look == (wrote, isLarge), sourceLocation: place)
    }

    @Test func aSessionIsAsLargeAsItsLastUpdates() throws {
        var sink = LaneSink(outbox: try Outbox())
        expect(&sink, Self.large - 1, wasLarge: false, wrote: true, isLarge: false)
        expect(&sink, Self.large, wasLarge: false, wrote: true, isLarge: true)
        expect(&sink, Self.large - 1, wasLarge: true, wrote: true, isLarge: false)
    }

    @Test func onlySessionsOfLargeUpdatesWaitForRoom() throws {
        let outbox = try Outbox()
        var sink = LaneSink(outbox: outbox)
        outbox.largeUpdates.add(Limits.largeUpdatesBytesMax)
        expect(&sink, Self.large, wasLarge: true, wrote: false, isLarge: true)
        expect(&sink, 400, wasLarge: false, wrote: true, isLarge: false)
        #expect(!sink.isFull, "what belongs to no session has room")
        // Very many that became large just now.
        outbox.largeUpdates.add(Limits.largeUpdatesBytesMax)
        expect(&sink, 400, wasLarge: false, wrote: false, isLarge: false)
        outbox.largeUpdates.add(-2 * Limits.largeUpdatesBytesMax)
        expect(&sink, Self.large, wasLarge: true, wrote: true, isLarge: true)
    }

    /// A transition goes out although there is no room, and says nothing of the frames.
    @Test func whatIsSmallWithoutRoomMakesNoSessionSmall() throws {
        let outbox = try Outbox()
        var sink = LaneSink(outbox: outbox)
        outbox.largeUpdates.add(Limits.largeUpdatesBytesMax)
        sink.begin(Publishing(isLarge: true))
        sink.message(.frame(session: "anna")) { $0.append("{}") }
        let isLarge = sink.end().isLarge
        #expect(isLarge)
    }

    /// libzmq's thread cannot send all: each session has its turn.
    @Test func aSessionPublishesOnceInTheSpacing() throws {
        let outbox = try Outbox()
        var sink = LaneSink(outbox: outbox)
        for spacing in [1, 4] {
            var publishing = Publishing()
            let turns = (0..<12).count { _ in
                sink.begin(publishing, spacing: spacing)
                defer { publishing = sink.end() }
                return !sink.isFull
            }
            #expect(turns == 12 / spacing)
        }
        #expect(!sink.isFull, "what belongs to no session has room")
    }
}
