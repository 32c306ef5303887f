import Foundation
import StoreSupport
import Testing

@testable import Store

/// A folder of its own for each test, gone at its end.
final class Scratch {
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "gestured-store-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var path: String { folder.appending(path: "state.db").path }

    func open(
        _ durability: SQLiteStore.Durability = .full, key: UInt128 = 7, floor: Int = 0,
        time: Int = 0
    ) throws -> SQLiteStore {
        try SQLiteStore(path, durability, newKey: key, versionFloor: floor, time: time)
    }
}

private func alice(
    _ state: String, lastUsed: Int = 100, seen: [SeenMark] = []
) -> StoredSession {
    StoredSession(id: "alice", state: Array(state.utf8), lastUsed: lastUsed, seen: seen)
}

@Suite struct SQLiteStoreTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func committedRowsSurviveARestart() throws {
        let high = UInt128(1) << 127 | 5
        try scratch.open().commit([
            .put(alice("{}", seen: [SeenMark(place: 0, hash: 1), SeenMark(place: 1, hash: high)]))
        ])
        let reader = try scratch.open().makeReader()
        let found = try #require(try reader.session("alice"))
        #expect(found.state == Array("{}".utf8) && found.lastUsed == 100)
        #expect(found.seen == [SeenMark(place: 0, hash: 1), SeenMark(place: 1, hash: high)])
        #expect(try reader.session("bob") == nil)
    }

    @Test func aLaterStateTakesThePlaceOfAnEarlierAndMarksAdd() throws {
        let store = try scratch.open()
        try store.commit([.put(alice("1", seen: [SeenMark(place: 0, hash: 1)]))])
        try store.commit([
            .put(alice("2", seen: [SeenMark(place: 1, hash: 2)])),
            .put(alice("3", lastUsed: 200, seen: [SeenMark(place: 0, hash: 3)])),
        ])
        let found = try #require(try store.makeReader().session("alice"))
        #expect(found == alice("3", lastUsed: 200, seen: found.seen))
        #expect(found.seen == [SeenMark(place: 0, hash: 3), SeenMark(place: 1, hash: 2)])
    }

    @Test func aReaderSeesWhatIsCommittedLater() throws {
        let store = try scratch.open()
        let reader = try store.makeReader()
        #expect(try reader.count() == 0)
        try store.commit([.put(alice("1"))])
        #expect(try reader.count() == 1)
    }

    @Test func readsBetweenBeginAndEndShowOneInstant() throws {
        let store = try scratch.open()
        let reader = try store.makeReader()
        try store.commit([.put(alice("1"))])
        for _ in 0..<2 {
            try reader.begin()
            let before = try reader.session("alice")
            try store.commit([.put(alice((before?.state.count ?? 0) == 1 ? "22" : "333"))])
            #expect(try reader.session("alice") == before)
            reader.end()
            reader.end()
            #expect(try reader.session("alice")?.state.count == (before?.state.count ?? 0) + 1)
        }
    }

    @Test func aRemovedRowTakesItsMarksAndLeavesItsVersion() throws {
        let store = try scratch.open()
        try store.commit([.put(alice("1", seen: [SeenMark(place: 0, hash: 1)]))])
        try store.commit([.remove(id: "alice", version: 41), .remove(id: "bob", version: 7)])
        try store.commit([.put(alice("2"))])
        #expect(try store.makeReader().session("alice")?.seen == [])
        try store.close()
        #expect(try scratch.open().identity.versionFloor == 41)
    }

    @Test func theGenerationCountsUncleanEnds() throws {
        let first = try scratch.open(key: 9)
        #expect(first.identity == StoreIdentity(key: 9, versionFloor: 0, generation: 0))
        try first.close()
        #expect(try scratch.open(key: 10).identity.generation == 0)
        // The second was not closed.
        #expect(
            try scratch.open(key: 11).identity
                == StoreIdentity(key: 9, versionFloor: 0, generation: 1))
    }

    /// Without its log, the file is what a machine's failure may leave of it.
    @Test func aGenerationIsInTheFileOnceTheStoreIsOpen() throws {
        let durability = SQLiteStore.Durability.normal
        try scratch.open(durability).close()
        let copy = scratch.folder.appending(path: "copy.db").path
        for life in 0..<3 {
            let store = try scratch.open(durability)
            #expect(store.identity.generation == life)
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: scratch.path, toPath: copy)
            let found = try SQLiteStore(copy, durability, newKey: 1).identity
            #expect(found.generation == life + 1)
        }
    }

    @Test func idsComeInPagesAndByAge() throws {
        let store = try scratch.open()
        let ids = ["b", "ä", "a", "B", "c"]
        try store.commit(
            ids.enumerated().map {
                .put(StoredSession(id: $1, state: [], lastUsed: 10 - $0))
            })
        let reader = try store.makeReader()
        #expect(try reader.ids(after: "", limit: 2) == ["B", "a"])
        #expect(try reader.ids(after: "a", limit: 9) == ["b", "c", "ä"])
        #expect(try reader.ids(lastUsedBefore: 9, limit: 9) == ["c", "B", "a"])
        #expect(try reader.ids(lastUsedBefore: 9, limit: 1) == ["c"])
    }

    @Test func aCommitIsAllOrNothing() throws {
        let store = try scratch.open()
        try store.commit([.put(alice("1"))])
        // A full disk, as SQLite sees one: no page more than there are.
        let connection = try SQLiteConnection(scratch.path, .write)
        let pages = try connection.number("PRAGMA page_count")
        try store.limit(pages: pages)
        let large = StoredSession(
            id: "bob", state: [UInt8](repeating: 1, count: 1 << 20), lastUsed: 1)
        #expect(throws: StoreError.self) {
            try store.commit([.put(alice("2")), .put(large)])
        }
        let reader = try store.makeReader()
        #expect(try reader.session("alice")?.state == Array("1".utf8))
        #expect(try reader.session("bob") == nil)
        // It goes on by itself when there is room.
        try store.limit(pages: 1 << 20)
        try store.commit([.put(alice("2")), .put(large)])
        #expect(try reader.session("bob") == large)
    }

    @Test(arguments: [0, 1, 20, 90, 4_000, 8_192])
    func aDamagedFileIsReported(offset: Int) throws {
        let store = try scratch.open()
        let many = (0..<400).map {
            StoreChange.put(StoredSession(id: "s\($0)", state: [1, 2, 3], lastUsed: $0))
        }
        try store.commit(many)
        try store.close()
        var data = try Data(contentsOf: URL(filePath: scratch.path))
        let junk = Data(repeating: 0xa5, count: 64)
        data.replaceSubrange(offset..<offset + 64, with: junk)
        try data.write(to: URL(filePath: scratch.path))
        do {
            _ = try scratch.open()
            Issue.record("opened a damaged file")
        } catch let error as StoreError {
            #expect(error.kind == .damaged && error.description.contains(scratch.path))
        }
    }

    @Test func aCutFileIsDamaged() throws {
        let store = try scratch.open()
        try store.commit(
            (0..<400).map { .put(StoredSession(id: "s\($0)", state: [1], lastUsed: $0)) })
        try store.close()
        let data = try Data(contentsOf: URL(filePath: scratch.path))
        try data.prefix(data.count / 2).write(to: URL(filePath: scratch.path))
        #expect { try scratch.open() } throws: { ($0 as? StoreError)?.kind == .damaged }
    }

    @Test func aLaterLayoutAndAnotherProgramsFileAreRefused() throws {
        _ = try scratch.open()
        try SQLiteConnection(scratch.path, .write).run("PRAGMA user_version = 99")
        #expect { try scratch.open() } throws: {
            let error = $0 as? StoreError
            return error?.kind == .newer && error?.description.contains("layout 99") == true
        }
        try SQLiteConnection(scratch.path, .write).run("PRAGMA user_version = -1")
        #expect { try scratch.open() } throws: { ($0 as? StoreError)?.kind == .damaged }
        let other = try Scratch()
        try SQLiteConnection(other.path, .write).run("CREATE TABLE t (a)")
        #expect { try other.open() } throws: { ($0 as? StoreError)?.kind == .newer }
    }

    @Test func anEarlierLayoutIsMigratedForwardWithWhatItHolds() throws {
        try scratch.open().commit([.put(alice("1"))])
        let later = SQLiteSchema.migrations + ["ALTER TABLE session ADD COLUMN color TEXT"]
        let store = try SQLiteStore(scratch.path, .full, newKey: 1, migrations: later)
        #expect(try store.makeReader().session("alice") == alice("1"))
        let connection = try SQLiteConnection(scratch.path, .read)
        #expect(try connection.number("PRAGMA user_version") == later.count)
    }

    @Test func aFailedMigrationLeavesTheFileAsItWas() throws {
        try scratch.open().commit([.put(alice("1"))])
        let later = SQLiteSchema.migrations + ["CREATE TABLE color (a)", "CREATE TABLE color (a)"]
        #expect(throws: StoreError.self) {
            try SQLiteStore(scratch.path, .full, newKey: 1, migrations: later)
        }
        #expect(try scratch.open().makeReader().session("alice") == alice("1"))
    }

    @Test(arguments: SQLiteStore.Durability.allCases)
    func theDurabilityIsAsConfigured(durability: SQLiteStore.Durability) throws {
        let store = try scratch.open(durability)
        #expect(try store.synchronous() == (durability == .full ? 2 : 1))
    }
}
