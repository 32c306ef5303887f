import CSystem

/// Sessions in one SQLite file with a write-ahead log, so that readers and the writer do not wait
/// for each other.
///
/// A row goes through `commit`, `attempt` and `apply` into the log, from there into the file. At an
/// opening the file is checked (`SQLiteSchema`, `Secret`), a damaged log is kept (`DamagedWAL`),
/// older layouts are migrated. `StoreFiles` tells at each commit whether the files are still in
/// place. The tables may change by a new migration at the end of the list only.
///
/// Throws `damaged` if the file is no sound database; the caller decides about the file. Throws
/// `disk` if the disk fails to read it, which says nothing about its content.
package final class SQLiteStore: Store {
    /// The failures that a commit survives.
    package enum Durability: String, CaseIterable, Sendable {
        /// The machine: every commit is on the disk.
        case full
        /// The process; a machine that fails may lose what was committed since a checkpoint.
        case normal
    }

    package private(set) var identity: StoreIdentity
    package private(set) var hasBegun = false
    /// The damage that was found, a line each.
    package let damages: [String]
    private let beginnings: VersionBeginnings
    private let durability: Durability
    private let connection: SQLiteConnection
    private let files: StoreFiles
    private let beginning: Statement
    private let ending: Statement
    private let rows: SessionRows
    private let forgotten: ForgottenMarks
    private let mark: Statement
    private let remove: Statement
    private let raiseFloor: Statement
    private let refresh: Statement

    /// Opens a file, or makes it.
    ///
    /// A new store takes `newKey`. With the `versionsALife` that each generation leaves out, the
    /// floor of versions rises to `versionFloor`. A damaged log is kept under a name with `time`.
    /// Throws `otherKey`, having changed nothing, if the file was not begun with this `secret`.
    package convenience init(
        _ path: String, _ durability: Durability, newKey: UInt128, secret: Secret? = nil,
        versionFloor: Int = 0, versionsALife: Int = 0, time: Int = 0
    ) throws(StoreError) {
        try self.init(
            path, durability, newKey: newKey, secret: secret,
            beginnings: VersionBeginnings(clock: versionFloor, versionsALife: versionsALife),
            time: time, migrations: SQLiteSchema.migrations)
    }

    init(
        _ path: String, _ durability: Durability, newKey: UInt128, secret: Secret? = nil,
        beginnings: VersionBeginnings = VersionBeginnings(), time: Int = 0, migrations: [String]
    ) throws(StoreError) {
        try StoreAccess.refuseObstacle(path)
        try Self.refuseOthers(path, secret, migrations)
        self.beginnings = beginnings
        self.durability = durability
        // Other files of SQLite take their rights from this one.
        unsafe gs_file_make(path)
        for suffix in ["", "-wal", "-shm"] { unsafe gs_file_protect(path + suffix) }
        let file = try FileHold(path)
        connection = try SQLiteConnection(path, .write)
        try SQLiteSchema.check(connection, migrations)
        try connection.run("PRAGMA journal_mode = WAL")
        connection.keepLogFiles()
        try connection.run("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
        // Marks of sessions that are gone go later.
        try connection.run("PRAGMA foreign_keys = OFF")
        try connection.run("PRAGMA wal_autocheckpoint = \(Self.logPagesMax)")
        try connection.run("PRAGMA cache_size = \(-Self.cacheKibibytes)")
        try Self.check(connection)
        // Takes over the log of an unclean shutdown, so that a full disk has room for this one.
        let frames = (try? connection.number("PRAGMA wal_checkpoint", column: 1)) ?? -1
        // A file system that cannot keep a log has none.
        files = StoreFiles([file, try? FileHold(connection.logFile)].compactMap { $0 })
        try files.check()
        // The next write may begin the log anew.
        let damage = try DamagedWAL(path: connection.logFile)
            .keepIfDamaged(validFrames: frames, time: time)
        try SQLiteSchema.migrate(connection, by: migrations)
        try Secret.refuseOther(secret, connection)
        let found = try Self.identity(connection, newKey, secret)
        identity = found.identity
        damages = [damage, found.damage].compactMap(\.self)
        beginning = try connection.prepare("BEGIN IMMEDIATE")
        ending = try connection.prepare("COMMIT")
        rows = try SessionRows(connection)
        forgotten = try ForgottenMarks(connection)
        mark = try connection.prepare("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)")
        remove = try connection.prepare("DELETE FROM session WHERE id = ?")
        raiseFloor = try connection.prepare("UPDATE store SET floor = max(floor, ?)")
        refresh = try connection.prepare(
            "UPDATE session SET touched = ?1 WHERE touched >= ?2 AND touched < ?3")
        do throws(StoreError) {
            let former = try connection.number("SELECT life FROM store")
            try begin(floor: beginnings.floor(identity, formerGeneration: former))
        } catch  where error.recovery == .retry {
            // A commit will try again.
        }
    }

    /// Pages of the log after which a checkpoint moves them into the file: 16 MiB. Most of them are
    /// of the same sessions, so that one checkpoint of many is less work than many of few.
    private static var logPagesMax: Int { 4_000 }
    /// Memory for pages of the file, which are read before they are written: marks of a thousand
    /// busy sessions.
    private static var cacheKibibytes: Int { 16 * 1_024 }

    /// Looks by a connection that cannot write: another program's file must stay as it is.
    private static func refuseOthers(
        _ path: String, _ secret: Secret?, _ migrations: [String]
    ) throws(StoreError) {
        do throws(StoreError) {
            let connection = try SQLiteConnection(path, .read)
            try SQLiteSchema.check(connection, migrations)
            try Secret.refuseOther(secret, connection)
        } catch  where error.kind == .newer || error.kind == .otherKey {
            throw error
        } catch {
            // The opening for writing reports a file that is missing or cannot be read.
        }
    }

    private static func check(_ connection: SQLiteConnection) throws(StoreError) {
        let check = try connection.prepare("PRAGMA quick_check(1)")
        let verdict = try check.step() ? check.text(0) : "nothing"
        if let failure = connection.readFailure { throw failure }
        guard verdict == "ok" else { throw StoreError(.damaged, "\(connection.path): \(verdict)") }
    }

    /// The store's memory, and the number of a generation that has not begun. Numbers that no
    /// daemon writes count for nothing: then the versions of counts go on by the clock.
    private static func identity(
        _ connection: SQLiteConnection, _ newKey: UInt128, _ secret: Secret?
    ) throws(StoreError) -> (identity: StoreIdentity, damage: String?) {
        if try connection.number("SELECT count(*) FROM store") == 0 {
            let insert = try connection.prepare(
                "INSERT INTO store (one, key, floor, life, closed) VALUES (1, ?, 0, 0, 1)")
            insert.bind(1, newKey.bytes)
            try insert.finish()
        }
        let select = try connection.prepare("SELECT key, floor, life + 1 - closed FROM store")
        guard try select.step(), let key = UInt128(bytes: select.bytes(0)) else {
            throw StoreError(.damaged, "\(connection.path): it has no key")
        }
        var identity = StoreIdentity(
            key: secret?.mixed(with: key) ?? key, versionFloor: select.int(1),
            generation: select.int(2))
        let (floor, life) = (select.text(1), select.text(2))
        select.reset()
        var damage: String?
        if !identity.isSound {
            damage =
                "\(connection.path): its table store has floor \(floor) and life \(life), which no "
                + "daemon wrote; the versions of counts go on by the clock"
            (identity.versionFloor, identity.generation) = (0, 0)
        }
        // Not written anew each time: a start must succeed on a disk that takes nothing.
        let isNew = "SELECT count(*) FROM store WHERE secret IS NULL"
        if let secret, try connection.number(isNew) > 0 {
            let note = try connection.prepare("UPDATE store SET secret = ?")
            note.bind(1, secret.check(with: key).bytes)
            try note.finish()
        }
        return (identity, damage)
    }

    /// Notes that the store is in use: until it is closed, its end counts as unclean.
    ///
    /// It raises the floor, too: before, no version above the stored ones may be published.
    private func begin(floor: Int) throws(StoreError) {
        guard !hasBegun else { return }
        try retryOnceWhereFull { () throws(StoreError) in
            try connection.run(
                "UPDATE store SET life = \(identity.generation), closed = 0, "
                    + "floor = \(floor)"
            )
            // A generation that a failure of the machine takes back would publish its versions
            // twice.
            if durability == .normal { try connection.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        identity.versionFloor = floor
        hasBegun = true
    }

    /// The lock of the state directory keeps other owners out, so the file need not be asked.
    package var fence: StoreFence { StoreFence(writer: identity.generation) }

    package func commit(_ commit: StoreCommit) throws(StoreError) {
        guard commit.fence == fence else {
            throw StoreError(
                .notOwner,
                "\(connection.path): generation \(commit.fence.writer) is over; this is "
                    + "\(fence.writer)")
        }
        try check()
        // Sessions have begun by the floor as it was: it may rise, and not fall.
        try begin(floor: beginnings.floorWithoutFall(identity))
        var sweeps = true
        try retryOnceWhereFull { () throws(StoreError) in
            // A disk that is nearly full has no room for upkeep.
            defer { sweeps = false }
            try attempt(commit.changes, sweeps: sweeps)
        }
        // Somebody may have removed the files meanwhile: then nobody will find these changes.
        try check()
    }

    package func check() throws(StoreError) {
        do throws(StoreError) {
            try files.check()
        } catch {
            // The file may be in place without its log: then it takes what the log alone has.
            try? connection.run("PRAGMA wal_checkpoint")
            throw error
        }
    }

    private func retryOnceWhereFull(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch  where error.kind == .full {
            // The file may have room for the pages of the log, which frees the log.
            try connection.run("PRAGMA wal_checkpoint")
            try body()
        }
    }

    private func attempt(_ changes: [StoreChange], sweeps: Bool) throws(StoreError) {
        try transact { () throws(StoreError) in
            var marks = ForgottenMarks.marksMin
            for change in changes { marks += try apply(change) }
            // As many as are written, or they would become more and more.
            if sweeps { try forgotten.sweep(marks) }
        }
    }

    private func transact(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try beginning.finish()
        do throws(StoreError) {
            try body()
            try ending.finish()
        } catch {
            // Some errors have rolled back already.
            try? connection.run("ROLLBACK")
            rows.forget()
            forgotten.lookAgain()
            throw error
        }
    }

    /// Returns how many marks it has written.
    private func apply(_ change: StoreChange) throws(StoreError) -> Int {
        switch change {
        case .put(let session):
            let number = try rows.write(session)
            for seen in session.seen {
                mark.bind(1, number)
                mark.bind(2, seen.place)
                mark.bind(3, seen.hash)
                try mark.finish()
            }
            return session.seen.count
        case .remove(let id, _, let version):
            rows.forget(id)
            try forgotten.note(id)
            remove.bind(1, id)
            try remove.finish()
            raiseFloor.bind(1, version)
            try raiseFloor.finish()
        case .refresh(let range, let time):
            rows.forget()
            refresh.bind(1, time)
            refresh.bind(2, range.lowerBound)
            refresh.bind(3, range.upperBound)
            try refresh.finish()
        }
        return 0
    }

    package func tidy() throws(StoreError) {
        guard hasBegun, forgotten.areThere else { return }
        try transact { () throws(StoreError) in try forgotten.sweep(ForgottenMarks.marksMax) }
    }

    /// Renames a damaged file and its log; returns the new name.
    package static func quarantine(_ path: String, at time: Int) throws(StoreError) -> String {
        try Quarantine.move(path, at: time)
    }

    package func makeReader() throws(StoreError) -> any StoreReader {
        try SQLiteReader(connection.path)
    }

    package func close() throws(StoreError) {
        guard hasBegun else { return }
        try check()
        try connection.run("UPDATE store SET closed = 1")
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Bounds the file's pages; beyond the bound commits fail as on a full disk.
    func limit(pages: Int) throws(StoreError) {
        _ = try connection.number("PRAGMA max_page_count = \(pages)")
    }

    /// SQLite's own number for the durability: 2 full, 1 normal.
    func synchronous() throws(StoreError) -> Int {
        try connection.number("PRAGMA synchronous")
    }
}
