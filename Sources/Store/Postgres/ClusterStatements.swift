/// A member's words to the database. Each is one statement outside of any transaction block, so
/// that a client that stands still holds no lock.
extension PostgresStatement {
    /// No row: the member is lost, or the connection is a former one, which may have begun before a
    /// failover and speak with the former primary. Not synced, so that a slow disk ends no lease.
    static let renew = PostgresStatement(
        "renew",
        """
        UPDATE lease SET expires = clock_timestamp() + $2::float8 * interval '1 s'
         WHERE member = $1::bigint
           AND EXISTS (SELECT FROM member WHERE id = $1::bigint AND generation = $3::bigint
            AND state <> 'gone')
           AND set_config('synchronous_commit', 'off', true) = 'off'
        RETURNING (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
            (SELECT sum(epoch)::bigint FROM shard)
        """)

    static let members = PostgresStatement(
        "members",
        """
        SELECT m.id, m.instance::text, m.name, m.daemon,
            ARRAY(SELECT jsonb_array_elements_text(m.endpoints -> 'events')),
            ARRAY(SELECT jsonb_array_elements_text(m.endpoints -> 'updates')),
            ARRAY(SELECT jsonb_array_elements_text(m.endpoints -> 'control')),
            m.weight, m.state, coalesce(l.expires < clock_timestamp(), true),
            ARRAY(SELECT jsonb_array_elements_text(m.endpoints -> 'push'))
          FROM member m LEFT JOIN lease l ON l.member = m.id
         WHERE m.state <> 'gone' ORDER BY m.id
        """)

    static let shards = PostgresStatement(
        "shards", "SELECT number, owner, epoch, floor FROM shard ORDER BY number")

    /// Changes nothing, and is answered once the standby has all that was written before.
    static let settle = PostgresStatement(
        "settle", "UPDATE lease SET expires = expires WHERE member = $1::bigint")

    /// Ends a member that is late. Waits for its statement under way, after which none of its is
    /// taken.
    static let fence = PostgresStatement(
        "fence",
        """
        UPDATE member SET generation = generation + 1, state = 'gone'
         WHERE id = $1::bigint AND state <> 'gone'
           AND coalesce((SELECT expires < clock_timestamp() FROM lease WHERE member = $1::bigint),
            true)
        """)

    /// Ends a member that is surely dead, or is oneself.
    static let end = PostgresStatement(
        "end",
        """
        UPDATE member SET generation = generation + 1, state = 'gone'
         WHERE id = $1::bigint AND state <> 'gone'
        """)

    static let leave = PostgresStatement(
        "leave",
        "UPDATE member SET state = 'leaving' WHERE id = $1::bigint AND state = 'live'")

    /// Ends the connections of a member, by their names.
    static let cut = PostgresStatement(
        "cut",
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
           AND application_name = ANY ($1::text[])
        """)

    /// A shard's floor of versions for its next owner, as `VersionBeginnings` has it: by the clock
    /// alone, as long as that goes on.
    private static func floor(max: String, versionsALife: String) -> String {
        let clock =
            "least(\(max), floor(extract(epoch FROM clock_timestamp()) * 1048576)::bigint)"
        return """
            greatest(\(clock) - (s.epoch + 1) * \(versionsALife), CASE
              WHEN \(versionsALife) > 0
               AND \(clock) > s.floor + s.epoch * \(versionsALife) + \(StoreIdentity.clockLeadMin)
              THEN 0 ELSE s.floor END)
            """
    }

    /// Takes shards that nobody owns and that are at the epochs at which they were seen.
    static let claim = PostgresStatement(
        "claim",
        """
        UPDATE shard s SET owner = $1::bigint, epoch = s.epoch + 1,
            floor = \(floor(max: "$4::bigint", versionsALife: "$5::bigint"))
          FROM unnest($2::int[], $3::bigint[]) AS w(number, epoch)
         WHERE s.number = w.number AND s.epoch = w.epoch
           AND EXISTS (SELECT FROM member m WHERE m.id = $1::bigint AND m.state = 'live')
           AND NOT EXISTS (SELECT FROM member m WHERE m.id = s.owner AND m.state <> 'gone')
        RETURNING s.number, s.epoch, s.floor
        """)

    static let handOver = PostgresStatement(
        "hand_over",
        """
        WITH heir AS MATERIALIZED (
            SELECT id FROM member WHERE id = $2::bigint AND state = 'live' FOR SHARE),
        giver AS MATERIALIZED (
            SELECT id FROM member WHERE id = $1::bigint AND generation = $4::bigint FOR SHARE)
        UPDATE shard s SET owner = heir.id, epoch = s.epoch + 1,
            floor = \(floor(max: "$5::bigint", versionsALife: "$6::bigint"))
          FROM heir, giver
         WHERE s.owner = $1::bigint AND s.number = ANY ($3::int[]) RETURNING s.number, s.epoch
        """)

    /// A former connection's words may still arrive, and must not be taken.
    static let reconnect = PostgresStatement(
        "reconnect",
        """
        UPDATE member SET generation = generation + 1
         WHERE id = $1::bigint AND generation = $2::bigint AND state <> 'gone' RETURNING generation
        """)

    /// The generation of a member that is not gone.
    static let standing = PostgresStatement(
        "standing", "SELECT generation FROM member WHERE id = $1::bigint AND state <> 'gone'")

    /// Sessions with their marks, see `SeenRing`. `mine` false: what it says counts for nothing.
    static let read = PostgresStatement(
        "read",
        """
        SELECT f.mine, \(columns)
          FROM \(mine) f LEFT JOIN session s ON s.id = ANY ($3::text[])
        """)

    /// The sessions in mid-air of shards at exactly these epochs.
    static let moving = PostgresStatement(
        "moving",
        """
        SELECT f.mine, \(columns)
          FROM \(mine) f LEFT JOIN (session s
            JOIN unnest($3::int[], $4::bigint[]) AS r(number, epoch)
              ON s.shard = r.number AND s.motion_for = r.epoch AND s.motion IS NOT NULL) ON true
        """)

    private static let mine =
        "(SELECT EXISTS (SELECT FROM member WHERE id = $1::bigint AND generation = $2::bigint "
        + "AND state <> 'gone') AS mine)"

    private static let columns = """
        s.id, s.shard, s.state, s.recent, s.touched, s.motion, s.motion_for,
            (SELECT array_agg(int2send(c.chunk) || c.hashes ORDER BY c.chunk)
               FROM seen c WHERE c.session = s.id)
        """

    static let namesAfter = PostgresStatement(
        "names_after",
        "SELECT id FROM session WHERE id > $1::text ORDER BY id LIMIT $2::bigint")

    static let namesUnused = PostgresStatement(
        "names_unused",
        """
        SELECT id FROM session WHERE shard = ANY ($1::int[]) AND touched < $2::bigint
         ORDER BY touched LIMIT $3::bigint
        """)

    static let count = PostgresStatement("count", "SELECT count(*) FROM session")
}
