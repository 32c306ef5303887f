/// Writes the rows of sessions, and remembers where it wrote them.
///
/// A row that was written before is found by its number, and its index by time is left alone while
/// the time is the same second: that spares a third of the work, and a page of the log.
final class SessionRows {
    private struct Row {
        var number: Int
        var lastUsed: Int
    }

    private let connection: SQLiteConnection
    private let put: Statement
    private let change: Statement
    private let changeAndTouch: Statement
    private var rows: [String: Row] = [:]

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        put = try connection.prepare(
            "INSERT INTO session (number, id, state, touched) "
                + "VALUES (\(ForgottenMarks.newNumber), ?1, ?2, ?3) "
                + "ON CONFLICT (id) DO UPDATE SET state = ?2, touched = ?3 RETURNING number")
        // A number may be another session's by now. The sign keeps SQLite from looking for the id.
        let place = "WHERE number = ?3 AND +id = ?1"
        change = try connection.prepare("UPDATE session SET state = ?2 \(place)")
        changeAndTouch = try connection.prepare(
            "UPDATE session SET state = ?2, touched = ?4 \(place)")
    }

    /// Writes a session's row; returns its number.
    func write(_ session: StoredSession) throws(StoreError) -> Int {
        if let row = rows[session.id], try write(session, over: row) { return row.number }
        put.bind(3, session.lastUsed)
        let number = try put.number(binding: session.id, session.state)
        if rows.count >= Self.rowsMax { rows.removeAll() }
        rows[session.id] = Row(number: number, lastUsed: session.lastUsed)
        return number
    }

    /// Returns whether the row was there.
    private func write(_ session: StoredSession, over row: Row) throws(StoreError) -> Bool {
        let isSameTime = row.lastUsed == session.lastUsed
        let statement = isSameTime ? change : changeAndTouch
        statement.bind(3, row.number)
        if !isSameTime {
            statement.bind(4, session.lastUsed)
            rows[session.id]?.lastUsed = session.lastUsed
        }
        try statement.finish(binding: session.id, session.state)
        return connection.changes == 1
    }

    /// A session's row is to be deleted.
    func forget(_ id: String) { rows[id] = nil }

    /// Rows may have become others: a transaction was taken back, or their times were changed.
    func forget() { rows.removeAll() }

    /// Rows that are remembered: some MiB.
    private static var rowsMax: Int { 65_536 }
}
