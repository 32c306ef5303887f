/// Marks of sessions that are gone, which go piece by piece.
///
/// A session may have a thousand marks of applied ids, and deleting them takes a millisecond. So a
/// commit that deletes a session notes its number in the table `forgotten`, and each later commit
/// deletes a few of its marks. Until the last one is gone no new session gets its number.
final class ForgottenMarks {
    /// Marks that a commit deletes beside as many as it writes: some 0.1 ms.
    static var marksMin: Int { 64 }
    /// Marks that are deleted in one piece while nothing is to be committed: some 10 ms.
    static var marksMax: Int { 8 * 1_024 }

    private let connection: SQLiteConnection
    private let note: Statement
    private let first: Statement
    private let sweep: Statement
    private let end: Statement
    /// Whether there may be any.
    private(set) var areThere: Bool

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        note = try connection.prepare(
            "INSERT OR IGNORE INTO forgotten SELECT number FROM session WHERE id = ?1 "
                + "AND EXISTS (SELECT 1 FROM seen WHERE session = session.number)")
        first = try connection.prepare("SELECT number FROM forgotten LIMIT 1")
        sweep = try connection.prepare(
            "DELETE FROM seen WHERE session = ?1 AND place IN "
                + "(SELECT place FROM seen WHERE session = ?1 LIMIT ?2)")
        end = try connection.prepare("DELETE FROM forgotten WHERE number = ?")
        areThere = try connection.number("SELECT EXISTS (SELECT 1 FROM forgotten)") > 0
    }

    /// Numbers of rows that only damage or another program makes: with a million new sessions a
    /// second, a store would come to them in 140,000 years.
    private static var strangeNumber: Int { 1 << 62 }

    /// The number of a session's row that is new: above those of all sessions, and of those that
    /// are gone and still have marks. Above the largest integer there is none: where a row has a
    /// strange number, the new one is drawn. If that one is taken, the commit fails and is tried
    /// again.
    static let newNumber =
        "CASE WHEN EXISTS (SELECT 1 FROM session WHERE number >= \(strangeNumber)) "
        + "OR EXISTS (SELECT 1 FROM forgotten WHERE number >= \(strangeNumber)) "
        + "THEN 1 + (random() & \(strangeNumber / 2 - 1)) "
        + "ELSE 1 + max((SELECT ifnull(max(number), 0) FROM session), "
        + "(SELECT ifnull(max(number), 0) FROM forgotten)) END"

    /// A session's row is about to be deleted, in the transaction that is open.
    func note(_ id: String) throws(StoreError) {
        note.bind(1, id)
        try note.finish()
        if connection.changes > 0 { areThere = true }
    }

    /// A transaction was taken back.
    func lookAgain() { areThere = true }

    /// Deletes up to so many marks, in the transaction that is open.
    func sweep(_ marks: Int) throws(StoreError) {
        var left = marks
        while left > 0, areThere {
            guard let number = try firstNumber() else {
                areThere = false
                return
            }
            sweep.bind(1, number)
            sweep.bind(2, left)
            try sweep.finish()
            let deleted = connection.changes
            if deleted < left {
                end.bind(1, number)
                try end.finish()
            }
            // A session without marks left counts as one.
            left -= max(deleted, 1)
        }
    }

    private func firstNumber() throws(StoreError) -> Int? {
        defer { first.reset() }
        return try first.step() ? first.int(0) : nil
    }
}
