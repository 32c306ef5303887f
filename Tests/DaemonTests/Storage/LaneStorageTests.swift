import Dispatch
import Geometry
import Notation
import Protocol
import Sessions
import Store
import StoreSupport
import Testing

@testable import Daemon

/// One lane that stores in a database of the tests, and the part of the reactor that it needs.
private final class StoredLane {
    let database = MemoryDatabase()
    let lanes: Lanes
    let writer: StoreWriter
    var replies: [String] = []

    init() throws {
        let log = Log(level: .error, to: .lines(Drain().descriptor))
        writer = try StoreWriter(database.open(), counters: Counters(), log: log)
        lanes = try Lanes(1, storage: LaneStorage(writer))
    }

    var lane: Lane { lanes.lanes[0] }

    func publish(_ session: String, _ body: String) {
        var batch = Batch()
        batch.bytes = Array("notification/\(session)".utf8)
        let topic = 0..<batch.bytes.count
        batch.bytes += Array(body.utf8)
        let envelope = Envelope(
            identity: [], hasDelimiter: false, id: nil, publishes: session)
        batch.work.append(
            .acknowledgedEvent(envelope, topic: topic, body: topic.upperBound..<batch.bytes.count))
        batch.eventCount = 1
        lane.submit(&batch)
    }

    /// Does what the reactor does with the outbox until a condition holds; false: it never did.
    func pump(until isDone: (StoredLane) -> Bool) -> Bool {
        let end = Clock.monotonic() + 20_000_000_000
        while !isDone(self) {
            guard Clock.monotonic() < end else { return false }
            var contents = Outbox.Contents()
            lanes.outbox.exchange(with: &contents)
            for chunk in contents.chunks {
                for record in chunk.records {
                    guard case .reply = record.destination else { continue }
                    replies.append(String(decoding: chunk.bytes.array(record.range), as: UTF8.self))
                }
            }
            for completion in contents.completions { completion() }
        }
        return true
    }

    /// Publishes, and returns the answer.
    func ask(_ session: String, _ body: String) -> String {
        let count = replies.count
        publish(session, body)
        guard pump(until: { $0.replies.count > count }) else { return "no answer" }
        return replies[count]
    }

    /// The count of likes in the row of a session.
    func storedLikes(_ session: String) -> Int? {
        guard let state = database.session(session)?.state else { return nil }
        let text = String(decoding: state, as: UTF8.self)
        guard let match = text.firstMatch(of: /"likes":(\d+)/) else { return 0 }
        return Int(match.1)
    }

    /// The end of a daemon, as the reactor makes it.
    func end() -> Bool {
        lane.stop()
        lane.storeLast()
        for _ in 0..<3 where !lane.isStored() {
            guard writer.drain(unless: { false }) else { return false }
            var isTaken = false
            _ = pump { _ in
                defer { isTaken = true }
                return isTaken
            }
        }
        let isWhole = lane.isStored()
        return writer.stop(isWhole: isWhole, unless: { false }) && isWhole
    }
}

@Suite struct LaneStorageTests {
    private static let like = #"{"kind":"likes"}"#

    @Test func aPublishIsAnsweredOnceItIsDurable() throws {
        let stored = try StoredLane()
        for count in 1...3 {
            #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
            #expect(stored.storedLikes("a") == count)
        }
        #expect(stored.end())
    }

    @Test func afterFailuresItIsRefusedAndStoredLaterByItself() throws {
        let stored = try StoredLane()
        stored.database.inject(.error(.full), .error(.unavailable), .error(.forbidden))
        #expect(stored.ask("a", Self.like).contains("internal"))
        #expect(stored.storedLikes("a") == nil)
        let isStored = stored.pump { $0.storedLikes("a") == 1 }
        #expect(isStored && stored.database.commits.count == 1)
        #expect(stored.end())
    }

    @Test func aCommitWhoseAnswerIsLostCountsOnce() throws {
        let stored = try StoredLane()
        stored.database.inject(.unknown)
        let body = #"{"kind":"likes","id":"one"}"#
        #expect(stored.ask("a", body).contains("internal"))
        #expect(stored.ask("a", body).contains(#""duplicate":true"#))
        #expect(stored.storedLikes("a") == 1 && stored.database.session("a")?.seen.count == 1)
        #expect(stored.end())
    }

    @Test func aSessionOfAnotherOwnerIsDroppedAndNotStored() throws {
        let stored = try StoredLane()
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        _ = stored.database.open()
        #expect(stored.ask("a", Self.like).contains("internal"))
        let isDropped = stored.pump { $0.lanes.counters.get(.sessions) == 0 }
        #expect(isDropped && stored.storedLikes("a") == 1)
        #expect(stored.database.commits.count == 1)
        #expect(stored.end(), "nothing is left to be stored")
    }

    @Test func whileACommitWaitsForTheDiskTheLaneGoesOn() throws {
        let stored = try StoredLane()
        let gate = DispatchSemaphore(value: 0)
        stored.database.inject(.slow(gate))
        stored.publish("a", Self.like)
        let counters = stored.lanes.counters
        let hasBegun = stored.pump { _ in counters.get(.applied) == 1 }
        stored.publish("b", Self.like)
        let goesOn = stored.pump { _ in counters.get(.applied) == 2 }
        #expect(hasBegun && goesOn && stored.replies.isEmpty)
        gate.signal()
        let areAnswered = stored.pump { $0.replies.count == 2 }
        #expect(areAnswered && stored.storedLikes("a") == 1 && stored.storedLikes("b") == 1)
        #expect(stored.end())
    }

    @Test func aCleanEndStoresWhatNobodyWaitedFor() throws {
        let stored = try StoredLane()
        var batch = Batch()
        for number in 0..<600 { batch.notify("s\(number)") }
        stored.lane.submit(&batch)
        #expect(stored.end())
        #expect((0..<600).allSatisfy { stored.storedLikes("s\($0)") == 1 })
        #expect(stored.database.open().identity.generation == 0)
    }
}
