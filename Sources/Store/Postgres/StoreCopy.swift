import Glibc

/// Brings the file of one daemon into an empty database for several.
///
/// The file stays as it is. The database takes its key of ids and its secret's mark, so that an id
/// which was applied is known again. All of it is one transaction: until its end nobody sees
/// anything, and a copy that fails leaves nothing.
package struct StoreCopy {
    private let path: String
    private let connection: SQLiteConnection
    /// Held, so that no daemon starts on the file meanwhile.
    private let lock: FolderLock
    private let row: ClusterRow
    /// The generation that the file's next daemon would have begun, and its floor of versions.
    private let generation: Int
    private let floor: Int
    /// How many sessions there are.
    package let count: Int

    /// Sessions in one statement.
    private static var batchMax: Int { 256 }
    /// How long an answer of the server may take: it syncs everything at the end.
    private static var answerMilliseconds: Int { 300_000 }

    /// Opens a file of a daemon that does not run, for a database of `shards`.
    package init(_ path: String, shards: Int) throws(StoreError) {
        self.path = path
        guard unsafe access(path, R_OK) == 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw StoreError(.unavailable, "\(path): cannot be read: \(reason)")
        }
        lock = try FolderLock(of: path)
        connection = try SQLiteConnection(path, .read)
        try connection.run("BEGIN")
        try SQLiteSchema.check(connection)
        guard try connection.number("PRAGMA application_id") == SQLiteSchema.applicationID else {
            throw StoreError(.newer, "\(path): holds nothing; it is no gestured.db")
        }
        let check = try connection.prepare("PRAGMA quick_check(1)")
        guard try check.step(), check.text(0) == "ok" else {
            throw StoreError(.damaged, "\(path): it is damaged")
        }
        let secret =
            try connection.number("PRAGMA user_version") > 1 ? "secret" : "NULL"
        let select = try connection.prepare(
            "SELECT key, floor, life + 1 - closed, \(secret) FROM store")
        guard try select.step(), let key = UInt128(bytes: select.bytes(0)) else {
            throw StoreError(.damaged, "\(path): it has no key")
        }
        (floor, generation) = (select.int(1), select.int(2))
        guard StoreIdentity(key: key, versionFloor: floor, generation: generation).isSound else {
            throw StoreError(
                .damaged,
                "\(path): its table store has floor \(select.text(1)) and life \(select.text(2)), "
                    + "which no daemon wrote; start a daemon on it and stop it, which mends them")
        }
        row = ClusterRow(
            tag: ClusterRow.newTag(), shards: shards, key: key,
            check: UInt128(bytes: select.bytes(3)))
        count = try connection.number("SELECT count(*) FROM session")
    }

    /// Copies everything. `shard` gives a session's shard; `progress` is called after each batch
    /// with the number of sessions so far.
    package func run(
        to target: PostgresTarget, shard: (_ id: String) -> Int,
        progress: (_ sessions: Int) -> Void
    ) throws(StoreError) {
        let server = try PostgresConnection(
            target, name: "gestured copy", milliseconds: Self.answerMilliseconds,
            settings: ReconnectingConnection.settings)
        defer { server.close() }
        try ClusterSchema.migrate(server) { _ throws(StoreError) in
            guard try ClusterRow.read(server) == nil else {
                throw StoreError(
                    .forbidden, "PostgreSQL: the database has been begun; a copy needs an empty one"
                )
            }
            try row.insert(server)
            _ = try server.execute(
                Self.begin, PostgresParameters().bigint(generation).bigint(floor))
            try copy(to: server, shard, progress)
        }
        guard !server.wasWarned else {
            throw StoreError(.unavailable, "PostgreSQL: a wait for the standby was cut short")
        }
    }

    /// As if the file's daemon had been each shard's owner: the next one begins its versions above.
    private static let begin = PostgresStatement(
        "copy_begin",
        "UPDATE gestured.shard SET epoch = $1::bigint, floor = $2::bigint")

    private static let insert = PostgresStatement(
        "copy_sessions",
        """
        WITH put AS (INSERT INTO gestured.session (id, shard, state, recent, touched)
          SELECT p.id, p.shard, p.state, ''::bytea, p.touched
            FROM unnest($1::text[], $2::int[], $3::bytea[], $4::bigint[])
              AS p(id, shard, state, touched))
        INSERT INTO gestured.seen (session, chunk, hashes)
          SELECT * FROM unnest($5::text[], $6::smallint[], $7::bytea[])
        """)

    private func copy(
        to server: PostgresConnection, _ shard: (String) -> Int, _ progress: (Int) -> Void
    ) throws(StoreError) {
        let page = try connection.prepare(
            "SELECT number, id, state, touched FROM session WHERE number > ? ORDER BY number "
                + "LIMIT \(Self.batchMax)")
        let marks = try connection.prepare(
            "SELECT place, hash FROM seen WHERE session = ? ORDER BY place")
        var (last, copied) = (Int.min, 0)
        while true {
            var sessions: [StoredSession] = []
            page.bind(1, last)
            while try page.step() {
                last = page.int(0)
                var session = StoredSession(
                    id: page.text(1), state: page.bytes(2), lastUsed: page.int(3))
                guard !session.id.utf8.contains(0) else {
                    throw StoreError(.damaged, "\(path): a session's name has a zero byte")
                }
                session.shard = shard(session.id)
                session.seen = try self.marks(marks, of: last, session.id)
                sessions.append(session)
            }
            page.reset()
            guard !sessions.isEmpty else { return }
            let chunks = sessions.flatMap { session in
                SeenRing.chunks(of: session.seen).map { (session.id, $0.chunk, $0.bytes) }
            }
            _ = try server.execute(
                Self.insert,
                PostgresParameters().texts(sessions.map(\.id)).integers(sessions.map(\.shard))
                    .byteas(sessions.map(\.state)).bigints(sessions.map(\.lastUsed))
                    .texts(chunks.map(\.0)).smallints(chunks.map(\.1)).byteas(chunks.map(\.2)))
            copied += sessions.count
            progress(copied)
        }
    }

    private func marks(
        _ select: Statement, of number: Int, _ id: String
    ) throws(StoreError) -> [SeenMark] {
        select.bind(1, number)
        defer { select.reset() }
        var marks: [SeenMark] = []
        while try select.step() {
            let place = select.int(0)
            guard let hash = UInt128(bytes: select.bytes(1)),
                (0..<SeenRing.placesMax).contains(place)
            else { throw StoreError(.damaged, "\(path): session \(id): a mark that cannot be") }
            marks.append(SeenMark(place: place, hash: hash))
        }
        return marks
    }
}

/// The lock by which a daemon keeps others off its folder, for a file in it. Leaves no trace.
private final class FolderLock {
    private let descriptor: CInt

    init(of path: String) throws(StoreError) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "./"
        descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw StoreError(.unavailable, "\(folder): cannot be opened: \(reason)")
        }
        // Some file systems lock no folders.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw StoreError(.unavailable, "\(path): a daemon runs on it; stop that first")
        }
    }

    deinit { close(descriptor) }
}
