import Dispatch
import Notation
import Synchronization
import Testing

@testable import Daemon

/// Requests that read the store in pieces.
@Suite struct RequestPiecesTests {
    /// The order in which things happened on the lane's queue.
    private final class Notes: Sendable {
        let all = Mutex<[String]>([])

        func note(_ text: String) { all.withLock { $0.append(text) } }
    }

    private func envelope(_ peer: UInt8) -> Envelope {
        var envelope = Envelope(identity: [peer], hasDelimiter: false)
        envelope.descriptor = CInt(peer)
        return envelope
    }

    /// Adds a request of three pieces, after each of which other work comes.
    private func add(_ name: String, of peer: UInt8, to lane: Lane, _ notes: Notes) {
        var left = 3
        lane.table.pieces.add(for: envelope(peer)) {
            left -= 1
            notes.note("\(name)\(3 - left)")
            lane.queue.async { notes.note("other") }
            return left > 0
        } abandon: {
            notes.note("\(name) abandoned")
        }
    }

    @Test func otherWorkWaitsForOnePieceAndPeersTakeTurns() throws {
        let lanes = try Lanes(1)
        let (lane, notes) = (lanes.lanes[0], Notes())
        lane.queue.sync {
            add("a", of: 1, to: lane, notes)
            add("b", of: 1, to: lane, notes)
            add("c", of: 2, to: lane, notes)
        }
        for _ in 0..<20 { lane.queue.sync {} }
        let found = notes.all.withLock { $0 }
        #expect(
            found.filter { $0 != "other" } == [
                "a1", "c1", "a2", "c2", "a3", "c3", "b1", "b2", "b3",
            ])
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 == "other" || $1 == "other" })
    }

    @Test func nothingIsDoneForPeersThatHaveGone() throws {
        let lanes = try Lanes(1)
        let (lane, notes) = (lanes.lanes[0], Notes())
        lanes.outbox.unreachable.insert([1])
        lane.queue.sync {
            add("a", of: 1, to: lane, notes)
            add("b", of: 2, to: lane, notes)
        }
        for _ in 0..<20 { lane.queue.sync {} }
        let found = notes.all.withLock { $0.filter { $0 != "other" } }
        #expect(found == ["a abandoned", "b1", "b2", "b3"])
    }

    @Test func theEndAbandonsTheRest() throws {
        let lanes = try Lanes(1)
        let (lane, notes) = (lanes.lanes[0], Notes())
        lane.queue.sync {
            add("a", of: 1, to: lane, notes)
            lane.table.pieces.stop()
            add("b", of: 2, to: lane, notes)
        }
        for _ in 0..<20 { lane.queue.sync {} }
        #expect(notes.all.withLock { $0 } == ["a abandoned", "b abandoned"])
    }
}
