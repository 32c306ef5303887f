import Dispatch
import Membership
import StoreSupport
import Testing

@testable import Store

/// Waits for a standby, on a server of their own. PostgreSQL calls such a statement done whose wait
/// is cut short, and only warns.
@Suite(.serialized, .enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct StandbyTests {
    private static let server = Result { try PostgresServer() }
    private let database: SharedDatabase
    private let change = StoreChange.put(StoredSession(id: "alice", state: [1], lastUsed: 1))

    init() throws {
        database = try SharedDatabase(on: Self.server.get())
        try setStandbys("")
    }

    /// Those that the server waits for. Returns once it does.
    private func setStandbys(_ names: String) throws {
        try database.run("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
        try database.run("SELECT pg_reload_conf()")
        let isSet = try becomesTrue {
            let probe = try PostgresConnection(
                database.target, name: "probe", milliseconds: 200, settings: "")
            let isAnswered = (try? probe.run("SELECT pg_logical_emit_message(true, '', '')")) != nil
            return isAnswered == names.isEmpty
        }
        try #require(isSet)
    }

    /// Cuts the first wait of this database for the standby short, from the server's inside. It is
    /// connected before anybody waits: no deadline of a caller's is too short for it.
    private func cutWait() throws -> Pending<Void> {
        let isConnected = Pending<Void>()
        let ended = Pending<Void>()
        let target = database.target
        DispatchQueue(label: "cutter").async {
            do {
                let connection = try PostgresConnection(
                    target, name: "cutter", milliseconds: 20_000, settings: "")
                // The server loads the language at the first use.
                try connection.run("DO $$ BEGIN PERFORM count(*) FROM pg_stat_activity; END $$")
                isConnected.take(.success(()))
                try connection.run(
                    """
                    DO $$ BEGIN
                      FOR trial IN 1..1500 LOOP
                        PERFORM pg_stat_clear_snapshot();
                        PERFORM pg_cancel_backend(pid) FROM pg_stat_activity
                          WHERE wait_event = 'SyncRep' AND datname = current_database()
                            AND application_name LIKE 'gestured %';
                        IF FOUND THEN RETURN; END IF;
                        PERFORM pg_sleep(0.005);
                      END LOOP;
                      RAISE EXCEPTION 'nobody waits for the standby';
                    END $$
                    """)
                ended.take(.success(()))
            } catch {
                ended.take(.failure(StoreError(.unavailable, "\(error)")))
            }
        }
        try isConnected.wait()
        return ended
    }

    /// Has the connection of leases made, which on a slow machine takes more than one trial.
    private func connect(_ engine: PostgresEngine) {
        #expect(becomesTrue { (try? engine.shardRows()) != nil })
    }

    /// Runs a call whose wait is cut short: it has to fail.
    private func expectDoubt(
        _ comment: Comment, _ body: () throws(StoreError) -> Void
    ) throws {
        try setStandbys("none")
        defer { #expect(throws: Never.self) { try setStandbys("") } }
        let cut = try cutWait()
        let error = #expect(throws: StoreError.self, comment) { try body() }
        #expect(
            error?.description.contains("standby") == true && error?.recovery == .retry,
            "\(comment): \(String(describing: error))")
        try cut.wait()
    }

    @Test func aCommitOfWhichTheStandbyMayNotKnowFails() throws {
        let engine = try database.joinAlone()
        try engine.commit([.put(StoredSession(id: "alice", state: [0], lastUsed: 1))])
        try expectDoubt("commit") { () throws(StoreError) in try engine.commit([change]) }
        #expect(engine.figures.unknown == 1)
        // The lease is not synced, and holds.
        try setStandbys("none")
        #expect(try engine.renew(seconds: 60).clock > 0)
        try setStandbys("")
    }

    /// Else a shard's epoch, which clients see, could fall after a failover.
    @Test(arguments: [SQLiteStore.Durability.full, .normal])
    func anEpochOfWhichTheStandbyMayNotKnowIsNobodys(durability: SQLiteStore.Durability) throws {
        var settings = database.settings(name: "one", instance: 1, shards: 2)
        settings.durability = durability
        let one = try PostgresEngine.join(settings)
        settings = database.settings(name: "two", instance: 2)
        settings.durability = durability
        let two = try PostgresEngine.join(settings)
        connect(one)
        connect(two)
        let rows = try one.shardRows()
        try expectDoubt("claim") { () throws(StoreError) in _ = try one.claim(rows) }
        // The claim is there; it counts once a reconnection was awaited, which is so here.
        #expect(try one.shardRows().map(\.owner) == [one.member, one.member])
        #expect(one.figures.reconnects == 1)
        try expectDoubt("hand over") { () throws(StoreError) in
            _ = try one.handOver([0], to: two.member)
        }
        // The heir finds it, and makes sure of it first.
        try expectDoubt("read") { () throws(StoreError) in _ = try two.shardRows() }
        #expect(try two.shardRows().map(\.owner) == [two.member, one.member])
        try database.run("UPDATE gestured.lease SET expires = now() - interval '1 s'")
        try expectDoubt("fence") { () throws(StoreError) in _ = try two.fence(one.member) }
    }

    /// Else two members could have a name, or a member that has ended could have a place.
    @Test func aJoinAndAnEndOfWhichTheStandbyMayNotKnowFail() throws {
        let one = try database.join(name: "one", instance: 1)
        try expectDoubt("join") { () throws(StoreError) in
            _ = try database.join(name: "two", instance: 2)
        }
        try expectDoubt("end") { () throws(StoreError) in try one.setGone() }
    }

    @Test(arguments: [SQLiteStore.Durability.full, .normal])
    func aGenerationOfWhichTheStandbyMayNotKnowIsNotUsed(
        durability: SQLiteStore.Durability
    ) throws {
        var settings = database.settings()
        settings.durability = durability
        let engine = try PostgresEngine.join(settings)
        try engine.commit([change])
        let name = ReconnectingConnection.Purpose.commit.name(of: engine.member)
        _ = try database.number(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
                + "WHERE datname = current_database() "
                + "AND application_name = '\(name)'"
        )
        #expect(throws: StoreError.self) { try engine.commit([change]) }
        try expectDoubt("reconnect") { () throws(StoreError) in try engine.commit([change]) }
        #expect(engine.figures.reconnects == 0)
        try engine.commit([change])
        #expect(engine.figures.reconnects == 1)
    }

    /// `normal`: only changes may be lost with the database's last moment.
    @Test func changesAloneAreNotAwaitedIfTheyNeedNotBeDurable() throws {
        var settings = database.settings()
        settings.durability = .normal
        let engine = try PostgresEngine.join(settings)
        try engine.commit([change])
        try setStandbys("none")
        try engine.commit([change])
        try setStandbys("")
    }
}
