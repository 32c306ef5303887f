import Dispatch
import Membership
import StoreSupport
import Testing

@testable import Store

/// A commit that waits for a standby, on a server of its own.
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct StandbyTests {
    /// PostgreSQL calls such a commit done, and only warns.
    @Test func aWaitForTheStandbyThatIsCutShortIsAFailure() throws {
        let database = try SharedDatabase(on: PostgresServer())
        let engine = try database.joinAlone()
        let session = StoredSession(id: "alice", state: [1], lastUsed: 1)
        try engine.commit([.put(session)])
        try database.run("ALTER SYSTEM SET synchronous_standby_names = 'none'")
        try database.run("SELECT pg_reload_conf()")
        let outcome = Pending<Void>()
        DispatchQueue(label: "commit").async {
            do throws(StoreError) {
                // The setting may take a moment to arrive.
                while true { try engine.commit([.put(session)]) }
            } catch {
                outcome.take(.failure(error))
            }
        }
        let waiting =
            "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = '"
            + Link.Purpose.commit.name(of: engine.member) + "'"
        #expect(try becomesTrue { try database.number("SELECT count(*) \(waiting)") == 1 })
        try database.run("SELECT pg_cancel_backend(pid) \(waiting)")
        let error = #expect(throws: StoreError.self) { try outcome.wait() }
        #expect(error?.description.contains("standby") == true && error?.recovery == .retry)
        #expect(engine.figures.unknown == 1)
        // The lease is not synced, and holds.
        #expect(try engine.renew(seconds: 60).clock > 0)
    }
}
