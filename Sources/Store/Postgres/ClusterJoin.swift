import Membership
import Threads

/// The place that a daemon has got.
struct JoinedCluster {
    var member: Int
    var tag: String
    var shards: Int
    /// The key of the hashes of ids, mixed with the secret if there is one.
    var key: UInt128
    /// Why what the database has taken may be lost, a line each.
    var warnings: [String]
}

/// A daemon's way into the members of a database.
struct ClusterJoin {
    let settings: ClusterSettings
    private let isAgain: Bool
    /// Seconds for which a name that another member holds is tried.
    private let nameSeconds: Double
    /// How long an answer may take.
    private let answerMilliseconds: Int

    /// `isAgain`: the tables are there, and somebody calls again soon, so that nothing is waited
    /// for.
    init(_ settings: ClusterSettings, isAgain: Bool) {
        self.settings = settings
        self.isAgain = isAgain
        nameSeconds = isAgain ? 0 : settings.nameSeconds
        answerMilliseconds =
            isAgain
            ? ReconnectingConnection.Purpose.commit.answerMilliseconds : Self.makingMilliseconds
    }

    /// Milliseconds between two trials.
    private static var pauseMilliseconds: Int { 100 }
    /// Milliseconds for an answer at the start: another daemon may be making the tables.
    private static var makingMilliseconds: Int { 10_000 }

    func run() throws(StoreError) -> JoinedCluster {
        let connection = try PostgresConnection(
            settings.target, name: "gestured join", milliseconds: answerMilliseconds,
            settings: ReconnectingConnection.settings)
        defer { connection.close() }
        let cluster = try cluster(connection)
        try ClusterSchema.refuseUnsoundShards(connection, count: cluster.shards)
        let end = PostgresConnection.now() + Int(nameSeconds * 1_000)
        while true {
            if let member = try insert(connection) {
                return JoinedCluster(
                    member: member, tag: cluster.tag, shards: cluster.shards,
                    key: settings.secret?.mixed(with: cluster.key) ?? cluster.key,
                    warnings: try warnings(connection))
            }
            guard PostgresConnection.now() < end else { throw nameIsTaken(try holder(connection)) }
            Thread.sleep(milliseconds: Self.pauseMilliseconds)
        }
    }

    // MARK: The database

    private func cluster(
        _ connection: PostgresConnection
    ) throws(StoreError) -> ClusterRow {
        let layout = try ClusterSchema.check(connection)
        if layout > 0, let found = try ClusterRow.read(connection) {
            try found.refuseOther(settings.secret, connection)
            // Nothing is written where nothing has to be.
            if layout == ClusterSchema.migrations.count, !found.lacks(settings.secret) {
                return found
            }
        }
        // `search_path` names a schema that may not exist yet; then the tables are found after all.
        return try ClusterSchema.migrate(
            connection, for: settings.member.instance
        ) { _ throws(StoreError) in
            if let found = try ClusterRow.read(connection) {
                try found.refuseOther(settings.secret, connection)
                if found.lacks(settings.secret) { try found.note(settings.secret, connection) }
                return found
            }
            let row = ClusterRow(
                tag: ClusterRow.newTag(), shards: settings.shards, key: settings.key,
                check: settings.secret?.check(with: settings.key))
            try row.insert(connection)
            return row
        }
    }

    private static let safety = PostgresStatement(
        "safety",
        """
        SELECT current_setting('fsync')::boolean, current_setting('full_page_writes')::boolean,
            current_setting('synchronous_standby_names') <> ''
            OR NOT EXISTS (SELECT FROM pg_stat_replication)
        """)

    private func warnings(_ connection: PostgresConnection) throws(StoreError) -> [String] {
        let rows = try connection.execute(Self.safety)
        let lines = [
            "PostgreSQL: fsync is off: a machine that fails takes what was acknowledged with it",
            "PostgreSQL: full_page_writes is off: a machine that fails may damage the database",
            "PostgreSQL: it has standbys and none is in synchronous_standby_names: one that takes "
                + "over may lack what was acknowledged",
        ]
        return lines.enumerated().filter { !rows.bool(0, $0.offset) }.map(\.element)
    }

