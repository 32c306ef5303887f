import Dispatch
import Membership
import StoreSupport
import Testing

@testable import Store

/// Each condition in the statements by which members share a database, by itself: every one of
/// these tests failed when its condition was taken out.
///
/// | guard | test |
/// |---|---|
/// | commit: the generation | `statementsOfAFormerConnectionChangeNothing` |
/// | commit: a later statement | `aCommitThatIsRefusedInItsMidstIsOfUnknownOutcome` |
/// | refresh: the generation | `statementsOfAFormerConnectionChangeNothing` |
/// | hand-over: the giver's generation | `statementsOfAFormerConnectionChangeNothing` |
/// | hand-over: the heir lives, the shard is the giver's | `aHandOverNeedsAnHeirThatLives` |
/// | read, moving: the generation | `aFormerConnectionIsNotAnswered` |
/// | fence: the lease is over; the generation | `aLateMemberIsFencedOnceAndStoresNothingMore` |
/// | claim: the epoch | `aShardIsClaimedOnceAndAtTheEpochAtWhichItWasSeen` |
/// | claim: nobody owns it; the claimer lives | `onlyTheLivingClaimAndOnlyWhatIsFree` |
/// | reconnect: the member is there; the generation is the last one | `aGoneMemberIsNotRevived` |
/// | renew: the member is there | `aGoneMemberIsNotRevived` |
/// | renew: the generation | `aFormerConnectionIsNotAnswered` |
/// | a connection that failed raises the generation | `eachConnectionIsMadeAnewAndAllWithIt` |
/// | `PostgresConnection.confirm` in each of its callers | `StandbyTests` |
/// | join: the layout | `nobodyJoinsWhoseLayoutIsReplacedMeanwhile` |
/// | migrations: nobody lives | `nobodyMigratesUnderMembersThatLive` |
/// | `LeaseWatch`: the deadline, the loss | `LeaseWatchTests` |
/// | the quiet lease, a loss that a commit finds | `ClusterDriverTests` |
/// | `.abandon` before `.drop` | `aLostMembersLanesAbandonAllBeforeTheyDropIt` |
/// | the epoch of motion, once more in the lane | `LaneShardsTests` |
/// | `motion_for` | `whatIsHandedOverInMidAirIsFoundAtItsEpochAlone` |
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct StatementGuardTests {
    private let database: SharedDatabase
    private let one: PostgresEngine
    private let two: PostgresEngine
    /// Says what a connection of the member `one` would.
    private let line: PostgresConnection

    init() throws {
        database = try SharedDatabase()
        one = try database.join(name: "one", instance: 1, shards: 2)
        two = try database.join(name: "two", instance: 2)
        _ = try one.claim([try one.shardRows()[0]])
        line = try PostgresConnection(
            database.target, name: "line", milliseconds: 5_000,
            settings: ReconnectingConnection.settings)
    }

    private func alice(_ state: UInt8) -> StoredSession {
        StoredSession(
            id: "alice", state: [state], lastUsed: 1,
            motion: StoredMotion(document: [1], epoch: 1))
    }

    private func raise(from generation: Int) throws -> Int {
        try line.execute(
            .reconnect, PostgresParameters().bigint(one.member).bigint(generation)
        ).count
    }

    /// Tries a statement under the former generation, and under the present one.
    private func expectFence(
        _ comment: Comment, _ run: (_ generation: Int) throws -> Bool
    ) throws {
        #expect(try !run(1), "\(comment): of the former connection")
        #expect(try run(2), "\(comment): of the present one")
    }

    @Test func statementsOfAFormerConnectionChangeNothing() throws {
        try one.commit([.put(alice(1))])
        #expect(try raise(from: 1) == 1)
        guard case .write(let part)? = CommitPart.steps(for: [.put(alice(2))]).first else {
            Issue.record("no statement")
            return
        }
        try expectFence("commit") { generation in
            let parameters = part.parameters(
                member: one.member, generation: generation, touchedStep: 1)
            _ = try line.execute(.commit, parameters)
            return try database.number("SELECT get_byte(state, 0) FROM gestured.session") == 2
        }
        try expectFence("refresh") { generation in
            let parameters = PostgresParameters().bigint(one.member).bigint(generation)
                .bigint(0).bigint(9).bigint(70)
            _ = try line.execute(.refresh, parameters)
            return try database.number("SELECT touched FROM gestured.session") == 70
        }
        try expectFence("hand over") { generation in
            let parameters = PostgresParameters().bigint(one.member).bigint(two.member)
                .integers([0]).bigint(generation).bigint(.max).bigint(0)
            _ = try line.execute(.handOver, parameters)
            return try database.number("SELECT owner FROM gestured.shard WHERE number = 0")
                == two.member
        }
    }

    /// The first statement ends the member, as somebody may before the second one.
    @Test func aCommitThatIsRefusedInItsMidstIsOfUnknownOutcome() throws {
        let bob = StoredSession(id: "bob", state: [1], lastUsed: 1)
        try one.commit([.put(bob)])
        try database.run(
            """
            CREATE FUNCTION gestured.ended() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              UPDATE gestured.member SET state = 'gone', generation = generation + 1
               WHERE name = 'one';
              RETURN OLD;
            END $$;
            CREATE TRIGGER ended BEFORE DELETE ON gestured.session
              FOR EACH ROW EXECUTE FUNCTION gestured.ended()
            """)
        let changes = [.put(alice(1)), .remove(id: "bob", version: 1), StoreChange.put(bob)]
        let error = #expect(throws: StoreError.self) { try one.commit(changes) }
        #expect(error?.recovery == .retry, "\(String(describing: error))")
        #expect(try database.number("SELECT count(*) FROM gestured.session") == 1)
        let again = #expect(throws: StoreError.self) { try one.commit(changes) }
        #expect(again?.kind == .notOwner)
    }

    @Test func aFormerConnectionIsNotAnswered() throws {
        try one.commit([.put(alice(1))])
        #expect(try raise(from: 1) == 1)
        let generations = { PostgresParameters().bigint(one.member).bigint($0) }
        try expectFence("read") { generation in
            let rows = try line.execute(.read, generations(generation).texts(["alice"]))
            return rows.bool(0, 0)
        }
        try expectFence("moving") { generation in
            let rows = try line.execute(
                .moving, generations(generation).integers([0]).bigints([1]))
            return rows.bool(0, 0)
        }
        try expectFence("renew") { generation in
            let renewal = PostgresParameters().bigint(one.member).double(60).bigint(generation)
            return try line.execute(.renew, renewal).count == 1
        }
    }

    @Test func onlyTheLivingClaimAndOnlyWhatIsFree() throws {
        let rows = try two.shardRows()
        #expect(rows[0].owner == one.member && rows[1].owner == nil)
        #expect(try two.claim([rows[0]]) == [], "its owner lives")
        try two.setLeaving()
        #expect(try two.claim([rows[1]]) == [], "it leaves")
        #expect(try one.claim([rows[1]]).map(\.number) == [1])
    }

    @Test func nobodyJoinsWhoseLayoutIsReplacedMeanwhile() throws {
        try line.run("BEGIN; LOCK TABLE gestured.member IN SHARE ROW EXCLUSIVE MODE")
        let joined = Pending<Int>()
        let database = database
        DispatchQueue(label: "joiner").async {
            do throws(StoreError) {
                let engine = try database.joinPatiently(name: "three", instance: 3) { error in
                    !error.description.contains("was not taken")
                }
                joined.take(.success(engine.member))
            } catch {
                joined.take(.failure(error))
            }
        }
        let waiting = PostgresStatement(
            "waiting",
            "SELECT FROM pg_locks WHERE NOT granted AND relation = 'gestured.member'::regclass")
        // The same connection each time: a joining member waits for a lock for a bounded time.
        let waits = try becomesTrue { try line.execute(waiting).count > 0 }
        try line.run("UPDATE gestured.cluster SET layout = layout + 1; COMMIT")
        let error = #expect(throws: StoreError.self) { try joined.wait() }
        #expect(waits && error?.description.contains("was not taken") == true)
    }

    @Test func aGoneMemberIsNotRevived() throws {
        #expect(try raise(from: 7) == 0, "another generation")
        #expect(try raise(from: 1) == 1)
        try database.run("UPDATE gestured.member SET state = 'gone' WHERE id = \(one.member)")
        #expect(try raise(from: 2) == 0)
        let renewal = PostgresParameters().bigint(one.member).double(60).bigint(2)
        #expect(try line.execute(.renew, renewal).count == 0)
    }
}
