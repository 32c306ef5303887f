/// Reads by a connection of its own.
final class SQLiteReader: StoreReader {
    private let select: Statement
    private let existence: Statement
    private let page: Statement
    private let unused: Statement
    private let counting: Statement
    private let beginning: Statement
    private let ending: Statement
    private var isOneInstant = false
    private var hasBegun = false

    init(_ path: String) throws(StoreError) {
        let connection = try SQLiteConnection(path, .read)
        beginning = try connection.prepare("BEGIN")
        ending = try connection.prepare("COMMIT")
        // One statement, since each takes the file's lock anew.
        select = try connection.prepare(
            "SELECT state, touched, place, hash FROM session "
                + "LEFT JOIN seen ON seen.session = session.number WHERE id = ?")
        existence = try connection.prepare("SELECT 1 FROM session WHERE id = ?")
        page = try connection.prepare("SELECT id FROM session WHERE id > ? ORDER BY id LIMIT ?")
        unused = try connection.prepare(
            "SELECT id FROM session WHERE touched < ? ORDER BY touched LIMIT ?")
        counting = try connection.prepare("SELECT count(*) FROM session")
    }

    func begin() throws(StoreError) {
        precondition(!isOneInstant, "one instant within another")
        isOneInstant = true
    }

    /// Most batches read nothing, so the first read begins the instant.
    private func beginIfWanted() throws(StoreError) {
        guard isOneInstant, !hasBegun else { return }
        try beginning.finish()
        hasBegun = true
    }

    func end() {
        isOneInstant = false
        guard hasBegun else { return }
        // A transaction that only read cannot fail to commit.
        try? ending.finish()
        hasBegun = false
    }

    func lookUp(
        _ id: String, late: @escaping StoreAnswer<StoredSession?>
    ) throws(StoreError) -> StoreLookUp {
        try beginIfWanted()
        select.bind(1, id)
        defer { select.reset() }
        guard try select.step() else { return .none }
        var session = StoredSession(id: id, state: select.bytes(0), lastUsed: select.int(1))
        while !select.isNull(2) {
            guard let hash = UInt128(bytes: select.bytes(3)) else {
                throw StoreError(.damaged, "session \(id): a mark of the wrong size")
            }
            session.seen.append(SeenMark(place: select.int(2), hash: hash))
            guard try select.step() else { break }
        }
        return .found(session)
    }

    func has(_ id: String) -> Bool {
        try? beginIfWanted()
        existence.bind(1, id)
        defer { existence.reset() }
        return (try? existence.step()) == true
    }

    func names(_ query: StoreQuery, then: @escaping StoreAnswer<[String]>) {
        let answer: Result<[String], StoreError>
        do throws(StoreError) {
            answer = .success(try names(query))
        } catch {
            answer = .failure(error)
        }
        then(answer)
    }

    private func names(_ query: StoreQuery) throws(StoreError) -> [String] {
        switch query {
        case .after(let name, let limit):
            page.bind(1, name)
            page.bind(2, limit)
            return try ids(page)
        case .unused(let time, _, let limit):
            unused.bind(1, time)
            unused.bind(2, limit)
            return try ids(unused)
        }
    }

    private func ids(_ statement: Statement) throws(StoreError) -> [String] {
        try beginIfWanted()
        defer { statement.reset() }
        var ids: [String] = []
        while try statement.step() { ids.append(statement.text(0)) }
        return ids
    }

    func count(then: @escaping StoreAnswer<Int>) {
        let answer: Result<Int, StoreError>
        do throws(StoreError) {
            answer = .success(try count())
        } catch {
            answer = .failure(error)
        }
        then(answer)
    }

    private func count() throws(StoreError) -> Int {
        try beginIfWanted()
        defer { counting.reset() }
        return try counting.step() ? counting.int(0) : 0
    }
}
