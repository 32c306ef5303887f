import Dispatch
import Membership
import StoreSupport
import Synchronization
import Testing

@testable import Store

/// The way of content into the database and out of it, and how that is begun.
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct ClusterContentTests {
    private let database: SharedDatabase

    init() throws { database = try SharedDatabase() }

    @Test func anyBytesAndLongNamesComeBack() throws {
        let engine = try database.joinAlone()
        let reader = try engine.makeReader()
        let all = (0...255).map { UInt8($0) }
        let names = [
            "a", String(repeating: "n", count: 64), String(repeating: "ä€😀", count: 200),
            "'; DROP TABLE session; --", "\\N", "{\"a\",NULL}", " \t\n",
        ]
        let sessions = names.enumerated().map {
            StoredSession(
                id: $1, state: $0 == 0 ? [] : Array(repeating: all, count: 40 * $0).flatMap { $0 },
                lastUsed: $0 == 1 ? Int.max : -$0, seen: [SeenMark(place: $0, hash: .max)],
                motion: $0 == 2 ? StoredMotion(document: all, epoch: Int.max) : nil)
        }
        try engine.commit(sessions.map { .put($0) })
        for session in sessions {
            #expect(try reader.session(session.id) == session)
        }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try reader.ids(after: "", limit: 99) == sorted)
        #expect(try reader.session("a\0b") == nil)
        #expect(throws: StoreError.self) { try reader.ids(after: "a\0b", limit: 1) }
    }

    @Test func changesOfOneNameAreTakenInTheirOrder() throws {
        let engine = try database.joinAlone()
        func put(_ id: String, _ state: UInt8, _ place: Int) -> StoreChange {
            .put(
                StoredSession(
                    id: id, state: [state], lastUsed: 1, seen: [SeenMark(place: place, hash: 7)]))
        }
        try engine.commit([
            put("a", 1, 0), put("b", 1, 0), .remove(id: "a", version: 3), put("b", 2, 1),
            put("a", 3, 5), .remove(id: "c", version: 9), put("c", 1, 0),
            .remove(id: "c", version: 4), .refresh(lastUsed: 0..<2, to: 8), put("d", 1, 0),
        ])
        let reader = try engine.makeReader()
        let a = try reader.session("a")
        #expect(a?.state == [3] && a?.seen.map(\.place) == [5] && a?.lastUsed == 8)
        #expect(try reader.session("b")?.seen.map(\.place) == [0, 1])
        #expect(try reader.session("c") == nil && reader.session("d")?.lastUsed == 1)
        #expect(try database.number("SELECT floor FROM gestured.shard") == 9)
    }

    @Test func timesOfUseAreRoundedAndNothingExpiresEarly() throws {
        var settings = database.settings()
        settings.touchedStep = 100
        let engine = try PostgresEngine.join(settings)
        try engine.commit([.put(StoredSession(id: "a", state: [], lastUsed: 199))])
        let reader = try engine.makeReader()
        #expect(try reader.session("a")?.lastUsed == 100)
        #expect(try reader.ids(lastUsedBefore: 199, limit: 9) == [])
        #expect(try reader.ids(lastUsedBefore: 200, limit: 9) == ["a"])
        #expect(try reader.ids(lastUsedBefore: 200, in: [1, 2], limit: 9) == [])
        #expect((-1).roundedDown(to: 100) == -100 && 0.roundedDown(to: 100) == 0)
    }

    /// Sessions in mid-air, of which the second cannot be read.
    private func makeDamaged(_ engine: PostgresEngine, by sql: String) throws -> [StoredSession] {
        let sessions = ["a", "b", "c"].map {
            StoredSession(
                id: $0, state: Array($0.utf8), lastUsed: 1,
                seen: [SeenMark(place: 0, hash: 7)], motion: StoredMotion(document: [1], epoch: 4))
        }
        try engine.commit(sessions.map { .put($0) })
        try database.run(sql)
        return sessions
    }

    /// Asks for all of them in one statement, and for names that nobody has.
    private func expectNeighbours(
        of damaged: String, _ sessions: [StoredSession], _ engine: PostgresEngine
    ) throws -> String? {
        let reader = try engine.makeReader()
        let other = try PostgresConnection(
            database.target, name: "other", milliseconds: 5_000, settings: "")
        try other.run("BEGIN; LOCK TABLE gestured.session IN ACCESS EXCLUSIVE MODE")
        let names = ["z", "a", "b", "c", "y"]
        let answers = names.map { _ in Pending<StoredSession?>() }
        for (name, answer) in zip(names, answers) {
            #expect(try reader.lookUp(name, late: answer.take) == .later)
        }
        try other.run("COMMIT")
        for (name, answer) in zip(names, answers) where name != damaged {
            #expect(try answer.wait() == sessions.first { $0.id == name })
        }
        let error = #expect(throws: StoreError.self) { try answers[2].wait() }
        #expect(error?.kind == .damaged)
        return error?.description
    }

    @Test func damagedMarksAreOfNoConsequenceToTheirNeighbours() throws {
        let engine = try database.joinAlone()
        let sessions = try makeDamaged(
            engine, by: "UPDATE gestured.session SET recent = '\\x000007' WHERE id = 'b'")
        let text = try expectNeighbours(of: "b", sessions, engine)
        #expect(text?.contains("session b") == true)
        let found = Pending<[StoredSession]>()
        try engine.makeReader().moving(
            [ShardRight(number: 0, epoch: 4, floor: 0)], then: found.take)
        #expect(try found.wait().sorted { $0.id < $1.id } == [sessions[0], sessions[2]])
    }

    /// The server fails the whole statement for one row on a page that it cannot read.
    @Test func aDamagedPageIsOfNoConsequenceToOthers() throws {
        let engine = try database.joinAlone()
        let sessions = try makeDamaged(
            engine,
            by: """
                ALTER TABLE gestured.session RENAME TO row;
                CREATE FUNCTION gestured.page(id text, state bytea) RETURNS bytea
                  LANGUAGE plpgsql AS $$
                BEGIN
                  IF id = 'b' THEN
                    RAISE EXCEPTION 'invalid page in block 0' USING ERRCODE = 'data_corrupted';
                  END IF;
                  RETURN state;
                END $$;
                CREATE VIEW gestured.session AS SELECT id, shard,
                  gestured.page(id, state) AS state, recent, touched, motion, motion_for
                  FROM gestured.row
                """)
        let text = try expectNeighbours(of: "b", sessions, engine)
        #expect(text?.contains("invalid page") == true)
    }

    @Test func manyNamesAreAskedForTogether() throws {
        let engine = try database.joinAlone()
        let count = 3 * PostgresQuestions.lookUpsMax + 7
        try engine.commit(
            (0..<count).map {
                .put(StoredSession(id: "s\($0)", state: Array("\($0)".utf8), lastUsed: 1))
            })
        let reader = try engine.makeReader()
        // Nothing is answered until all is asked.
        let other = try PostgresConnection(
            database.target, name: "other", milliseconds: 5_000, settings: "")
        try other.run("BEGIN; LOCK TABLE gestured.session IN ACCESS EXCLUSIVE MODE")
        let answers = (0..<2 * count).map { _ in Pending<StoredSession?>() }
        for (index, answer) in answers.enumerated() {
            #expect(try reader.lookUp("s\(index)", late: answer.take) == .later)
        }
        try other.run("COMMIT")
        for (index, answer) in answers.enumerated() {
            let found = try answer.wait()
            #expect(found?.state == (index < count ? Array("\(index)".utf8) : nil))
        }
        let name = ReconnectingConnection.Purpose.read.name(of: engine.member)
        let asked = try database.number(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                + "AND application_name = '\(name)'"
        )
        #expect(asked == 1)
    }

    @Test func whatWaitsWhenTheStoreClosesIsAnsweredOnce() throws {
        let engine = try database.joinAlone()
        let reader = try engine.makeReader()
        let answers = (0..<300).map { _ in Pending<StoredSession?>() }
        for answer in answers { _ = try reader.lookUp("a", late: answer.take) }
        try engine.close()
        for answer in answers { _ = try? answer.wait() }
        let late = Pending<StoredSession?>()
        #expect(try reader.lookUp("a", late: late.take) == .later)
        #expect(throws: StoreError.self) { try late.wait() }
        #expect(
            try database.number("SELECT count(*) FROM gestured.member WHERE state = 'gone'") == 1)
    }

    @Test func aLaterLayoutIsRefusedAndAnEarlierOneMigrated() throws {
        try database.joinAlone().close()
        try database.run("UPDATE gestured.cluster SET layout = 99")
        let error = #expect(throws: StoreError.self) { try database.join() }
        #expect(error?.kind == .newer && error?.description.contains("layout 99") == true)
        try database.run("UPDATE gestured.cluster SET layout = \(ClusterSchema.migrations.count)")
        let connection = try PostgresConnection(
            database.target, name: "test", milliseconds: 5_000, settings: "")
        let broken = ClusterSchema.migrations + ["CREATE TABLE gestured.color ()", "nonsense"]
        #expect(throws: StoreError.self) {
            try ClusterSchema.migrate(connection, by: broken) { _ in }
        }
        let later = ClusterSchema.migrations + ["CREATE TABLE gestured.color ()"]
        try ClusterSchema.migrate(connection, by: later) { isNew in #expect(!isNew) }
        #expect(try database.number("SELECT layout FROM gestured.cluster") == later.count)
    }

    @Test(arguments: ["", "a\"b", "Tag", "a-b", String(repeating: "a", count: 17)])
    func aTagThatNoMemberHasMadeIsDamage(tag: String) throws {
        try database.joinAlone().close()
        try database.run("UPDATE gestured.cluster SET tag = '\(tag)'")
        let error = #expect(throws: StoreError.self) { try database.join() }
        #expect(error?.kind == .damaged && error?.description.contains("tag") == true)
    }

    /// They would go on with tables that they do not know.
    @Test func nobodyMigratesUnderMembersThatLive() throws {
        let one = try database.join(name: "one", instance: 1)
        let two = try database.join(name: "two", instance: 2)
        let connection = try PostgresConnection(
            database.target, name: "test", milliseconds: 5_000, settings: "")
        let later = ClusterSchema.migrations + ["CREATE TABLE gestured.color ()"]
        for engine in [one, two] { _ = try engine.renew(seconds: 60) }
        func migrate() throws(StoreError) {
            try ClusterSchema.migrate(
                connection, for: database.settings(instance: 2).member.instance, by: later
            ) { _ in }
        }
        let error = #expect(throws: StoreError.self) { try migrate() }
        #expect(error?.recovery == .retry && error?.description.contains("one run") == true)
        #expect(try database.number("SELECT layout FROM gestured.cluster") == 1)
        let put = StoreChange.put(StoredSession(id: "a", state: [1], lastUsed: 1))
        try two.commit([put])
        // One is late, and the other's state directory has a new owner.
        try database.run(
            "UPDATE gestured.lease SET expires = now() - interval '1 s' "
                + "WHERE member = \(one.member)")
        try migrate()
        #expect(try database.number("SELECT layout FROM gestured.cluster") == later.count)
        for engine in [one, two] {
            let error = #expect(throws: StoreError.self) { try engine.commit([put]) }
            #expect(error?.kind == .notOwner)
            let refusal = #expect(throws: StoreError.self) { try engine.rejoin() }
            #expect(refusal?.kind == .newer)
        }
    }

    @Test func manyDaemonsMakeTheTablesOnce() throws {
        let joined = Mutex<[String]>([])
        let group = DispatchGroup()
        for index in 1...6 {
            let settings = database.settings(
                name: "m\(index)", instance: index, key: UInt128(index))
            DispatchQueue.global().async(group: group) {
                guard let engine = try? PostgresEngine.join(settings) else { return }
                joined.withLock { $0.append("\(engine.tag) \(engine.identity.key)") }
            }
        }
        #expect(group.wait(timeout: .now() + .seconds(20)) == .success)
        let all = joined.withLock { $0 }
        #expect(all.count == 6 && Set(all).count == 1)
    }

    @Test func aDatabaseKeepsTheSecretThatItWasBegunWith() throws {
        let secrets = try (0..<2).map { index in
            try #require(Secret([UInt8](repeating: UInt8(index), count: 16)))
        }
        let engine = try database.join(secret: secrets[0])
        #expect(engine.identity.key == secrets[0].mixed(with: 7))
        for other in [secrets[1], nil] {
            let error = #expect(throws: StoreError.self) { try database.join(secret: other) }
            #expect(error?.kind == .otherKey)
        }
        #expect(try database.join(key: 8, secret: secrets[0]).identity == engine.identity)
    }

    @Test func aDatabaseWithoutMarksTakesASecret() throws {
        let secret = try #require(Secret([UInt8](repeating: 1, count: 16)))
        let engine = try database.join()
        try engine.commit([.put(StoredSession(id: "a", state: [], lastUsed: 1))])
        #expect(try database.join(secret: secret).identity.key == secret.mixed(with: 7))
        #expect(throws: StoreError.self) { try database.join() }
        let other = try SharedDatabase()
        let marked = StoredSession(
            id: "a", state: [], lastUsed: 1, seen: [SeenMark(place: 0, hash: 1)])
        try other.join().commit([.put(marked)])
        let error = #expect(throws: StoreError.self) { try other.join(secret: secret) }
        #expect(error?.kind == .otherKey)
    }
}