    // MARK: The member

    private static let predecessors = PostgresStatement(
        "predecessors",
        "SELECT id, name, daemon FROM member WHERE instance = $1::text::uuid AND state <> 'gone'")
    private static let holder = PostgresStatement(
        "holder",
        "SELECT id, daemon, instance::text FROM member WHERE name = $1::text AND state <> 'gone'")
    private static let insert = PostgresStatement(
        "insert_member",
        """
        WITH new AS (INSERT INTO member (instance, name, daemon, endpoints, weight)
          SELECT $1::text::uuid, $2::text, $3::text, jsonb_build_object(
            'events', $4::text[], 'updates', $5::text[], 'control', $6::text[],
            'push', $10::text[]), $7::int
            FROM cluster WHERE layout = $9::int
          RETURNING id)
        INSERT INTO lease SELECT id, clock_timestamp() + $8::float8 * interval '1 s' FROM new
        RETURNING member
        """)
    /// Leases of members that are gone, and their rows after a day: nobody names them any more.
    private static let tidy = PostgresStatement(
        "tidy",
        """
        WITH leases AS (DELETE FROM lease l WHERE NOT EXISTS (
          SELECT FROM member m WHERE m.id = l.member AND m.state <> 'gone'))
        DELETE FROM member WHERE state = 'gone' AND joined < clock_timestamp() - interval '1 day'
        """)

    /// Inserts the member; nil: another one has its name.
    private func insert(_ connection: PostgresConnection) throws(StoreError) -> Int? {
        let member = settings.member
        // Only one daemon at a time holds a state directory: who ran from it is dead.
        let former = try connection.execute(
            Self.predecessors, PostgresParameters().text(member.instance))
        for row in 0..<former.count {
            // This one has run all along, and the other one has ended it.
            guard !isAgain || former.text(row, 2) == member.daemon else {
                throw instanceIsTaken(by: former.text(row, 1))
            }
            if try connection.end(former.int(row, 0), by: .end) { try connection.tellOthers() }
        }
        // Nobody else may be there to end it.
        let holders = try connection.execute(Self.holder, PostgresParameters().text(member.name))
        for row in 0..<holders.count {
            if try connection.end(holders.int(row, 0), by: .fence) { try connection.tellOthers() }
        }
        do throws(StoreError) {
            let rows = try connection.execute(
                Self.insert,
                PostgresParameters().text(member.instance).text(member.name).text(member.daemon)
                    .texts(member.endpoints.events).texts(member.endpoints.updates)
                    .texts(member.endpoints.control).integer(member.weight)
                    .double(settings.lease).integer(ClusterSchema.migrations.count)
                    .texts(member.endpoints.push))
            try connection.confirm()
            guard rows.count == 1 else {
                // Somebody migrates the tables at this moment.
                throw StoreError(.unavailable, "PostgreSQL: the member was not taken")
            }
            _ = try connection.execute(Self.tidy)
            return rows.int(0, 0)
        } catch {
            guard connection.failureCode == "23505" else { throw error }
            return nil
        }
    }

    private func holder(_ connection: PostgresConnection) throws(StoreError) -> String {
        let rows = try connection.execute(
            Self.holder, PostgresParameters().text(settings.member.name))
        guard rows.count > 0 else { return "another one" }
        return "member \(rows.int(0, 0)), daemon \(rows.text(0, 1))"
    }

    private func instanceIsTaken(by name: String) -> StoreError {
        StoreError(
            .forbidden,
            "PostgreSQL: \(name) runs from a copy of this daemon's state directory; stop it, and "
                + "remove the file instance from its state directory")
    }

    private func nameIsTaken(_ holder: String) -> StoreError {
        StoreError(
            .forbidden,
            "PostgreSQL: the name \(settings.member.name) is taken by \(holder); give this daemon "
                + "another one by [cluster] name")
    }
}
