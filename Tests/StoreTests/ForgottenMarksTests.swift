import StoreSupport
import Testing

@testable import Store

/// Closed sessions with as many marks as they may have: their marks go later, piece by piece.
@Suite struct ForgottenMarksTests {
    private let scratch: Scratch
    private let store: SQLiteStore
    private static let marks = 1_024

    init() throws {
        scratch = try Scratch()
        store = try scratch.open()
    }

    private func full(_ id: String) -> StoredSession {
        let seen = (0..<Self.marks).map { SeenMark(place: $0, hash: UInt128($0 + 1)) }
        return StoredSession(id: id, state: [1], lastUsed: 1, seen: seen)
    }

    private func count(_ table: String) throws -> Int {
        try SQLiteConnection(scratch.path, .read).number("SELECT count(*) FROM \(table)")
    }

    private let names = (0..<20).map { "s\($0)" }

    private func closeAll(of store: SQLiteStore) throws {
        try store.commit(names.map { .put(full($0)) })
        try store.commit(names.map { .remove(id: $0, version: 5) })
    }

    /// As often as all marks of these sessions need it.
    private func tidyUp(_ store: SQLiteStore) throws {
        for _ in 0..<4 { try store.tidy() }
    }

    @Test func aCommitDeletesFewMarksOfManySessions() throws {
        try closeAll(of: store)
        #expect(try count("session") == 0)
        let left = try count("seen")
        #expect(left >= 19 * Self.marks, "\(left)")
        #expect(try store.makeReader().session("s0") == nil)
    }

    @Test func theMarksGoWhileNothingIsCommitted() throws {
        try closeAll(of: store)
        try store.tidy()
        let left = try count("seen")
        #expect(left > 0 && left < 15 * Self.marks, "\(left): a bounded piece")
        try tidyUp(store)
        #expect(try count("seen") == 0)
        #expect(try count("forgotten") == 0)
    }

    @Test func theMarksGoWithCommitsThatWriteAsMany() throws {
        for _ in 0..<4 { try closeAll(of: store) }
        let left = try count("seen")
        #expect(left <= 40 * Self.marks, "\(left): they do not become more and more")
    }

    @Test func aNewSessionHasNoMarksOfAFormerOne() throws {
        try closeAll(of: store)
        try store.commit([.put(StoredSession(id: "s19", state: [2], lastUsed: 1))])
        #expect(try store.makeReader().session("s19")?.seen == [])
        try tidyUp(store)
        try store.commit([.put(full("s19"))])
        try tidyUp(store)
        #expect(try store.makeReader().session("s19")?.seen.count == Self.marks)
    }

    @Test func aNameThatOpensInTheCommitThatClosesItKeepsItsNewMarks() throws {
        let mark = SeenMark(place: 3, hash: 9)
        try store.commit([.put(full("s0"))])
        try store.commit([
            .remove(id: "s0", version: 5),
            .put(StoredSession(id: "s0", state: [2], lastUsed: 1, seen: [mark])),
        ])
        try tidyUp(store)
        #expect(try store.makeReader().session("s0")?.seen == [mark])
        #expect(try count("seen") == 1)
    }

    @Test func theNextGenerationGoesOn() throws {
        try closeAll(of: store)
        let next = try scratch.open()
        try tidyUp(next)
        #expect(try count("seen") == 0)
    }

    @Test func aFailedCommitForgetsNothing() throws {
        try closeAll(of: store)
        try tidyUp(store)
        try store.commit([.put(full("s0"))])
        try store.limit(pages: 1)
        let large = StoredSession(
            id: "large", state: Array(repeating: 1, count: 1 << 20), lastUsed: 1)
        #expect(throws: StoreError.self) {
            try store.commit([.remove(id: "s0", version: 5), .put(large)])
        }
        #expect(try store.makeReader().session("s0")?.seen.count == Self.marks)
        try store.limit(pages: 1 << 20)
        try store.commit([.remove(id: "s0", version: 5)])
        try tidyUp(store)
        #expect(try count("seen") == 0)
    }
}
