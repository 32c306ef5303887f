import Foundation
import Membership
import StoreSupport
import Testing

@testable import Store

@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct StoreCopyTests {
    private let database: SharedDatabase
    private let scratch: Scratch

    init() throws {
        database = try SharedDatabase()
        scratch = try Scratch()
    }

    private func copy(shards: Int = 4) throws {
        try StoreCopy(scratch.path, shards: shards)
            .run(to: database.target, shard: { $0.utf8.count % shards }, progress: { _ in })
    }

    private func fill(_ store: SQLiteStore) throws -> [StoredSession] {
        let sessions = (0..<700).map { index in
            StoredSession(
                id: String(repeating: "x", count: index % 5) + "-\(index)", state: [0, 255],
                lastUsed: index,
                seen: index % 3 == 0
                    ? (0..<index + 300).map { SeenMark(place: $0, hash: UInt128($0) + 5) } : [])
        }
        try store.commit(sessions.map { .put($0) } + [.remove(id: "gone", version: 41)])
        return sessions
    }

    @Test func everythingIsThereUnderTheSameKey() throws {
        let secret = try #require(Secret([UInt8](repeating: 1, count: 16)))
        // Two unclean ends; the third is clean.
        for _ in 0..<2 { _ = try SQLiteStore(scratch.path, .full, newKey: 77, secret: secret) }
        let store = try SQLiteStore(scratch.path, .full, newKey: 77, secret: secret)
        let sessions = try fill(store)
        try store.close()
        try copy()
        let engine = try database.join(secret: secret)
        #expect(engine.identity.key == store.identity.key && engine.shards == 4)
        let reader = try engine.makeReader()
        for var session in sessions {
            session.shard = session.id.utf8.count % 4
            #expect(try reader.session(session.id) == session)
        }
        let rights = try engine.claim(try engine.shardRows())
        #expect(rights.allSatisfy { $0.epoch == store.identity.generation + 1 })
        #expect(rights.allSatisfy { $0.floor == 41 })
        #expect(throws: StoreError.self) { try database.join() }
    }

    @Test func aDatabaseThatHasBeenBegunIsLeftAlone() throws {
        let store = try scratch.open()
        _ = try fill(store)
        try store.close()
        _ = try database.join(key: 5)
        let error = #expect(throws: StoreError.self) { try copy() }
        #expect(error?.description.contains("empty") == true)
        #expect(try database.number("SELECT count(*) FROM gestured.session") == 0)
    }

    @Test func aCopyThatFailsLeavesNothing() throws {
        let store = try scratch.open()
        _ = try fill(store)
        try store.close()
        let connection = try SQLiteConnection(scratch.path, .write)
        try connection.run(
            "UPDATE seen SET hash = x'01' WHERE session = (SELECT max(session) FROM seen)")
        let error = #expect(throws: StoreError.self) { try copy() }
        #expect(error?.kind == .damaged && error?.description.contains("a mark") == true)
        #expect(
            try database.number(
                "SELECT count(*) FROM pg_namespace WHERE nspname = 'gestured'") == 0)
    }

    @Test func whatIsNoStoreIsRefused() throws {
        let error = #expect(throws: StoreError.self) { try copy() }
        #expect(error?.description.hasPrefix(scratch.path) == true)
        try Data().write(to: URL(filePath: scratch.path))
        #expect(throws: StoreError.self) { try copy() }
        try Data(repeating: 7, count: 8_192).write(to: URL(filePath: scratch.path))
        #expect(throws: StoreError.self) { try copy() }
    }

    @Test func aFileOfADaemonThatRunsIsRefused() throws {
        try scratch.open().close()
        let folder = unsafe open(scratch.folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
        let error = #expect(throws: StoreError.self) { try copy() }
        #expect(error?.description.contains("a daemon runs on it") == true)
    }
}
