import Dispatch
import Geometry
import Glibc
import Notation
import Protocol
import Sessions
import Store
import StoreSupport
import Testing

@testable import Daemon

@Suite struct LaneStorageTests {
    /// The queue may still have a block when the daemon has ended.
    @Test func aBlockThatOutlivesItsLaneStoresNothing() throws {
        var stored: StoredLane? = try StoredLane()
        let (table, writer) = try (#require(stored?.lane.table), #require(stored?.writer))
        let queue = table.queue
        stored?.lane.stop()
        queue.queue.suspend()
        queue.later {
            table.storage?.delete("anna", version: 1)
            table.conclude()
        }
        stored = nil
        queue.queue.resume()
        queue.queue.sync {}
        #expect(writer.stop(isWhole: true, unless: { false }))
    }

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
        #expect(stored.ask("a", Self.like).contains("\"moved\""))
        let isDropped = stored.pump { $0.lanes.counters.get(.sessions) == 0 }
        #expect(isDropped && stored.storedLikes("a") == 1)
        #expect(stored.database.commits.count == 1)
        #expect(stored.end(), "nothing is left to be stored")
    }

    /// "Had no effect there" is told only where that is known: a part before may have the event.
    @Test(arguments: [true, false])
    func aLastPieceThatIsRefusedDoesNotSayThatNothingIsDurable(isAbandoned: Bool) throws {
        var tuning = WriteBehind.Tuning()
        tuning.partSessionsMax = 1
        tuning.gatheringNanoseconds = 3_600_000_000_000
        let stored = try StoredLane(tuning: tuning)
        let (gate, open) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        open.signal()
        // The first holds the store up, so that both parts go together.
        stored.database.inject(.slow(gate), .slow(open), .error(.notOwner))
        stored.publish("first", Self.like)
        let isHeld = stored.pump { $0.database.faultsLeft == 2 }
        var batch = Batch()
        batch.notify("a")
        batch.notify("b")
        stored.lane.submit(&batch)
        stored.publish("a", Self.like)
        let areUnderWay = stored.pump {
            $0.asked { $0.table.storage?.writeBehind.commitsUnderWay == 3 }
        }
        if isAbandoned {
            stored.order(.abandon)
            #expect(stored.pump { !$0.replies.isEmpty })
        }
        gate.signal()
        let areAnswered = stored.pump { $0.replies.count == 2 }
        #expect(isHeld && areUnderWay && areAnswered)
        let refused = stored.replies.filter { !$0.contains(#""ok":true"#) }
        #expect(refused.count == 1 && refused[0].contains("internal"), "\(stored.replies)")
        let isStored = stored.pump { $0.storedLikes("a") == 2 }
        #expect(isStored, "its row went with a part")
        _ = stored.end()
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

    /// A session at rest stands where its last event came, and its waits go on.
    @Test func aCleanEndStoresWhatIsLeftOfAWait() throws {
        let clear = Reaction.Order(component: "badges", command: "clear", arguments: [])
        let stored = try StoredLane(
            reactions: [
                Reaction([.idle(seconds: 60)], [Reaction.Action(.command(clear))])
            ])
        #expect(stored.ask("a", Self.like).contains(#""ok":true"#))
        let first = try #require(stored.storedSteps("a"))
        let began = Clock.monotonic()
        let hasWaited = stored.pump { _ in Clock.monotonic() - began > 500_000_000 }
        #expect(hasWaited)
        #expect(stored.end())
        let last = try #require(stored.storedSteps("a"))
        #expect(last <= first - 50 && last > 0, "\(first), then \(last)")
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
