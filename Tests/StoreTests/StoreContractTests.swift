import Foundation
import StoreSupport
import Testing

@testable import Store

/// Every engine that the seam has.
enum Engine: CaseIterable, Sendable {
    case sqlite
    case memory
    case postgres

    /// Those that can be tried here.
    static var installed: [Engine] {
        allCases.filter { $0 != .postgres || PostgresServer.isMissing == nil }
    }

    /// Those of one daemon: they have generations of their own, and read at once.
    static let alone: [Engine] = [.sqlite, .memory]
}

/// A place for one engine's data, which outlives the stores that are opened on it.
final class EngineData {
    private let engine: Engine
    private let scratch: Scratch
    private let database = MemoryDatabase()
    private var shared: SharedDatabase?

    init(_ engine: Engine) throws {
        self.engine = engine
        scratch = try Scratch()
        if engine == .postgres { shared = try SharedDatabase() }
    }

    func open(key: UInt128 = 7, floor: Int = 0) throws -> any Store {
        switch engine {
        case .sqlite: try scratch.open(key: key, floor: floor)
        case .memory: database.open(key: key, versionFloor: floor)
        case .postgres: try #require(shared).joinAlone(key: key)
        }
    }

    /// The versions that a store which is opened next begins above.
    func floor() throws -> Int {
        switch engine {
        case .sqlite, .memory: try open().identity.versionFloor
        case .postgres: try #require(shared).number("SELECT floor FROM gestured.shard LIMIT 1")
        }
    }

    /// Has the next commit fail for want of room.
    func fill(_ store: any Store) throws {
        switch engine {
        case .sqlite:
            let pages = try SQLiteConnection(scratch.path, .write).number("PRAGMA page_count")
            try (store as? SQLiteStore)?.limit(pages: pages)
        case .memory: database.inject(.error(.full))
        case .postgres: try #require(shared).fill()
        }
    }

    func makeRoom(_ store: any Store) throws {
        switch engine {
        case .sqlite: try (store as? SQLiteStore)?.limit(pages: 1 << 20)
        case .memory: database.clearFaults()
        case .postgres: try #require(shared).makeRoom()
        }
    }
}

extension Store {
    /// Commits under the store's own fence.
    func commit(_ changes: [StoreChange]) throws(StoreError) {
        try commit(StoreCommit(fence: fence, changes: changes))
    }
}

/// Every engine's promises. The double is held to them too, or its faults would prove nothing.
@Suite struct StoreContractTests {
    private let all = Held()

    /// Until the end of the test.
    private final class Held { var data: [EngineData] = [] }

    private func data(_ engine: Engine) throws -> EngineData {
        let data = try EngineData(engine)
        all.data.append(data)
        return data
    }

    private func session(
        _ id: String, _ state: String = "{}", lastUsed: Int = 100, seen: [Int] = []
    ) -> StoredSession {
        StoredSession(
            id: id, state: Array(state.utf8), lastUsed: lastUsed,
            seen: seen.map { SeenMark(place: $0, hash: UInt128($0) + 1) })
    }

    @Test(arguments: Engine.installed)
    func aCommitIsThereForReadersAndInTheNextGeneration(engine: Engine) throws {
        let data = try self.data(engine)
        let store = try data.open()
        let reader = try store.makeReader()
        #expect(try reader.session("alice") == nil)
        try store.commit([.put(session("alice", seen: [0, 1]))])
        #expect(try reader.session("alice") == session("alice", seen: [0, 1]))
        #expect(reader.has("alice"))
        #expect(try reader.count() == 1)
        let next = try data.open().makeReader()
        #expect(try next.session("alice") == session("alice", seen: [0, 1]))
    }

    @Test(arguments: Engine.installed)
    func aLaterRowReplacesTheStateAndAddsItsMarks(engine: Engine) throws {
        let store = try data(engine).open()
        try store.commit([.put(session("alice", "1", seen: [0]))])
        try store.commit([
            .put(session("alice", "2", seen: [1])), .put(session("alice", "3", seen: [2])),
        ])
        let found = try store.makeReader().session("alice")
        #expect(found == session("alice", "3", seen: [0, 1, 2]))
    }

    @Test(arguments: Engine.installed)
    func aRemovalTakesTheMarksAndRaisesTheFloor(engine: Engine) throws {
        let data = try self.data(engine)
        let store = try data.open()
        try store.commit([.put(session("alice", seen: [0]))])
        try store.commit([
            .remove(id: "alice", version: 41), .remove(id: "bob", version: 7),
            .put(session("alice", seen: [1])),
        ])
        #expect(try store.makeReader().session("alice") == session("alice", seen: [1]))
        try store.close()
        #expect(try data.floor() == 41)
    }

