extension PostgresStatement {
    /// Takes everything or nothing; 0: the member is lost, or the connection is a former one.
    ///
    /// A `recent` without bytes leaves the stored one as it is; `SeenRing` tells how the others
    /// are laid over it. `chunks` completes what leaves `recent`.
    ///
    /// A hash has 16 bytes, and a chunk 32 places:
    ///
    ///     byte            0       1       2
    ///     sent recent     | chunk | first | new hashes, for the places from `first` on
    ///     stored recent   | chunk |   –   | base: hashes, for the places from 0 on
    ///     result          | chunk | first | base up to `first` | new hashes | rest of base
    ///
    /// Where the base ends before `first`, zero bytes fill the gap. The base is the stored `recent`
    /// if that has the same chunk, and otherwise the chunk's row in `seen`, which is a lap older:
    ///
    ///     byte            0        16       32                        496      512
    ///     seen.hashes     | place 0 | place 1 |        …             | place 31 |
    static let commit = PostgresStatement(
        "commit",
        """
        WITH fence AS MATERIALIZED (SELECT id FROM member
            WHERE id = $1::bigint AND generation = $2::bigint FOR SHARE),
        put AS (INSERT INTO session AS s (id, shard, state, recent, touched, motion, motion_for)
          SELECT p.id, p.shard, p.state, CASE WHEN length(p.recent) > 2 THEN
            substr(p.recent, 1, 2) || substr(\(holes), 1, 16 * get_byte(p.recent, 1))
              || substr(p.recent, 3) ELSE p.recent END, p.touched, p.motion, p.motion_for
            FROM unnest($3::text[], $4::int[], $5::bytea[], $6::bytea[], $7::bigint[], $8::bytea[],
              $9::bigint[]) AS p(id, shard, state, recent, touched, motion, motion_for), fence
          ON CONFLICT (id) DO UPDATE SET state = excluded.state, recent = CASE
              WHEN length(excluded.recent) = 0 THEN s.recent
              WHEN length(excluded.recent) = 2 OR get_byte(excluded.recent, 1) = 0
                AND NOT (length(s.recent) > 2
                  AND get_byte(excluded.recent, 0) = get_byte(s.recent, 0)) THEN excluded.recent
              ELSE (SELECT substr(excluded.recent, 1, 2) || overlay(b.base || substr(\(holes), 1,
                  greatest(0, 16 * get_byte(excluded.recent, 1) - length(b.base)))
                  PLACING substr(excluded.recent, 3 + 16 * get_byte(excluded.recent, 1))
                  FROM 1 + 16 * get_byte(excluded.recent, 1))
                FROM (SELECT CASE WHEN length(s.recent) > 2
                    AND get_byte(excluded.recent, 0) = get_byte(s.recent, 0)
                  THEN substr(s.recent, 3) ELSE coalesce((SELECT o.hashes FROM seen o
                    WHERE o.session = s.id AND o.chunk = get_byte(excluded.recent, 0)),
                    ''::bytea) END AS base) b) END,
            touched = excluded.touched, motion = excluded.motion,
            motion_for = excluded.motion_for),
        chunks AS (INSERT INTO seen (session, chunk, hashes)
          SELECT c.session, c.chunk, CASE WHEN length(c.hashes) = 512 THEN c.hashes ELSE
            (SELECT overlay(b.base || substr(\(holes), 1, greatest(0, 16 * c.first
                - length(b.base))) PLACING c.hashes FROM 1 + 16 * c.first)
               FROM (SELECT overlay(coalesce((SELECT o.hashes FROM seen o
                   WHERE o.session = c.session AND o.chunk = c.chunk), ''::bytea)
                 PLACING coalesce((SELECT substr(s.recent, 3) FROM session s
                   WHERE s.id = c.session AND length(s.recent) > 2
                     AND get_byte(s.recent, 0) = c.chunk), ''::bytea) FROM 1) AS base) b) END
            FROM unnest($10::text[], $11::smallint[], $12::smallint[], $13::bytea[])
              AS c(session, chunk, first, hashes), fence
          ON CONFLICT (session, chunk) DO UPDATE SET hashes = excluded.hashes),
        forgotten AS (DELETE FROM seen USING fence WHERE session = ANY ($14::text[])),
        removed AS (DELETE FROM session USING fence WHERE session.id = ANY ($14::text[])),
        raised AS (UPDATE shard s SET floor = greatest(s.floor, f.version)
          FROM unnest($15::int[], $16::bigint[]) AS f(number, version), fence
         WHERE s.number = f.number)
        SELECT count(*) FROM fence
        """)

    /// Sixteen zero bytes for each place of a chunk: no mark is there.
    private static let holes = "decode(repeat('00', 512), 'hex')"

    /// Marks the sessions of this member's shards as used at another time.
    static let refresh = PostgresStatement(
        "refresh",
        """
        WITH fence AS MATERIALIZED (SELECT id FROM member
            WHERE id = $1::bigint AND generation = $2::bigint FOR SHARE),
        marked AS (UPDATE session SET touched = $5::bigint FROM fence
          WHERE shard IN (SELECT number FROM shard WHERE owner = $1::bigint)
            AND touched >= $3::bigint AND touched < $4::bigint)
        SELECT count(*) FROM fence
        """)
}
