import Dispatch
import Membership
import StoreSupport
import Testing

@testable import Store

/// Connections that end, hang, or say something after their time.
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct ReconnectTests {
    private let database: SharedDatabase
    private let engine: PostgresEngine

    init() throws {
        database = try SharedDatabase()
        engine = try database.joinAlone()
    }

    private func alice(_ state: String, marks: [Int] = []) -> StoredSession {
        StoredSession(
            id: "alice", state: Array(state.utf8), lastUsed: 1,
            seen: marks.map { SeenMark(place: $0, hash: UInt128($0) + 1) })
    }

    private func stored() throws -> StoredSession? { try engine.makeReader().session("alice") }

    /// Commits until it is taken, as the owner of changes does.
    private func commit(_ changes: [StoreChange]) throws {
        let isTaken = becomesTrue {
            do throws(StoreError) {
                try engine.commit(changes)
                return true
            } catch {
                #expect(error.recovery == .retry, "\(error)")
                return false
            }
        }
        #expect(isTaken)
    }

    private func cut(_ purpose: ReconnectingConnection.Purpose) throws {
        let ended = try database.number(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity "
                + "WHERE datname = current_database() "
                + "AND application_name = '\(purpose.name(of: engine.member))'")
        #expect(ended == 1)
    }

    @Test(arguments: ReconnectingConnection.Purpose.allCases)
    func eachConnectionIsMadeAnewAndAllWithIt(purpose: ReconnectingConnection.Purpose) throws {
        _ = try engine.renew(seconds: 60)
        try engine.commit([.put(alice("1"))])
        #expect(try stored() == alice("1"))
        try cut(purpose)
        let settled = becomesTrue { (try? engine.renew(seconds: 60)) != nil }
        #expect(settled)
        try commit([.put(alice("2"))])
        #expect(try stored() == alice("2"))
        #expect(engine.figures.reconnects == 1, "the generation is raised once")
        #expect(try database.number("SELECT generation FROM gestured.member") == 2)
        #expect(try engine.members().count == 1)
    }

    @Test func aQuestionOutlivesTheConnectionByWhichItIsAsked() throws {
        try engine.commit([.put(alice("1"))])
        let reader = try engine.makeReader()
        for _ in 0..<3 {
            #expect(try reader.session("alice") == alice("1"))
            try cut(.read)
            #expect(try reader.session("alice") == alice("1"))
        }
    }

    /// The server is there and does not answer: nobody waits for the trials of others.
    @Test func anOutageIsFoundOutOnceForAll() throws {
        try engine.commit([.put(alice("1"))])
        let reader = try engine.makeReader()
        #expect(try reader.session("alice") == alice("1"))
        let other = try PostgresConnection(
            database.target, name: "other", milliseconds: 5_000, settings: "")
        try other.run("BEGIN; LOCK TABLE gestured.session IN ACCESS EXCLUSIVE MODE")
        let names = (0..<5 * PostgresQuestions.lookUpsMax).map { _ in Pending<StoredSession?>() }
        for (number, name) in names.enumerated() {
            #expect(try reader.lookUp("s\(number)", late: name.take) == .later)
        }
        let lists = (0..<3).map { _ in Pending<[String]>() }
        for list in lists { reader.names(.after("", limit: 9), then: list.take) }
        // The thread answers those that it asked for last: all others have their answer by then.
        #expect(throws: StoreError.self) { try names[0].wait() }
        #expect(names.dropFirst(PostgresQuestions.lookUpsMax).allSatisfy { $0.isAnswered })
        #expect(lists.allSatisfy { $0.isAnswered })
        for name in names[1...] { #expect(throws: StoreError.self) { try name.wait() } }
        for list in lists { #expect(throws: StoreError.self) { try list.wait() } }
        // One look-up makes the next trial, and others beside it fail at once. A machine
        // that stands still for a second ends the trial first: then there is another.
        var trial = Pending<StoredSession?>()
        for _ in 0..<5 {
            trial = Pending()
            #expect(try reader.lookUp("alice", late: trial.take) == .later)
            #expect(throws: StoreError.self) { try reader.session("bob") }
            if !trial.isAnswered { break }
        }
        #expect(!trial.isAnswered)
        try other.run("COMMIT")
        #expect(try trial.wait() == alice("1"))
        #expect(try reader.session("bob") == nil && reader.count() == 1)
    }

    @Test func aCommitOfAFormerConnectionChangesNothing() throws {
        try engine.commit([.put(alice("1"))])
        let former = try PostgresConnection(
            database.target, name: "former", milliseconds: 5_000,
            settings: ReconnectingConnection.settings)
        try cut(.commit)
        try commit([.put(alice("2"))])
        guard case .write(let part)? = CommitPart.steps(for: [.put(alice("1"))]).first else {
            Issue.record("no statement")
            return
        }
        for (generation, taken) in [(1, 0), (2, 1)] {
            let parameters = part.parameters(
                member: engine.member, generation: generation, touchedStep: 1)
            #expect(try former.execute(.commit, parameters).int(0, 0) == taken)
            #expect(try stored() == alice(taken == 1 ? "1" : "2"))
        }
    }

    /// The server is slow, and takes the commit after nobody waits for its answer any more.
    @Test func aCommitOfUnknownOutcomeCountsOnceWhenItIsRepeated() throws {
        try engine.commit([.put(alice("0", marks: [0]))])
        let other = try PostgresConnection(
            database.target, name: "other", milliseconds: 5_000, settings: "")
        try other.run("BEGIN; LOCK TABLE gestured.seen IN ACCESS EXCLUSIVE MODE")
        let change = StoreChange.put(alice("1", marks: Array(1..<40)))
        let error = #expect(throws: StoreError.self) { try engine.commit([change]) }
        #expect(error?.kind == .unavailable && engine.figures.unknown == 1)
        try other.run("COMMIT")
        #expect(
            try becomesTrue {
                try database.number(
                    "SELECT count(*) FROM gestured.session WHERE state = '1'") == 1
            }, "the server has taken it late")
        try commit([change])
        #expect(try stored() == alice("1", marks: Array(0..<40)))
        #expect(engine.figures.reconnects == 1)
    }

    /// A statement that holds the member's row is cut off, so that no fence waits for it.
    @Test func aStatementThatStandsStillIsCutOff() throws {
        let heir = try database.join(name: "two", instance: 2)
        try engine.commit([.put(alice("0"))])
        let other = try PostgresConnection(
            database.target, name: "other", milliseconds: 5_000, settings: "")
        try other.run("BEGIN; LOCK TABLE gestured.session IN ACCESS EXCLUSIVE MODE")
        let late = DispatchQueue(label: "late")
        let outcome = Pending<Void>()
        let engine = engine
        let change = StoreChange.put(alice("1"))
        late.async {
            do throws(StoreError) {
                try engine.commit([change])
                outcome.take(.success(()))
            } catch {
                outcome.take(.failure(error))
            }
        }
        let waiting = PostgresStatement(
            "waiting",
            "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                + "AND datname = current_database() "
                + "AND application_name = 'gestured \(engine.member) commit'")
        // The same connection each time: the statement is cut off soon.
        let watch = try PostgresConnection(
            database.target, name: "watch", milliseconds: 5_000, settings: "")
        #expect(try becomesTrue { try watch.execute(waiting).count == 1 })
        try database.run("UPDATE gestured.lease SET expires = now() - interval '1 s'")
        #expect(try heir.fence(engine.member))
        #expect(throws: StoreError.self) { try outcome.wait() }
        try other.run("COMMIT")
        #expect(try heir.makeReader().session("alice") == alice("0"))
    }

    @Test func whoComesBackToAnotherDatabaseDoesNotJoinIt() throws {
        try database.run("UPDATE gestured.cluster SET tag = 'other'")
        let error = #expect(throws: StoreError.self) { try engine.rejoin() }
        #expect(error?.kind == .displaced)
    }

    @Test func aServerThatIsNotThereIsUnavailable() {
        var settings = database.settings()
        settings.target.url = "postgresql:///nothing?host=/nonexistent"
        let error = #expect(throws: StoreError.self) { try PostgresEngine.join(settings) }
        #expect(error?.kind == .unavailable && error?.description.contains("\n") == false)
        settings.target.url = "nonsense://"
        #expect(throws: StoreError.self) { try PostgresEngine.join(settings) }
    }
}
