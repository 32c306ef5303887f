import Foundation
import StoreSupport
import Testing

@testable import Store

/// The store with the file that it finds, and with one that it may not write yet.
@Suite struct ExistingFileTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var url: URL { URL(filePath: scratch.path) }
    private var logURL: URL { URL(filePath: scratch.path + "-wal") }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
    }

    private func put(_ id: String) -> StoreChange {
        .put(StoredSession(id: id, state: Array(repeating: 1, count: 6_000), lastUsed: 1))
    }

    @Test func aGenerationThatCannotBeWrittenBeginsWithItsFirstCommit() throws {
        try scratch.open().commit([put("alice")])
        let other = try SQLiteConnection(scratch.path, .write)
        try other.run("BEGIN IMMEDIATE")
        for _ in 0..<2 {
            let store = try scratch.open(floor: 50)
            #expect(
                !store.hasBegun && store.identity.generation == 1
                    && store.identity.versionFloor == 0)
            #expect(try store.makeReader().session("alice") != nil)
            try store.close()
        }
        let store = try scratch.open(floor: 50)
        #expect(throws: StoreError.self) { try store.commit([put("bob")]) }
        #expect(!store.hasBegun)
        try other.run("ROLLBACK")
        try store.commit([put("bob")])
        #expect(
            store.hasBegun && store.identity.generation == 1 && store.identity.versionFloor == 50)
        #expect(try scratch.open().identity.generation == 2)
    }

    @Test func theFloorOfVersionsNeverFalls() throws {
        for (given, held) in [(1_000, 1_000), (5, 1_000), (2_000, 2_000)] {
            let store = try scratch.open(floor: given)
            #expect(store.identity.versionFloor == held)
            try store.close()
        }
        let store = try scratch.open()
        try store.commit([.remove(id: "alice", version: 1_999), .remove(id: "bob", version: 3_000)])
        try store.close()
        #expect(try scratch.open(floor: 2_500).identity.versionFloor == 3_000)
    }

    @Test(arguments: ["DELETE", "WAL"])
    func anotherProgramsFileStaysAsItIs(mode: String) throws {
        let other = try SQLiteConnection(scratch.path, .write)
        try other.run("PRAGMA journal_mode = \(mode); CREATE TABLE t (a); PRAGMA user_version = 1")
        let before = (try Data(contentsOf: url), try names())
        #expect { try scratch.open() } throws: { ($0 as? StoreError)?.kind == .newer }
        #expect(try Data(contentsOf: url) == before.0)
        #expect(try names() == before.1)
        #expect(try other.number("PRAGMA user_version") == 1)
    }

    @Test func aFileSetAsideTakesAFreeName() throws {
        for (text, other) in [("one", "-wal"), ("two", ""), ("three", "-wal")] {
            try Data(text.utf8).write(to: url)
            try Data(text.utf8).write(to: URL(filePath: scratch.path + other))
            _ = try SQLiteStore.quarantine(scratch.path, at: 7)
        }
        let aside = "state.db.damaged-7"
        #expect(
            try names() == [
                aside, "\(aside)-2", "\(aside)-3", "\(aside)-3-wal", "\(aside)-wal",
            ])
        for (name, text) in [(aside, "one"), ("\(aside)-2", "two"), ("\(aside)-3-wal", "three")] {
            let found = try Data(contentsOf: scratch.folder.appending(path: name))
            #expect(found == Data(text.utf8))
        }
    }

    // MARK: The log

    /// The files of a store that ended in the middle of its work; what follows is the next life's.
    private func abandon(_ store: SQLiteStore, _ former: Scratch) throws {
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: former.path + suffix, toPath: scratch.path + suffix)
        }
        withExtendedLifetime(store) {}
    }

    private func ended(commits: Int) throws {
        let former = try Scratch()
        let store = try former.open()
        for number in 0..<commits { try store.commit([put("s\(number)")]) }
        try abandon(store, former)
    }

    private var stride: Int { 24 + 4_096 }

    enum Damage: CaseIterable {
        case none, header, frame, page, lastCommit, lastPage, end
        var isSeen: Bool { [.header, .frame, .page].contains(self) }
    }

    @Test(arguments: Damage.allCases)
    func aLogThatIsDamagedBeforeItsEndIsKept(damage: Damage) throws {
        try ended(commits: 8)
        var log = try Data(contentsOf: logURL)
        let frames = (log.count - 32) / stride
        switch damage {
        case .none: break
        case .header: log[17] ^= 1
        case .frame: log[32 + frames / 2 * stride + 20] ^= 0x40
        case .page:
            let start = 32 + frames / 2 * stride + 500
            log.replaceSubrange(start..<start + 512, with: Data(repeating: 0xa5, count: 512))
        // As after a loss of power in the last commit, or a failed sync and a shorter commit.
        case .lastCommit: log[log.count - stride - 10] ^= 1
        case .lastPage: log[log.count - 10] ^= 1
        case .end: log.removeLast(stride / 2)
        }
        try log.write(to: logURL)
        let store = try scratch.open(time: 7)
        let copy = scratch.path + "-wal.damaged-7"
        #expect(FileManager.default.fileExists(atPath: copy) == damage.isSeen)
        #expect(store.damages.isEmpty != damage.isSeen)
        guard damage.isSeen else { return }
        #expect(try Data(contentsOf: URL(filePath: copy)) == log)
        #expect(try #require(store.damages.first).contains(copy))
        // It is told once, and goes on.
        try store.commit([put("later")])
        try store.close()
        #expect(try scratch.open().damages.isEmpty)
    }

    @Test func copiesOfLogsAreBoundedAndTheOldestGoFirst() throws {
        for time in 1...7 {
            try Data(repeating: UInt8(time), count: 100 * time).write(to: logURL)
            let told = Quarantine.keepCopy(of: logURL.path, at: time)
            #expect(told.hasPrefix("it is kept as \(logURL.path).damaged-\(time)"))
            #expect(told.contains("the oldest is removed") == (time > Quarantine.copiesMax))
        }
        let kept = try names().filter { $0.contains("damaged") }
        #expect(kept == (4...7).map { "state.db-wal.damaged-\($0)" })
        // One that leaves no room for others.
        try FileHandle(forWritingTo: logURL).truncate(atOffset: UInt64(Quarantine.copiesBytesMax))
        _ = Quarantine.keepCopy(of: logURL.path, at: 8)
        #expect(try names().filter { $0.contains("damaged") } == ["state.db-wal.damaged-8"])
        try FileHandle(forWritingTo: logURL).truncate(
            atOffset: UInt64(Quarantine.copiesBytesMax + 1))
        #expect(Quarantine.keepCopy(of: logURL.path, at: 9).contains("too many"))
    }

    @Test func damagedDatabasesAreKeptUpToABoundAndNeverRemoved() throws {
        for time in 0..<Quarantine.databasesMax {
            try Data("\(time)".utf8).write(to: url)
            try Data("\(time)".utf8).write(to: logURL)
            _ = try SQLiteStore.quarantine(scratch.path, at: time)
        }
        try Data("more".utf8).write(to: url)
        #expect { try SQLiteStore.quarantine(scratch.path, at: 99) } throws: {
            ($0 as? StoreError)?.kind == .damaged
        }
        #expect(try names().count == 2 * Quarantine.databasesMax + 1)
    }

    // MARK: Files that go away

    @Test func aDatabaseThatIsMovedAwayTakesNoCommitUntilItIsBack() throws {
        let store = try scratch.open()
        try store.commit([put("alice")])
        try FileManager.default.moveItem(atPath: scratch.path, toPath: scratch.path + ".away")
        #expect { try store.commit([put("bob")]) } throws: {
            ($0 as? StoreError)?.kind == .displaced
        }
        #expect(throws: StoreError.self) { try store.close() }
        // Another file of that name is no reason to go on.
        try Data().write(to: url)
        #expect(throws: StoreError.self) { try store.check() }
        try FileManager.default.removeItem(atPath: scratch.path)
        try FileManager.default.moveItem(atPath: scratch.path + ".away", toPath: scratch.path)
        try store.commit([put("bob")])
        #expect(try store.makeReader().count() == 2)
    }

    @Test func whatALogHasThatIsRemovedGoesIntoTheFile() throws {
        let store = try scratch.open()
        for number in 0..<8 { try store.commit([put("s\(number)")]) }
        try FileManager.default.removeItem(at: logURL)
        #expect(throws: StoreError.self) { try store.commit([put("late")]) }
        #expect(try scratch.open().makeReader().count() == 8)
        withExtendedLifetime(store) {}
    }

    @Test func framesOfAnEarlierLogAreNoDamage() throws {
        let former = try Scratch()
        let store = try former.open()
        for number in 0..<8 { try store.commit([put("s\(number)")]) }
        _ = try SQLiteConnection(former.path, .write).number("PRAGMA wal_checkpoint")
        try store.commit([put("again")])
        try abandon(store, former)
        let found = try scratch.open()
        #expect(found.damages.isEmpty)
        #expect(try found.makeReader().count() == 9)
    }
}
