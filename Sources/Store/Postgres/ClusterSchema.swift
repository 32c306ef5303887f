/// How a database of several daemons is laid out, and how older layouts become the newest.
///
/// All tables stand in the schema `gestured`. No foreign keys: they would lock what is fenced.
enum ClusterSchema {
    /// Each step brings a database from its place in this list to the next; a step is never
    /// changed.
    static let migrations = [
        """
        CREATE TABLE gestured.cluster (
            one boolean PRIMARY KEY DEFAULT true CHECK (one), layout integer NOT NULL,
            tag text NOT NULL, shards integer NOT NULL, key bytea NOT NULL, secret bytea);
        CREATE TABLE gestured.member (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, instance uuid NOT NULL,
            name text NOT NULL, daemon text NOT NULL, endpoints jsonb NOT NULL,
            weight integer NOT NULL, generation bigint NOT NULL DEFAULT 1,
            state text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'leaving', 'gone')),
            joined timestamptz NOT NULL DEFAULT clock_timestamp());
        CREATE UNIQUE INDEX member_name ON gestured.member (name) WHERE state <> 'gone';
        CREATE TABLE gestured.lease (member bigint PRIMARY KEY, expires timestamptz NOT NULL)
            WITH (fillfactor = 10);
        CREATE TABLE gestured.shard (
            number integer PRIMARY KEY, owner bigint, epoch bigint NOT NULL DEFAULT 0,
            floor bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50);
        CREATE TABLE gestured.session (
            id text COLLATE "C" PRIMARY KEY, shard integer NOT NULL, state bytea NOT NULL,
            recent bytea NOT NULL, touched bigint NOT NULL, motion bytea, motion_for bigint)
            WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02,
                autovacuum_vacuum_cost_delay = 0);
        CREATE INDEX session_touched ON gestured.session (shard, touched);
        CREATE INDEX session_motion ON gestured.session (shard) WHERE motion IS NOT NULL;
        CREATE TABLE gestured.seen (
            session text COLLATE "C" NOT NULL, chunk smallint NOT NULL, hashes bytea NOT NULL,
            PRIMARY KEY (session, chunk)) WITH (fillfactor = 80);
        """
    ]

    /// Numbers the lock under which one daemon at a time makes or migrates the tables: "gest".
    private static var lock: Int { 0x6765_7374 }

    /// Reads the catalog's rows: `to_regclass` answers from a cache, where a table that another
    /// daemon made during the wait for its lock is still missing.
    private static let hasTables = PostgresStatement(
        "has_tables",
        """
        SELECT EXISTS (SELECT FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'gestured' AND c.relname = 'cluster')
        """)
    private static let readLayout = PostgresStatement(
        "layout", "SELECT layout FROM gestured.cluster")

    /// The layout of a database; 0: it has none. Throws `newer` for a later one.
    static func check(
        _ connection: PostgresConnection, _ migrations: [String] = migrations
    ) throws(StoreError) -> Int {
        guard connection.serverVersion >= serverVersionMin else {
            throw StoreError(
                .forbidden,
                "PostgreSQL: the server has version \(connection.serverVersion / 10_000); "
                    + "\(serverVersionMin / 10_000) or later is needed")
        }
        guard connection.isUnicode else {
            throw StoreError(
                .forbidden, "PostgreSQL: the database's encoding is not UTF8; make one with it")
        }
        guard try connection.execute(hasTables).bool(0, 0) else { return 0 }
        let rows: PostgresRows
        do throws(StoreError) {
            rows = try connection.execute(readLayout)
        } catch  where error.kind == .displaced {
            try refuseIncomplete(connection)
            throw error
        }
        guard rows.count > 0 else { return 0 }
        let layout = rows.int(0, 0)
        guard layout <= migrations.count else {
            throw StoreError(
                .newer,
                "PostgreSQL: the database has layout \(layout), made by a later version of "
                    + "gestured; this one knows \(migrations.count)")
        }
        if layout == Self.migrations.count { try refuseIncomplete(connection) }
        return layout
    }

    /// The first version that has everything which the statements use.
    private static var serverVersionMin: Int { 150_000 }

    /// Members whose lease holds, once those are ended that are late, or that ran from the state
    /// directory of this `instance`.
    private static let living = PostgresStatement(
        "living",
        """
        WITH ended AS (UPDATE gestured.member m SET generation = generation + 1, state = 'gone'
          WHERE state <> 'gone' AND (m.instance::text = $1::text OR coalesce((
            SELECT expires < clock_timestamp() FROM gestured.lease l WHERE l.member = m.id), true))
          RETURNING id)
        SELECT string_agg(name, ', ' ORDER BY name) FROM gestured.member
         WHERE state <> 'gone' AND id NOT IN (SELECT id FROM ended)
        """)

    /// Throws while members live: they know nothing of a later layout, and would not look again.
    private static func refuseBesideOthers(
        _ connection: PostgresConnection, _ instance: String, from layout: Int, to next: Int
    ) throws(StoreError) {
        // Nobody joins until this transaction ends; then it finds the other layout.
        try connection.run("LOCK TABLE gestured.member IN SHARE ROW EXCLUSIVE MODE")
        let rows = try connection.execute(living, PostgresParameters().text(instance))
        guard !rows.isNull(0, 0) else { return }
        throw StoreError(
            .unavailable,
            "PostgreSQL: the database has layout \(layout), this version needs \(next), and the "
                + "members \(rows.text(0, 0)) run with the former one; stop them all first")
    }

    /// Runs `body` in a transaction, alone among all daemons, and with the newest layout: it gets
    /// whether the tables are new. Throws `unavailable` if other members than `instance`'s run with
    /// an older one.
    static func migrate<Result>(
        _ connection: PostgresConnection, for instance: String = "",
        by migrations: [String] = migrations,
        _ body: (_ isNew: Bool) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try connection.run(
            "BEGIN; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(\(lock))")
        do throws(StoreError) {
            // Another daemon may have done it while this one waited.
            let layout = try check(connection, migrations)
            if layout == 0 {
                try refuseOthers(connection)
                try connection.run("CREATE SCHEMA IF NOT EXISTS gestured")
            } else if layout < migrations.count {
                try refuseBesideOthers(connection, instance, from: layout, to: migrations.count)
            }
            for migration in migrations[layout...] { try connection.run(migration) }
            let result = try body(layout == 0)
            try connection.run("UPDATE gestured.cluster SET layout = \(migrations.count)")
            try connection.run("COMMIT")
            return result
        } catch {
            try? connection.run("ROLLBACK")
            throw error
        }
    }
}
