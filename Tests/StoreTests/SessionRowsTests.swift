import Geometry
import StoreSupport
import Testing

@testable import Store

/// Rows that were written before are found by their numbers.
@Suite struct SessionRowsTests {
    private func session(
        _ id: String, _ state: Int, at time: Int, _ mark: Int
    ) -> StoredSession {
        StoredSession(
            id: id, state: Array("\(state)".utf8), lastUsed: time,
            seen: [SeenMark(place: mark, hash: UInt128(state))])
    }

    /// Sessions are put, removed, and marked as used.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func theFileHasWhatWasWrittenLast(seed: UInt64) throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let reader = try store.makeReader()
        var expected: [String: StoredSession] = [:]
        var random = SplitMix64(seed: seed)
        func next(_ count: Int) -> Int { random.whole(in: 0...count - 1) }
        for step in 0..<150 {
            let (id, time) = ("s\(next(4))", next(3))
            switch next(8) {
            case 0:
                try store.commit([.remove(id: id, version: 1)])
                expected[id] = nil
            case 1:
                try store.commit([.refresh(lastUsed: time..<time + 1, to: 5)])
                for (id, row) in expected where row.lastUsed == time { expected[id]?.lastUsed = 5 }
            case 2:
                // A number that another row has had.
                try store.commit([
                    .put(session(id, step, at: time, 0)), .remove(id: id, version: 1),
                    .put(session("s9", step, at: time, 1)), .remove(id: "s9", version: 1),
                ])
                expected[id] = nil
            default:
                let row = session(id, step, at: time, next(3))
                try store.commit([.put(row)])
                let former = expected[id]?.seen.filter { $0.place != row.seen[0].place } ?? []
                expected[id] = row
                expected[id]?.seen = (former + row.seen).sorted { $0.place < $1.place }
            }
            for index in 0..<4 {
                #expect(try reader.session("s\(index)") == expected["s\(index)"], "step \(step)")
            }
        }
    }

    /// The number that the store remembers is another session's by then.
    @Test func aRowThatAnotherProgramHasDeletedIsMadeAnew() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try store.commit([.put(session("alice", 1, at: 1, 0))])
        let other = try SQLiteConnection(scratch.path, .write)
        try other.run("PRAGMA foreign_keys = ON")
        try other.run("DELETE FROM session")
        try store.commit([.put(session("bob", 2, at: 1, 0))])
        try store.commit([.put(session("alice", 3, at: 1, 1))])
        let reader = try store.makeReader()
        #expect(try reader.session("alice") == session("alice", 3, at: 1, 1))
        #expect(try reader.session("bob") == session("bob", 2, at: 1, 0))
    }

    /// Above the largest integer SQLite counts with fractions, which no row's number may have.
    @Test(arguments: [Int.max, Int.max - 1, 1 << 62, (1 << 62) - 1, -1, Int.min])
    func anyNumberOfARowLeavesRoomForNewOnes(number: Int) throws {
        let scratch = try Scratch()
        try scratch.open().commit([.put(session("alice", 1, at: 1, 0))])
        let other = try SQLiteConnection(scratch.path, .write)
        try other.run("UPDATE seen SET session = \(number)")
        try other.run("UPDATE session SET number = \(number)")
        let store = try scratch.open()
        let reader = try store.makeReader()
        let names = (0..<20).map { "s\($0)" }
        for name in names { try store.commit([.put(session(name, 2, at: 1, 0))]) }
        #expect(try reader.session("alice") == session("alice", 1, at: 1, 0))
        // Its number waits in the table of those whose marks are not gone yet.
        let marks = (0..<200).map { SeenMark(place: $0, hash: UInt128($0)) }
        try store.commit([
            .put(StoredSession(id: "alice", state: [1], lastUsed: 1, seen: marks))
        ])
        try store.commit([.remove(id: "alice", version: 1)])
        for name in ["alice", "bob"] { try store.commit([.put(session(name, 3, at: 1, 0))]) }
        for name in names {
            #expect(try reader.session(name) == session(name, 2, at: 1, 0))
        }
        for name in ["alice", "bob"] {
            #expect(try reader.session(name) == session(name, 3, at: 1, 0))
        }
    }

    /// The table of forgotten numbers may have any, too: also one that is in use.
    @Test(arguments: [Int.max, 1, -1])
    func anyForgottenNumberLeavesRoomForNewOnes(number: Int) throws {
        let scratch = try Scratch()
        try scratch.open().commit([.put(session("alice", 1, at: 1, 0))])
        try SQLiteConnection(scratch.path, .write).run("INSERT INTO forgotten VALUES (\(number))")
        let store = try scratch.open()
        try store.commit([.remove(id: "alice", version: 1)])
        try store.commit([.put(session("bob", 2, at: 1, 0))])
        #expect(try store.makeReader().session("bob") == session("bob", 2, at: 1, 0))
    }

    /// A commit that is taken back takes its rows with it.
    @Test func afterACommitThatFailedTheRowsAreMadeAnew() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try store.commit([.put(session("alice", 1, at: 1, 0))])
        let pages = try SQLiteConnection(scratch.path, .write).number("PRAGMA page_count")
        try store.limit(pages: pages)
        let large = StoredSession(
            id: "bob", state: [UInt8](repeating: 1, count: 1 << 20), lastUsed: 1)
        let changes: [StoreChange] = [
            .put(session("carol", 2, at: 1, 0)), .put(session("alice", 2, at: 7, 1)), .put(large),
        ]
        #expect(throws: StoreError.self) { try store.commit(changes) }
        try store.limit(pages: 1 << 20)
        try store.commit([.put(session("dave", 3, at: 1, 0))])
        try store.commit(changes)
        let reader = try store.makeReader()
        #expect(try reader.session("carol") == session("carol", 2, at: 1, 0))
        #expect(try reader.session("dave") == session("dave", 3, at: 1, 0))
        #expect(try reader.session("alice")?.lastUsed == 7)
        #expect(try reader.session("bob") == large)
    }
}
