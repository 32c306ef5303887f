/// The one row of `cluster`: its database's members share it.
struct ClusterRow {
    var tag: String
    var shards: Int
    /// The database's own key, without the secret.
    var key: UInt128
    /// Recognizes the secret; nil: there is none.
    var check: UInt128?

    private static let select = PostgresStatement(
        "cluster", "SELECT tag, shards, key, secret FROM gestured.cluster")
    private static let insertion = PostgresStatement(
        "insert_cluster",
        """
        INSERT INTO gestured.cluster (layout, tag, shards, key, secret)
          VALUES (0, $1::text, $2::int, $3::bytea, $4::bytea)
        """)
    private static let fill = PostgresStatement(
        "fill_shards",
        "INSERT INTO gestured.shard (number) SELECT generate_series(0, $1::int - 1)")
    private static let update = PostgresStatement(
        "note_secret", "UPDATE gestured.cluster SET secret = $1::bytea WHERE secret IS NULL")
    private static let marks = PostgresStatement(
        "marks",
        """
        SELECT EXISTS (SELECT FROM gestured.seen)
          OR EXISTS (SELECT FROM gestured.session WHERE length(recent) > 0)
        """)

    /// Six letters or digits: two of a million databases in one network are alike by a chance of
    /// one in four.
    static func newTag() -> String {
        String((0..<6).map { _ in letters.randomElement() ?? "a" })
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz0123456789"

    /// The members write it into the epochs of updates as it stands.
    private static func isTag(_ text: String) -> Bool {
        (1...16).contains(text.utf8.count) && text.allSatisfy(letters.contains)
    }

    /// The most shards that the configuration allows.
    private static let shardsMax = 4_096

    /// Nil: the database is new.
    static func read(_ connection: PostgresConnection) throws(StoreError) -> ClusterRow? {
        let rows = try connection.execute(select)
        guard rows.count > 0 else { return nil }
        guard let key = UInt128(bytes: rows.bytes(0, 2)) else {
            throw StoreError(.damaged, "PostgreSQL: the database has no key")
        }
        let tag = rows.text(0, 0)
        guard isTag(tag) else {
            throw StoreError(
                .damaged, "PostgreSQL: the database's tag is not 1 to 16 letters a-z or digits")
        }
        let shards = rows.int(0, 1)
        guard (1...shardsMax).contains(shards) else {
            throw StoreError(
                .damaged,
                "PostgreSQL: the database has \(shards) shards; a cluster has 1 to \(shardsMax)")
        }
        return ClusterRow(
            tag: tag, shards: shards, key: key,
            check: rows.isNull(0, 3) ? nil : UInt128(bytes: rows.bytes(0, 3)))
    }

    func insert(_ connection: PostgresConnection) throws(StoreError) {
        _ = try connection.execute(
            Self.insertion,
            PostgresParameters().text(tag).integer(shards).bytea(key.bytes).bytea(check?.bytes))
        _ = try connection.execute(Self.fill, PostgresParameters().integer(shards))
    }

    /// Whether the database was begun without a secret, and there is one now.
    func lacks(_ secret: Secret?) -> Bool { check == nil && secret != nil }

    func note(_ secret: Secret?, _ connection: PostgresConnection) throws(StoreError) {
        _ = try connection.execute(
            Self.update, PostgresParameters().bytea(secret?.check(with: key).bytes))
    }

    /// Throws `otherKey` unless the database was begun with this secret, or with none if it is nil.
    /// One that was begun without a secret and remembers no ids yet takes one.
    func refuseOther(
        _ secret: Secret?, _ connection: PostgresConnection
    ) throws(StoreError) {
        let words: String
        switch (check, secret) {
        case (nil, nil): return
        case (nil, .some):
            guard try connection.execute(Self.marks).bool(0, 0) else { return }
            words =
                "was begun without a key, and by one the ids it remembers would not be known "
                + "again; start without the key, or take another database to begin anew"
        case (.some, nil):
            words =
                "was begun with a key, and there is none; give it the credential gestured.key or "
                + "the configuration's [store] key_file"
        case (let check?, let secret?):
            guard secret.check(with: key) != check else { return }
            words =
                "was begun with another key; give it that one, or take another database to begin "
                + "anew"
        }
        throw StoreError(.otherKey, "PostgreSQL: the database \(words)")
    }
}
