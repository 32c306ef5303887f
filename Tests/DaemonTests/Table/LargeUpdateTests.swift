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

    /// Reactions that set each other off have a session publish transitions without end.
    @Test func fewTransitionsAreSentBetweenTheFramesOfASpacing() throws {
        var sink = LaneSink(outbox: try Outbox())
        var publishing = Publishing()
        var sent: [Int] = []
        for spacing in [1, 4, 4, 4, 4, 4] {
            sink.begin(publishing, spacing: spacing)
            for _ in 0..<5 {
                sink.message(.transition(session: "anna", component: "tabs")) { $0.append("{}") }
                sink.message(.state(session: "anna", component: "tabs")) { $0.append("{}") }
            }
            sent.append(sink.takeCounts().updates - 5)
            publishing = sink.end()
        }
        // With the fifth it publishes what lasts; then it begins again.
        #expect(sent == [5, 5, 3, 0, 0, 5])
        let skipped = sink.takeSkipped()
        #expect(skipped == 12)
    }

    @Test func anOutboxIsSlowWhereTheReactorTakesLongForWhatWaits() throws {
        let outbox = try Outbox()
        let chunk = Chunk()
        for _ in 0..<20_000 { chunk.bytes.append("0123456789") }
        outbox.post(chunk)
        #expect(!outbox.isSlow && !outbox.isFull)
        for _ in 0..<20 { outbox.noteSent(bytes: 100_000, nanoseconds: 25_000_000) }
        #expect(outbox.isSlow && !outbox.isFull)
        for _ in 0..<20 { outbox.noteSent(bytes: 100_000, nanoseconds: 1_000_000) }
        #expect(!outbox.isSlow)
        for _ in 0..<20 { outbox.noteSent(bytes: 100, nanoseconds: 25_000_000) }
        #expect(!outbox.isSlow, "few say little")
    }
}
