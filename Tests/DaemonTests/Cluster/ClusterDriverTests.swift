import Membership
import Notation
import Store
import StoreSupport
import Testing

@testable import Daemon

/// A member's thread on a real database. The tests are its lanes.
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct ClusterDriverTests {
    private let database: SharedDatabase
    private let engine: PostgresEngine
    private let log = Log(level: .error, to: .lines(-1))

    init() throws {
        database = try SharedDatabase()
        engine = try database.join(name: "mine", instance: 1)
    }

    /// A driver that has looked once.
    private func makeDriver(leaseSeconds: Double) throws -> ClusterDriver {
        let driver = try ClusterDriver(
            engine, leaseSeconds: leaseSeconds, joined: Clock.boot(),
            wallClock: WallClock(counters: Counters(), log: log), outbox: Outbox(), log: log)
        driver.start()
        driver.awaitMap()
        return driver
    }

    private func commit() throws(StoreError) {
        let session = StoredSession(id: "alice", state: [1], lastUsed: 1)
        try engine.commit(StoreCommit(fence: engine.fence, changes: [.put(session)]))
    }

    /// Does what lanes would until an order comes that is waited for, or a condition holds.
    private func serve(
        _ driver: ClusterDriver, until isDone: (ClusterDriver.Order?) throws -> Bool
    ) rethrows -> Bool {
        try becomesTrue {
            for order in driver.takeOrders() {
                if case .probe = order { driver.send(.lanesAnswered) }
                if case .take(let rights, _) = order { driver.taken(rights) }
                if try isDone(order) { return true }
            }
            return try isDone(nil)
        }
    }

    private func end(_ driver: ClusterDriver) {
        driver.send(.stop)
        #expect(serve(driver) { if case .finish = $0 { true } else { false } })
        let end = Clock.monotonic() + 10_000_000_000
        driver.finish { Clock.monotonic() > end }
        #expect(driver.takeOrders().contains { if case .ended(true) = $0 { true } else { false } })
    }

    /// A commit hears of it before the next look, which is 20 s away.
    @Test func aRefusedCommitEndsTheLifeAtOnce() throws {
        let driver = try makeDriver(leaseSeconds: 60)
        // Nobody is notified.
        try database.run(
            "UPDATE gestured.member SET state = 'gone', generation = generation + 1")
        let error = #expect(throws: StoreError.self) { try commit() }
        #expect(error?.kind == .notOwner)
        #expect(serve(driver) { if case .dropAll = $0 { true } else { false } })
        end(driver)
    }

    /// A database that was away makes everybody late.
    @Test func whoHasLostAConnectionFencesNobodyForOneLease() throws {
        let lease = 1_000_000_000
        let other = try database.join(name: "other", instance: 2)
        func setLease(_ time: String) throws {
            try database.run(
                "UPDATE gestured.lease SET expires = \(time) WHERE member = \(other.member)")
        }
        try setLease("now() + interval '1 h'")
        try commit()
        let driver = try makeDriver(leaseSeconds: 1)
        // It joined a moment ago, so it is quiet anyway.
        let quietEnd = Clock.boot() + lease + lease / 10
        #expect(serve(driver) { _ in Clock.boot() > quietEnd })
        let began = Clock.boot()
        #expect(
            try database.number(
                "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
                    + "WHERE datname = current_database() AND "
                    + "application_name = 'gestured \(engine.member) commit'") == 1)
        #expect(throws: StoreError.self) { try commit() }
        try setLease("now() - interval '1 h'")
        let isFenced = try serve(driver) { _ in
            try database.number(
                "SELECT count(*) FROM gestured.member WHERE state = 'gone' "
                    + "AND id = \(other.member)") == 1
        }
        #expect(isFenced)
        #expect(Clock.boot() - began >= lease)
        end(driver)
    }

    /// Its shards are free at once, whatever the length of its lease.
    @Test func aMemberThatHasStoredAllIsGoneAtOnce() throws {
        let driver = try makeDriver(leaseSeconds: 60)
        _ = serve(driver) { if case .take = $0 { true } else { false } }
        let began = Clock.monotonic()
        end(driver)
        #expect(Clock.monotonic() - began < 5_000_000_000)
        #expect(
            try database.number(
                "SELECT count(*) FROM gestured.member WHERE state <> 'gone'") == 0)
        #expect(engine.figures.lost == 0, "nobody has ended it")
        try engine.close()
    }
}
