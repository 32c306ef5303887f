import Geometry
import StoreSupport
import Testing

@testable import Store

/// Marks come back as they were put, however they are divided into commits.
struct SeenRingTests {
    /// A ring as a session keeps it.
    private struct Ring {
        var total = 0
        var places: [Int: UInt128] = [:]

        mutating func add(_ count: Int) -> [SeenMark] {
            (0..<count).map { _ in
                let mark = SeenMark(place: total % 1_024, hash: UInt128(total) << 70 | 1)
                places[mark.place] = mark.hash
                total += 1
                return mark
            }
        }

        var marks: [SeenMark] {
            places.map { SeenMark(place: $0.key, hash: $0.value) }.sorted { $0.place < $1.place }
        }
    }

    private func session(_ seen: [SeenMark]) -> StoredSession {
        StoredSession(id: "alice", state: [1], lastUsed: 1, seen: seen)
    }

    @Test func marksThatLeaveAGapWaitForTheNextStatement() {
        let marks = [0, 1, 2, 4].map { SeenMark(place: $0, hash: 9) }
        let steps = CommitPart.steps(for: [.put(session(marks))])
        #expect(steps.count == 2)
        var ring = SeenRing()
        let taken = [marks[0], marks[1], marks[3]].map { ring.add($0) }
        #expect(taken == [true, true, false])
        #expect(ring.recent.prefix(2) == [0, 0] && ring.recent.count == 2 + 2 * 16)
        #expect(ring.chunks.isEmpty)
    }

    /// A ring from its oldest mark on, as an heir, an import or a reopened name writes it first.
    private func whole(_ total: Int) -> [SeenMark] {
        (total - 1_024..<total).map { SeenMark(place: $0 % 1_024, hash: UInt128($0) << 70 | 1) }
    }

    /// A member may end between two statements, and the counts would be there without their marks.
    @Test(arguments: [1_024, 1_025, 1_040, 1_055, 1_056, 2_000])
    func aWholeRingGoesInOneStatement(total: Int) {
        let steps = CommitPart.steps(for: [.put(session(whole(total)))])
        #expect(steps.count == 1)
        var ring = SeenRing()
        let isTaken = ring.add(all: whole(total))
        #expect(isTaken)
        #expect(ring.chunks.count == 32 && ring.chunks.allSatisfy { $0.hashes.count == 32 })
        #expect(ring.recent.count == 2)
    }

    /// Places 5 and on, round to the first ones of the same chunk: the newest stand in `recent`.
    @Test(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
    func marksThatComeRoundToTheirChunkGoInOneStatement() throws {
        let database = try SharedDatabase()
        let engine = try database.joinAlone()
        for wrapped in [1, 3, 5, 6] {
            var ring = Ring()
            try engine.commit([.remove(id: "alice", version: 1)])
            try engine.commit([.put(session(ring.add(5)))])
            let marks = ring.add(1_019 + wrapped)
            #expect(CommitPart.steps(for: [.put(session(marks))]).count == 1)
            try engine.commit([.put(session(marks))])
            #expect(try engine.makeReader().session("alice")?.seen == ring.marks)
            for count in [1, 20, 33] {
                try engine.commit([.put(session(ring.add(count)))])
                #expect(try engine.makeReader().session("alice")?.seen == ring.marks)
            }
        }
    }

    @Test(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
    func aWholeRingIsFilledFurther() throws {
        let database = try SharedDatabase()
        let engine = try database.joinAlone()
        var ring = Ring()
        _ = ring.add(2_000 - 1_024)
        _ = ring.add(1_024)
        try engine.commit([.put(session(whole(2_000)))])
        #expect(try engine.makeReader().session("alice")?.seen == ring.marks)
        for count in [3, 21, 40] {
            try engine.commit([.put(session(ring.add(count)))])
            #expect(try engine.makeReader().session("alice")?.seen == ring.marks)
        }
    }

    @Test func aFullChunkLeavesTheSessionsRow() {
        var ring = SeenRing()
        let taken = (40..<66).map { ring.add(SeenMark(place: $0, hash: 1)) }
        #expect(!taken.contains(false))
        #expect(ring.chunks.map(\.chunk) == [1] && ring.chunks.map(\.first) == [8])
        #expect(ring.recent.prefix(2) == [2, 0] && ring.recent.count == 2 + 2 * 16)
    }

    @Test func aStatementEndsByItsBytes() {
        let large = [UInt8](repeating: 1, count: StoreCommit.bytesMax / 2)
        let changes = (0..<5).map {
            StoreChange.put(StoredSession(id: "s\($0)", state: large + large, lastUsed: 1))
        }
        #expect(CommitPart.steps(for: changes).count == 5, "each has one row at least")
        let half = Array(large.dropLast(999))
        let small = (0..<5).map {
            StoreChange.put(StoredSession(id: "s\($0)", state: half, lastUsed: 1))
        }
        #expect(CommitPart.steps(for: small).count == 3)
    }

    @Test func marksOfAWrongSizeAreNone() {
        #expect(SeenRing.marks(recent: [0, 0, 1], chunks: []) == nil)
        #expect(SeenRing.marks(recent: [], chunks: [[0]]) == nil)
        #expect(
            SeenRing.marks(recent: [], chunks: [[0, 0] + [UInt8](repeating: 1, count: 528)]) == nil)
        #expect(SeenRing.marks(recent: [7, 0], chunks: []) == [])
    }

    @Test(
        .enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"),
        arguments: [1, 7, 12].map { UInt64($0) })
    func theDatabaseGivesTheRingBackHoweverItWasFilled(seed: UInt64) throws {
        let database = try SharedDatabase()
        let engine = try database.joinAlone()
        let reader = try engine.makeReader()
        var random = SplitMix64(seed: seed)
        var sizes = [1, 31, 1, 0, 33, 1_023, 1, 1_024, 5, 992, 993]
        sizes += (0..<40).map { _ in Int.random(in: 0..<70, using: &random) }
        var ring = Ring()
        for size in sizes {
            let marks = ring.add(size)
            try engine.commit([.put(session(marks))])
            // As after an unknown outcome: the same marks, with some more.
            if Bool.random(using: &random) {
                try engine.commit([.put(session(marks + ring.add(Int.random(in: 0..<40))))])
            }
            let found = try reader.session("alice")
            #expect(found?.seen == ring.marks, "after \(sizes), \(size)")
        }
        let bytes = try database.number("SELECT max(length(recent)) FROM gestured.session")
        #expect(bytes <= 2 + 16 * 32)
        #expect(try database.number("SELECT count(*) FROM gestured.seen") == 32)
    }

    /// As after a copy: whole chunks, and nothing in `recent`.
    @Test(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
    func aChunkThatBeganInSeenIsFilledFurther() throws {
        let database = try SharedDatabase()
        let engine = try database.joinAlone()
        var ring = Ring()
        try engine.commit([.put(session(ring.add(1_024 + 40)))])
        try database.run(
            """
            INSERT INTO gestured.seen SELECT id, get_byte(recent, 0), substr(recent, 3)
              FROM gestured.session ON CONFLICT (session, chunk) DO UPDATE
              SET hashes = overlay(seen.hashes PLACING excluded.hashes FROM 1);
            UPDATE gestured.session SET recent = ''
            """)
        for count in [3, 21, 5] {
            try engine.commit([.put(session(ring.add(count)))])
            #expect(try engine.makeReader().session("alice")?.seen == ring.marks)
        }
    }
}
