/// Sessions in one file, written ahead (WAL), so that reading and writing do not wait.
///
/// Throws `damaged` where the file is no sound database; what then becomes of it is the caller's.
package final class SQLiteStore: Store {
    /// What a commit survives.
    package enum Durability: String, CaseIterable, Sendable {
        /// The machine: every commit is on the disk.
        case full
        /// The process; a machine that fails may lose what was committed since a checkpoint.
        case normal
    }

    package private(set) var identity: StoreIdentity
    package private(set) var hasBegun = false
    /// What was found wrong with the log, in one line; nil: nothing.
    package let damage: String?
    private let floor: Int
    private let durability: Durability
    private let connection: Connection
    private let beginning: Statement
    private let ending: Statement
    private let put: Statement
    private let mark: Statement
    private let remove: Statement
    private let raiseFloor: Statement
    private let refresh: Statement

    /// Opens a file, made where there is none.
    ///
    /// `newKey` is taken by a store that is new; its floor is raised to `floor`. What is damaged
    /// and can be done without is kept aside by the name of `time`. Throws `otherKey`, having
    /// changed nothing, where the file was not begun with this `secret`.
    package convenience init(
        _ path: String, _ durability: Durability, newKey: UInt128, secret: Secret? = nil,
        floor: Int = 0, time: Int = 0
    ) throws(StoreError) {
        try self.init(
            path, durability, newKey: newKey, secret: secret, floor: floor, time: time,
            migrations: Schema.migrations)
    }

    init(
        _ path: String, _ durability: Durability, newKey: UInt128, secret: Secret? = nil,
        floor: Int = 0, time: Int = 0, migrations: [String]
    ) throws(StoreError) {
        try Self.refuseOthers(path, secret, migrations)
        self.floor = floor
        self.durability = durability
        connection = try Connection(path, .write)
        try Schema.check(connection, migrations)
        try connection.run("PRAGMA journal_mode = WAL")
        connection.keepLogFiles()
        try connection.run("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
        try connection.run("PRAGMA foreign_keys = ON")
        try connection.run("PRAGMA wal_autocheckpoint = \(Self.logPagesMax)")
        try connection.run("PRAGMA cache_size = \(-Self.cacheKibibytes)")
        try Self.check(connection)
        // The log of a life that did not end in order, so that a full disk has room for this one.
        let frames = (try? connection.number("PRAGMA wal_checkpoint", column: 1)) ?? -1
        // What is written next may begin the log anew.
        damage = DamagedWAL(path: path + "-wal").keepIfDamaged(validFrames: frames, time: time)
        try Schema.migrate(connection, by: migrations)
        try Secret.refuseOther(secret, connection)
        identity = try Self.identity(connection, newKey, secret)
        beginning = try connection.prepare("BEGIN IMMEDIATE")
        ending = try connection.prepare("COMMIT")
        put = try connection.prepare(
            "INSERT INTO session (id, state, touched) VALUES (?1, ?2, ?3) "
                + "ON CONFLICT (id) DO UPDATE SET state = ?2, touched = ?3")
        mark = try connection.prepare(
            "INSERT OR REPLACE INTO seen VALUES ((SELECT number FROM session WHERE id = ?), ?, ?)"
        )
        remove = try connection.prepare("DELETE FROM session WHERE id = ?")
        raiseFloor = try connection.prepare("UPDATE store SET floor = max(floor, ?)")
        refresh = try connection.prepare("UPDATE session SET touched = ? WHERE touched < ?")
        do throws(StoreError) {
            try begin()
        } catch  where error.kind == .full || error.kind == .unavailable {
            // A commit will try again.
        }
    }

    /// Pages of the log after which they are taken over into the file: 16 MiB. Most of them are of
    /// the same sessions, so that one time with many is less work than many with few.
    private static var logPagesMax: Int { 4_000 }
    /// Of the file, for what is written is read before: marks of a thousand busy sessions.
    private static var cacheKibibytes: Int { 16 * 1_024 }

    /// By a view that cannot write, for what is another program's is to stay as it is.
    private static func refuseOthers(
        _ path: String, _ secret: Secret?, _ migrations: [String]
    ) throws(StoreError) {
        do throws(StoreError) {
            let connection = try Connection(path, .read)
            try Schema.check(connection, migrations)
            try Secret.refuseOther(secret, connection)
        } catch  where error.kind == .newer || error.kind == .otherKey {
            throw error
        } catch {
            // What is not there, or not readable so, is told when it is opened to be written.
        }
    }

    private static func check(_ connection: Connection) throws(StoreError) {
        let check = try connection.prepare("PRAGMA quick_check(1)")
        let verdict = try check.step() ? check.text(0) : "nothing"
        guard verdict == "ok" else { throw StoreError(.damaged, "\(connection.path): \(verdict)") }
    }

    /// What the store remembers, and the number of a life that is still to begin.
    private static func identity(
        _ connection: Connection, _ newKey: UInt128, _ secret: Secret?
    ) throws(StoreError) -> StoreIdentity {
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
        let identity = StoreIdentity(
            key: secret?.mixed(with: key) ?? key, floor: select.int(1), life: select.int(2))
        select.reset()
        // Not written anew each time: a start goes on where nothing can be written for a while.
        let isNew = "SELECT count(*) FROM store WHERE secret IS NULL"
        if let secret, try connection.number(isNew) > 0 {
            let note = try connection.prepare("UPDATE store SET secret = ?")
            note.bind(1, secret.check(with: key).bytes)
            try note.finish()
        }
        return identity
    }

    /// Notes that the store is in use: until it is closed, its end is not in order.
    ///
    /// Without it nothing that was told is known to be more than what is stored, so the floor is
    /// not raised either.
    private func begin() throws(StoreError) {
        guard !hasBegun else { return }
        try retryOnceWhereFull { () throws(StoreError) in
            try connection.run(
                "UPDATE store SET life = \(identity.life), closed = 0, floor = max(floor, \(floor))"
            )
            // Whatever a later commit survives, a life that a machine's failure takes back would
            // tell its versions twice.
            if durability == .normal { try connection.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        identity.floor = max(identity.floor, floor)
        hasBegun = true
    }

    package func commit(_ changes: [StoreChange]) throws(StoreError) {
        try begin()
        try retryOnceWhereFull { () throws(StoreError) in try attempt(changes) }
    }

    private func retryOnceWhereFull(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch  where error.kind == .full {
            // What the log holds may have its place in the file already, which frees the log.
            try connection.run("PRAGMA wal_checkpoint")
            try body()
        }
    }

    private func attempt(_ changes: [StoreChange]) throws(StoreError) {
        try beginning.finish()
        do throws(StoreError) {
            for change in changes { try apply(change) }
            try ending.finish()
        } catch {
            // Some errors have rolled back already.
            try? connection.run("ROLLBACK")
            throw error
        }
    }

    private func apply(_ change: StoreChange) throws(StoreError) {
        switch change {
        case .put(let session):
            put.bind(3, session.touched)
            try put.finish(binding: session.id, session.state)
            for seen in session.seen {
                mark.bind(2, seen.place)
                mark.bind(3, seen.hash)
                try mark.finish(binding: session.id)
            }
        case .remove(let id, let version):
            remove.bind(1, id)
            try remove.finish()
            raiseFloor.bind(1, version)
            try raiseFloor.finish()
        case .refresh(let before, let time):
            refresh.bind(1, time)
            refresh.bind(2, before)
            try refresh.finish()
        }
    }

    /// Renames a file that is damaged, with what belongs to it; returns its new name.
    package static func setAside(_ path: String, at time: Int) throws(StoreError) -> String {
        try Quarantine.move(path, at: time)
    }

    package func makeReader() throws(StoreError) -> any StoreReader {
        try SQLiteReader(connection.path)
    }

    package func close() throws(StoreError) {
        guard hasBegun else { return }
        try connection.run("UPDATE store SET closed = 1")
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Pages that the file may grow to; beyond it commits fail as on a full disk.
    func limit(pages: Int) throws(StoreError) {
        _ = try connection.number("PRAGMA max_page_count = \(pages)")
    }

    /// SQLite's own word for what a commit survives: 2 full, 1 normal.
    func synchronous() throws(StoreError) -> Int {
        try connection.number("PRAGMA synchronous")
    }
}

/// Reads by a connection of its own.
final class SQLiteReader: StoreReader {
    private let select: Statement
    private let existence: Statement
    private let page: Statement
    private let untouched: Statement
    private let counting: Statement
    private let beginning: Statement
    private let ending: Statement
    private var isOneInstant = false
    private var hasBegun = false

    init(_ path: String) throws(StoreError) {
        let connection = try Connection(path, .read)
        beginning = try connection.prepare("BEGIN")
        ending = try connection.prepare("COMMIT")
        // In one statement, for each takes the file's lock anew.
        select = try connection.prepare(
            "SELECT state, touched, place, hash FROM session "
                + "LEFT JOIN seen ON seen.session = session.number WHERE id = ?")
        existence = try connection.prepare("SELECT 1 FROM session WHERE id = ?")
        page = try connection.prepare("SELECT id FROM session WHERE id > ? ORDER BY id LIMIT ?")
        untouched = try connection.prepare(
            "SELECT id FROM session WHERE touched < ? ORDER BY touched LIMIT ?")
        counting = try connection.prepare("SELECT count(*) FROM session")
    }

    func begin() throws(StoreError) {
        precondition(!isOneInstant, "one instant within another")
        isOneInstant = true
    }

    /// Most who want one instant read nothing; the first who reads begins it.
    private func beginIfWanted() throws(StoreError) {
        guard isOneInstant, !hasBegun else { return }
        try beginning.finish()
        hasBegun = true
    }

    func end() {
        isOneInstant = false
        guard hasBegun else { return }
        // What was only read has nothing that could fail to be committed.
        try? ending.finish()
        hasBegun = false
    }

    func session(_ id: String) throws(StoreError) -> StoredSession? {
        try beginIfWanted()
        select.bind(1, id)
        defer { select.reset() }
        guard try select.step() else { return nil }
        var session = StoredSession(id: id, state: select.bytes(0), touched: select.int(1))
        while !select.isNull(2) {
            guard let hash = UInt128(bytes: select.bytes(3)) else {
                throw StoreError(.damaged, "session \(id): a mark of the wrong size")
            }
            session.seen.append(SeenMark(place: select.int(2), hash: hash))
            guard try select.step() else { break }
        }
        return session
    }

    func has(_ id: String) -> Bool {
        try? beginIfWanted()
        existence.bind(1, id)
        defer { existence.reset() }
        return (try? existence.step()) == true
    }

    func ids(after: String, limit: Int) throws(StoreError) -> [String] {
        page.bind(1, after)
        page.bind(2, limit)
        return try ids(page)
    }

    func ids(touchedBefore time: Int, limit: Int) throws(StoreError) -> [String] {
        untouched.bind(1, time)
        untouched.bind(2, limit)
        return try ids(untouched)
    }

    private func ids(_ statement: Statement) throws(StoreError) -> [String] {
        try beginIfWanted()
        defer { statement.reset() }
        var ids: [String] = []
        while try statement.step() { ids.append(statement.text(0)) }
        return ids
    }

    func count() throws(StoreError) -> Int {
        try beginIfWanted()
        defer { counting.reset() }
        return try counting.step() ? counting.int(0) : 0
    }
}
