package import Membership

/// Sessions in a PostgreSQL database that several daemons share, and this daemon's place there.
///
/// Three connections: `lease` for membership, `commit` for changes, `read` for questions. Each
/// commit names the member and the generation of its connection, and changes nothing unless the
/// database still has both: so whoever fences a member, or makes a connection anew, has the last
/// word over everything sent before. `StoreFence.writer` is the member's id; the engine adds
/// the connection's generation itself.
///
/// Store and cluster calls may come from different threads at one time.
package final class PostgresEngine: Store, Sendable {
    package let identity: StoreIdentity
    package let tag: String
    package let shards: Int
    /// Why acknowledged changes may be lost all the same, as it was at the start, a line each.
    package let warnings: [String]
    /// The first generation of a member's stands in its row from the beginning.
    package let hasBegun = true
    let settings: ClusterSettings
    let seat: Seat
    let lease: ReconnectingConnection
    private let commits: ReconnectingConnection
    let questions: PostgresQuestions

    init(_ settings: ClusterSettings, _ joined: JoinedCluster) {
        self.settings = settings
        identity = StoreIdentity(key: joined.key, versionFloor: 0, generation: 0)
        tag = joined.tag
        shards = joined.shards
        warnings = joined.warnings
        let seat = Seat(Seat.Holder(member: joined.member, generation: 1))
        func connection(_ purpose: ReconnectingConnection.Purpose) -> ReconnectingConnection {
            ReconnectingConnection(purpose, settings.target, settings.durability, seat)
        }
        self.seat = seat
        lease = connection(.lease)
        commits = connection(.commit)
        questions = PostgresQuestions(connection(.read), seat)
    }

    deinit { end() }

    private func end() {
        seat.close()
        questions.close()
        commits.close()
        lease.close()
    }

    /// Joins the members of a database, which gets its tables if it has none. Throws
    /// `unavailable` if another member holds the name all the time, `newer` and `otherKey`
    /// as a file does.
    package static func join(_ settings: ClusterSettings) throws(StoreError) -> PostgresEngine {
        PostgresEngine(settings, try ClusterJoin(settings, isAgain: false).run())
    }

    /// Joins anew, as another member, once this one is lost. Its owner drops the changes that were
    /// gathered for the former: a commit under that fence throws `notOwner`.
    package func rejoin() throws(StoreError) -> Int {
        let joined = try ClusterJoin(settings, isAgain: true).run()
        guard joined.tag == tag, joined.shards == shards, joined.key == identity.key else {
            throw StoreError(
                .displaced, "PostgreSQL: another database stands in its place; restart to go on")
        }
        seat.take(Seat.Holder(member: joined.member, generation: 1))
        return joined.member
    }

    package var figures: ClusterFigures { seat.counts }

    package var fence: StoreFence { StoreFence(writer: seat.member) }

    package func commit(_ commit: StoreCommit) throws(StoreError) {
        var isBegun = false
        for step in CommitPart.steps(for: commit.changes) {
            do throws(StoreError) {
                try write(step, of: commit.fence.writer)
            } catch {
                // A part is durable: nobody may take it for refused. The next trial is, wholly.
                guard isBegun, error.kind == .notOwner else { throw error }
                throw StoreError(.unavailable, "\(error); a part of the commit is durable")
            }
            isBegun = true
        }
    }

    private func write(_ step: CommitPart.Step, of member: Int) throws(StoreError) {
        try commits.use { connection, holder throws(StoreError) in
            guard holder.member == member else { throw Seat.lost(member) }
            let taken: Int
            do throws(StoreError) {
                taken = try perform(step, connection, holder)
            } catch {
                if !connection.isOpen { seat.countUnknown() }
                throw error
            }
            if connection.wasWarned {
                connection.close()
                seat.countUnknown()
                throw StoreError(
                    .unavailable, "PostgreSQL: a wait for the standby was cut short")
            }
            guard taken == 1 else { throw try commits.judge(connection, holder) }
        }
    }

    private func perform(
        _ step: CommitPart.Step, _ connection: PostgresConnection, _ holder: Seat.Holder
    ) throws(StoreError) -> Int {
        switch step {
        case .write(let part):
            let parameters = part.parameters(
                member: holder.member, generation: holder.generation,
                touchedStep: settings.touchedStep)
            return try connection.execute(.commit, parameters).int(0, 0)
        case .refresh(let range, let time):
            let parameters = PostgresParameters().bigint(holder.member).bigint(holder.generation)
                .bigint(range.lowerBound).bigint(range.upperBound)
                .bigint(time.roundedDown(to: settings.touchedStep))
            return try connection.execute(.refresh, parameters).int(0, 0)
        }
    }

    /// The database tells by itself when it takes a commit.
    package func check() {}

    package func makeReader() throws(StoreError) -> any StoreReader {
        PostgresReader(self)
    }

    /// Ends this member, if nobody has, and closes all connections.
    package func close() throws(StoreError) {
        defer { end() }
        do throws(StoreError) {
            try setGone()
        } catch {
            guard error.kind == .notOwner else { throw error }
        }
    }
}

/// The row of a daemon that joins.
package struct NewMember: Hashable, Sendable {
    /// The state directory from which it runs, by a UUID.
    package var instance: String
    package var name: String
    /// The epoch of the daemon's own topics.
    package var daemon: String
    package var endpoints: MemberEndpoints
    package var weight: Int

    package init(
        instance: String, name: String, daemon: String, endpoints: MemberEndpoints, weight: Int
    ) {
        self.instance = instance
        self.name = name
        self.daemon = daemon
        self.endpoints = endpoints
        self.weight = weight
    }
}

/// How a daemon joins, and joins again.
package struct ClusterSettings: Sendable {
    package var target: PostgresTarget
    package var member: NewMember
    /// For a new database, as `key`.
    package var shards: Int
    package var key: UInt128
    package var secret: Secret?
    package var durability: SQLiteStore.Durability
    /// Seconds of the first lease.
    package var lease: Double
    /// Seconds for which a name that another member holds is tried: that one may have died, and be
    /// ended once its lease is over.
    package var nameSeconds = 5.0
    /// Seconds to which times of use are rounded down, so that few writes move a row in its index.
    package var touchedStep: Int
    /// No shard begins its versions above it.
    package var floorMax: Int
    /// Versions that each owner of a shard leaves out.
    package var versionsALife: Int

    package init(
        target: PostgresTarget, member: NewMember, shards: Int = 256, key: UInt128,
        secret: Secret? = nil, durability: SQLiteStore.Durability = .full, lease: Double = 1.5,
        touchedStep: Int = 1, floorMax: Int = .max, versionsALife: Int = 0
    ) {
        self.target = target
        self.member = member
        self.shards = shards
        self.key = key
        self.secret = secret
        self.durability = durability
        self.lease = lease
        self.touchedStep = touchedStep
        self.floorMax = floorMax
        self.versionsALife = versionsALife
    }
}
