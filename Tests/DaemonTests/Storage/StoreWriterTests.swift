import Dispatch
import Notation
import Store
import StoreSupport
import Synchronization
import Testing

@testable import Daemon

@Suite struct StoreWriterTests {
    private func put(_ id: String) -> StoreChange {
        .put(StoredSession(id: id, state: [], lastUsed: 1))
    }

    /// Lanes learn one by one that the member has joined anew.
    @Test func whatAFormerLifeSubmitsLastIsRefusedAlone() throws {
        let database = MemoryDatabase()
        let log = Log(level: .error, to: .lines(Drain().descriptor))
        let writer = try StoreWriter(database.open(), counters: Counters(), log: log)
        let (gate, former) = (DispatchSemaphore(value: 0), writer.fence)
        let outcomes = Mutex<[String: CommitOutcome]>([:])
        func submit(_ name: String, _ changes: [StoreChange], _ fence: StoreFence) {
            writer.submit(changes, under: fence, replies: 1) { outcome in
                outcomes.withLock { $0[name] = outcome }
            }
        }
        database.inject(.slow(gate))
        submit("before", [put("a")], former)
        let isUnderWay = becomesTrue {
            writer.health(at: Clock.monotonic() + 3_600_000_000_000) != .good
        }
        // Both wait for the first, and go together.
        submit("new", [put("b")], database.open().fence)
        submit("old", [], former)
        gate.signal()
        #expect(isUnderWay && becomesTrue { outcomes.withLock { $0.count == 3 } })
        #expect(outcomes.withLock { $0["new"] == .durable && $0["old"] == .notOwner })
        #expect(database.session("b") != nil)
        #expect(writer.stop(isWhole: true, unless: { false }))
    }

    /// The disk may have room again before the store's thread tries for the first time.
    @Test func theLogSaysThatItCanStoreThoughNoTrialFailed() throws {
        let drain = Drain()
        let log = Log(level: .info, to: .lines(drain.descriptor))
        let store = MemoryDatabase().open(hasBegun: false)
        let writer = try StoreWriter(store, counters: Counters(), log: log)
        #expect(becomesTrue { writer.hasBegun })
        #expect(writer.stop(isWhole: true, unless: { false }))
        let lines = try drain.lines()
        #expect(lines.count == 2 && lines[1].contains("it can be stored again"), "\(lines)")
    }

    /// A connection is given up after two seconds: hundreds of megabytes would never be taken.
    @Test func whatIsTooLargeForOneCommitGoesInSeveral() throws {
        let database = MemoryDatabase()
        let log = Log(level: .error, to: .lines(Drain().descriptor))
        let writer = try StoreWriter(database.open(), counters: Counters(), log: log)
        let gate = DispatchSemaphore(value: 0)
        let outcomes = Mutex<[CommitOutcome]>([])
        func submit(_ changes: [StoreChange]) {
            writer.submit(changes, replies: 0) { outcome in
                outcomes.withLock { $0.append(outcome) }
            }
        }
        database.inject(.slow(gate))
        submit([put("first")])
        let isUnderWay = becomesTrue {
            writer.health(at: Clock.monotonic() + 3_600_000_000_000) != .good
        }
        let state = [UInt8](repeating: 1, count: StoreCommit.bytesMax / 4)
        let rows = (0..<7).map {
            StoreChange.put(StoredSession(id: "s\($0)", state: state, lastUsed: 1))
        }
        for row in rows { submit([row]) }
        submit(rows)
        gate.signal()
        #expect(isUnderWay && becomesTrue { outcomes.withLock { $0.count == 9 } })
        #expect(outcomes.withLock { $0.allSatisfy { $0 == .durable } })
        #expect(database.commits.map(\.count) == [1, 3, 3, 1, 7], "whole submissions")
        #expect(writer.stop(isWhole: true, unless: { false }))
    }
}
