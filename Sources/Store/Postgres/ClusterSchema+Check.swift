/// Whether the tables of the schema are those of gestured. Another program may use its name, and a
/// restore may have brought back a part of them.
extension ClusterSchema {
    /// Tables, views and whatever else stands in the way of ours, by their names.
    private static let present = PostgresStatement(
        "present",
        """
        SELECT string_agg(c.relname, ', ' ORDER BY c.relname) FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'gestured'
           AND c.relname IN ('cluster', 'member', 'lease', 'shard', 'session', 'seen')
        """)

    /// Columns of the newest layout that are not there.
    private static let lacking = PostgresStatement(
        "lacking",
        """
        SELECT string_agg(w.tab || '.' || w.col, ', ' ORDER BY w.tab, w.col)
          FROM (VALUES ('cluster', 'layout'), ('cluster', 'tag'), ('cluster', 'shards'),
            ('cluster', 'key'), ('cluster', 'secret'), ('member', 'id'), ('member', 'instance'),
            ('member', 'name'), ('member', 'daemon'), ('member', 'endpoints'),
            ('member', 'weight'), ('member', 'generation'), ('member', 'state'),
            ('member', 'joined'), ('lease', 'member'), ('lease', 'expires'), ('shard', 'number'),
            ('shard', 'owner'), ('shard', 'epoch'), ('shard', 'floor'), ('session', 'id'),
            ('session', 'shard'), ('session', 'state'), ('session', 'recent'),
            ('session', 'touched'), ('session', 'motion'), ('session', 'motion_for'),
            ('seen', 'session'), ('seen', 'chunk'), ('seen', 'hashes')) AS w(tab, col)
         WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
           WHERE n.nspname = 'gestured' AND c.relname = w.tab AND a.attname = w.col)
        """)

    /// Shards without a row, or whose row has numbers that no daemon writes.
    private static let unsound = PostgresStatement(
        "unsound_shards",
        """
        SELECT count(*), string_agg(f.number::text, ', ' ORDER BY f.number)
            FILTER (WHERE f.place <= 8)
          FROM (SELECT coalesce(s.number, g.number) AS number,
              row_number() OVER (ORDER BY coalesce(s.number, g.number)) AS place
            FROM generate_series(0, $1::int - 1) AS g(number)
            FULL JOIN gestured.shard s ON s.number = g.number
           WHERE s.number IS NULL OR g.number IS NULL
             OR s.epoch NOT BETWEEN 0 AND $2::bigint OR s.floor NOT BETWEEN 0 AND $3::bigint) f
        """)

    /// Throws where tables have our names, though no cluster was begun here.
    static func refuseOthers(_ connection: PostgresConnection) throws(StoreError) {
        let rows = try connection.execute(present)
        guard !rows.isNull(0, 0) else { return }
        throw StoreError(
            .newer,
            "PostgreSQL: the schema gestured has the tables \(rows.text(0, 0)), and they are no "
                + "cluster of gestured; take another database, or rename that schema")
    }

    /// Throws where a table lacks a column: it is another program's, or a part was not restored.
    static func refuseIncomplete(_ connection: PostgresConnection) throws(StoreError) {
        let rows = try connection.execute(lacking)
        guard !rows.isNull(0, 0) else { return }
        throw StoreError(
            .newer,
            "PostgreSQL: the schema gestured lacks \(rows.text(0, 0)): its tables are another "
                + "program's, or not wholly restored; take another database, or restore it")
    }

    /// Throws where sessions would have no owner, or an owner without sound numbers.
    static func refuseUnsoundShards(
        _ connection: PostgresConnection, count: Int
    ) throws(StoreError) {
        let rows = try connection.execute(
            unsound,
            PostgresParameters().integer(count).bigint(StoreIdentity.generationMax)
                .bigint(StoreIdentity.versionFloorMax))
        guard rows.int(0, 0) > 0 else { return }
        let rest = rows.int(0, 0) > 8 ? " and \(rows.int(0, 0) - 8) more" : ""
        throw StoreError(
            .damaged,
            "PostgreSQL: the table gestured.shard has no row, or none that a daemon wrote, for "
                + "\(rows.text(0, 1))\(rest) of \(count) shards; restore the database, and let "
                + "each shard have one row with an epoch above all that it had")
    }
}