    @Test(arguments: Engine.installed)
    func aCommitIsAllOrNothing(engine: Engine) throws {
        let data = try self.data(engine)
        let store = try data.open()
        try store.commit([.put(session("alice", "1"))])
        try data.fill(store)
        let large = StoredSession(
            id: "bob", state: [UInt8](repeating: 1, count: 1 << 20), lastUsed: 1)
        #expect {
            try store.commit([.put(session("alice", "2")), .put(large)])
        } throws: {
            ($0 as? StoreError)?.recovery == .retry
        }
        let reader = try store.makeReader()
        #expect(try reader.session("alice") == session("alice", "1"))
        #expect(try reader.session("bob") == nil)
        try data.makeRoom(store)
        try store.commit([.put(session("alice", "2")), .put(large)])
        #expect(try reader.session("bob") == large)
    }

    @Test(arguments: Engine.installed)
    func aCommitUnderAnEarlierFenceChangesNothing(engine: Engine) throws {
        let data = try self.data(engine)
        let former = try data.open()
        let fence = former.fence
        try former.commit([.put(session("alice", "1"))])
        // An unclean end: the next owner has a later fence.
        let store = try data.open()
        #expect(store.fence.writer > fence.writer)
        #expect {
            try store.commit(
                StoreCommit(
                    fence: fence,
                    changes: [.put(session("alice", "2")), .remove(id: "bob", version: 9)]))
        } throws: {
            ($0 as? StoreError)?.recovery == .notOwner
        }
        #expect(try store.makeReader().session("alice") == session("alice", "1"))
        #expect("without changes") {
            try store.commit(StoreCommit(fence: fence, changes: []))
        } throws: {
            ($0 as? StoreError)?.recovery == .notOwner
        }
        try store.commit(StoreCommit(fence: store.fence, changes: []))
        try store.commit([.put(session("alice", "3"))])
        #expect(try store.makeReader().session("alice") == session("alice", "3"))
    }

    @Test(arguments: Engine.alone)
    func anUncleanEndBeginsAGenerationAndACleanOneDoesNot(engine: Engine) throws {
        let data = try self.data(engine)
        let first = try data.open(key: 9)
        #expect(
            first.identity == StoreIdentity(key: 9, versionFloor: 0, generation: 0)
                && first.hasBegun)
        try first.close()
        #expect(try data.open(key: 10, floor: 5).identity.generation == 0)
        let third = try data.open(key: 11)
        #expect(third.identity == StoreIdentity(key: 9, versionFloor: 5, generation: 1))
    }

    @Test(arguments: Engine.alone)
    func readsBetweenBeginAndEndShowOneInstant(engine: Engine) throws {
        let store = try data(engine).open()
        let reader = try store.makeReader()
        try store.commit([.put(session("alice", "1"))])
        try reader.begin()
        #expect(try reader.session("alice") == session("alice", "1"))
        try store.commit([.put(session("alice", "2"))])
        #expect(try reader.session("alice") == session("alice", "1"))
        reader.end()
        reader.end()
        #expect(try reader.session("alice") == session("alice", "2"))
    }

    @Test(arguments: Engine.installed)
    func idsComeInPagesAndByAgeAndAreRefreshed(engine: Engine) throws {
        let store = try data(engine).open()
        try store.commit(
            ["b", "ä", "a", "B", "c"].enumerated().map {
                .put(session($1, lastUsed: 10 - $0))
            })
        let reader = try store.makeReader()
        #expect(try reader.ids(after: "", limit: 2) == ["B", "a"])
        #expect(try reader.ids(after: "a", limit: 9) == ["b", "c", "ä"])
        #expect(try reader.ids(lastUsedBefore: 9, limit: 9) == ["c", "B", "a"])
        try store.commit([.refresh(lastUsed: 7..<8, to: 50)])
        #expect(try reader.ids(lastUsedBefore: 9, limit: 9) == ["c", "a"])
    }

    @Test func eachErrorSaysWhatItsOwnerCanDo() {
        let recoveries = StoreError.Kind.allCases.map { StoreError($0, "").recovery }
        #expect(
            recoveries == [
                .broken, .broken, .retry, .retry, .retry, .retry, .broken, .broken, .notOwner,
            ])
    }
}
