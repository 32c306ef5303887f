/// How the file is laid out, and how older layouts become the newest.
enum SQLiteSchema {
    /// Tells the file apart from other programs' databases: "gest".
    static let applicationID = 0x6765_7374

    /// Each step brings a file from its place in this list to the next; a step is never changed.
    static let migrations = [
        """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            state BLOB NOT NULL,
            touched INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_touched ON session (touched);
        CREATE TABLE seen (
            session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
            place INTEGER NOT NULL,
            hash BLOB NOT NULL,
            PRIMARY KEY (session, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE store (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            key BLOB NOT NULL,
            floor INTEGER NOT NULL,
            life INTEGER NOT NULL,
            closed INTEGER NOT NULL
        ) STRICT;
        """,
        // Recognizes the secret; NULL: there is none.
        "ALTER TABLE store ADD COLUMN secret BLOB",
        // Numbers of sessions that are gone and still have marks.
        "CREATE TABLE forgotten (number INTEGER PRIMARY KEY) STRICT",
    ]

    /// Throws `newer` for a file of a later layout, or of another program, and `damaged` for one of
    /// a layout that no version makes.
    static func check(
        _ connection: SQLiteConnection, _ migrations: [String] = migrations
    ) throws(StoreError) {
        let version = try connection.number("PRAGMA user_version")
        let application = try connection.number("PRAGMA application_id")
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
        guard application == applicationID || (application == 0 && tables == 0) else {
            throw StoreError(.newer, "\(connection.path): belongs to another program")
        }
        guard version >= 0 else {
            throw StoreError(.damaged, "\(connection.path): is damaged: it has layout \(version)")
        }
        guard version <= migrations.count else {
            throw StoreError(
                .newer,
                "\(connection.path): has layout \(version), made by a later version of gestured; "
                    + "this one knows \(migrations.count)")
        }
    }

    /// Brings a checked file to the newest layout, by all steps or none.
    static func migrate(
        _ connection: SQLiteConnection, by migrations: [String] = migrations
    ) throws(StoreError) {
        let version = try connection.number("PRAGMA user_version")
        guard version < migrations.count else { return }
        try connection.run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            for migration in migrations[version...] { try connection.run(migration) }
            try connection.run("PRAGMA user_version = \(migrations.count)")
            try connection.run("PRAGMA application_id = \(applicationID)")
            try connection.run("COMMIT")
        } catch {
            try? connection.run("ROLLBACK")
            throw error
        }
    }
}
