import Membership

/// The past of the shards, to judge what happens next.
struct ClusterRecord: Sendable {
    /// The epoch in which each shard was opened last.
    private var openedEpochs: [Int]
    private var storedEpochs: [Int]
    /// Epochs in which a motion went on, by its token.
    private var restored: [Int: Int] = [:]

    init(shards: Int = 0) {
        openedEpochs = Array(repeating: 0, count: shards)
        storedEpochs = openedEpochs
    }

    mutating func note(_ database: ClusterDatabase, _ violations: inout [String]) {
        for shard in database.shards {
            if shard.epoch < storedEpochs[shard.number] {
                violations.append("shard \(shard.number) falls to epoch \(shard.epoch)")
            }
            storedEpochs[shard.number] = shard.epoch
        }
    }

    /// A member's lanes open a shard.
    mutating func opened(_ right: ShardRight, _ violations: inout [String]) {
        if right.epoch <= openedEpochs[right.number] {
            violations.append("shard \(right.number) is opened again in epoch \(right.epoch)")
        }
        openedEpochs[right.number] = right.epoch
    }

    mutating func restored(_ token: Int, by right: ShardRight, _ violations: inout [String]) {
        if let epoch = restored.updateValue(right.epoch, forKey: token), epoch != right.epoch {
            violations.append(
                "motion \(token) goes on in epoch \(right.epoch) after \(epoch)")
        }
    }
}

extension SimulatedCluster {
    /// Whether a daemon tells of a shard as its owner.
    private func tells(_ daemon: SimulatedDaemon, _ shard: Int) -> Bool {
        guard daemon.isRunning, daemon.pausedUntil <= now,
            case .open = daemon.lanes.shards[shard]
        else { return false }
        return without.contains(.deadline) || (daemon.life?.isLeased(at: now) ?? false)
    }

    /// Checks what must hold at any time.
    mutating func check() {
        guard violations.isEmpty else { return }
        for shard in database.shards.indices {
            let tellers = daemons.filter { tells($0, shard) }
            if tellers.count > 1 {
                let places = tellers.map { "\($0.place)" }.joined(separator: " and ")
                violations.append("daemons \(places) tell of shard \(shard) at \(now)")
            }
        }
    }

    /// Shards of which nobody tells as their owner.
    package var unowned: [Int] {
        database.shards.indices.filter { shard in !daemons.contains { tells($0, shard) } }
    }

    /// How many shards each running daemon has open.
    package var shares: [Int] {
        daemons.filter(\.isRunning).map { daemon in
            database.shards.indices.count { tells(daemon, $0) }
        }
    }

    /// Checks the end: what is acknowledged is counted, once.
    package mutating func audit() {
        var counted: Set<Int> = []
        for (shard, session) in database.sessions.sorted(by: { $0.key < $1.key }) {
            for id in session.counted where !counted.insert(id).inserted {
                violations.append("publish \(id) counts twice in shard \(shard)")
            }
        }
        for id in acknowledged.subtracting(counted).sorted() {
            violations.append("publish \(id) is acknowledged and lost")
        }
        for id in open.keys.sorted() { violations.append("publish \(id) is not acknowledged") }
    }
}
