/// Where others reach the sockets of a member.
package struct MemberEndpoints: Hashable, Sendable {
    package var events: [String]
    /// For a PUSH; empty: there is none, as of a member of before it.
    package var push: [String]
    package var updates: [String]
    package var control: [String]

    package init(
        events: [String], push: [String] = [], updates: [String], control: [String]
    ) {
        self.events = events
        self.push = push
        self.updates = updates
        self.control = control
    }
}

/// One run of a daemon among several that share a database.
package struct MemberRow: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case live
        /// It hands its shards over, and gets none.
        case leaving
        /// It ended, or was fenced: its shards are free.
        case gone
    }

    /// Given by the database, and never used again.
    package var id: Int
    /// The state directory from which it runs, by a UUID.
    package var instance: String
    package var name: String
    /// The epoch of the daemon's own topics.
    package var daemon: String
    package var endpoints: MemberEndpoints
    /// Its share of the shards, beside those of others; 0: it owns none.
    package var weight: Int
    package var state: State
    /// Whether its lease has expired, by the database's clock.
    package var isLate: Bool

    package init(
        id: Int, instance: String, name: String, daemon: String, endpoints: MemberEndpoints,
        weight: Int, state: State, isLate: Bool
    ) {
        self.id = id
        self.instance = instance
        self.name = name
        self.daemon = daemon
        self.endpoints = endpoints
        self.weight = weight
        self.state = state
        self.isLate = isLate
    }
}

/// A shard as the database has it.
package struct ShardRow: Hashable, Sendable {
    package var number: Int
    /// The member that owned it last; nil: nobody yet. Only one that is not gone owns it still.
    package var owner: Int?
    /// How often it has changed hands.
    package var epoch: Int
    /// No session of the shard that is new begins its versions below it: an heir learns it here.
    package var floor: Int

    package init(number: Int, owner: Int?, epoch: Int, floor: Int = 0) {
        self.number = number
        self.owner = owner
        self.epoch = epoch
        self.floor = floor
    }
}

/// A shard in the hands of its owner.
package struct ShardRight: Hashable, Sendable {
    package var number: Int
    /// How often the shard has changed hands, with this owner's turn.
    package var epoch: Int
    /// No session of the shard that is new begins its versions below it.
    package var floor: Int

    package init(number: Int, epoch: Int, floor: Int) {
        self.number = number
        self.epoch = epoch
        self.floor = floor
    }
}

/// A member's lease is renewed.
package struct Renewal: Hashable, Sendable {
    /// The database's time in microseconds since the Unix epoch.
    package var clock: Int
    /// The sum of all shards' epochs: it changes whenever a shard changes hands.
    package var version: Int

    package init(clock: Int, version: Int) {
        self.clock = clock
        self.version = version
    }
}
