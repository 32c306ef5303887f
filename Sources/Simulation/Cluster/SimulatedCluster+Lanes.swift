import Geometry
import Membership

/// Lanes and publishers.
extension SimulatedCluster {
    // MARK: Shards

    /// Reads what is stored of the shards, before anything else happens to them.
    mutating func come(_ rights: [ShardRight], _ place: Int) {
        for right in rights { daemons[place].lanes.shards[right.number] = .coming(right) }
        ask(for: rights, place)
    }

    private mutating func ask(for rights: [ShardRight], _ place: Int) {
        guard daemons[place].line.connections == .open, !rights.isEmpty,
            let member = daemons[place].life?.member
        else { return }
        let generation = daemons[place].line.generation
        send(
            .read(rights, member: member, generation: generation), for: .read(rights), place)
    }

    /// After the connections were made anew.
    mutating func readAnew(_ place: Int) {
        let rights = daemons[place].lanes.shards.compactMap { lane -> ShardRight? in
            if case .coming(let right) = lane { right } else { nil }
        }
        ask(for: rights, place)
    }

    mutating func read(
        _ sessions: [Int: ClusterDatabase.Session], _ rights: [ShardRight], _ place: Int
    ) {
        for right in rights where daemons[place].lanes.shards[right.number] == .coming(right) {
            let stored = sessions[right.number] ?? ClusterDatabase.Session()
            var session = SimulatedDaemon.Session(counted: stored.counted)
            if let motion = stored.motion {
                record.restored(motion.token, by: right, &violations)
                session.rests = now + Times.motion
                // It is put anew without its motion.
                session.isDirty = true
            }
            daemons[place].lanes.sessions[right.number] = session
            daemons[place].lanes.shards[right.number] = .open(right)
            record.opened(right, &violations)
        }
        report(.taken(rights), place)
        deliverHeld(place)
        store(place)
    }

    mutating func prepare(_ handOver: MemberLife.HandOver, _ place: Int) {
        for right in handOver.rights {
            daemons[place].lanes.shards[right.number] = .going(right)
            guard let session = daemons[place].lanes.sessions[right.number], session.rests > now
            else { continue }
            exportsMade += 1
            daemons[place].lanes.sessions[right.number]?.export = exportsMade
            daemons[place].lanes.sessions[right.number]?.isDirty = true
        }
        daemons[place].lanes.handOver = handOver
        store(place)
    }

    mutating func keep(_ handOver: MemberLife.HandOver, _ place: Int) {
        daemons[place].lanes.handOver = nil
        for right in handOver.rights {
            daemons[place].lanes.shards[right.number] = .open(right)
            guard daemons[place].lanes.sessions[right.number]?.export != nil else { continue }
            daemons[place].lanes.sessions[right.number]?.export = nil
            daemons[place].lanes.sessions[right.number]?.isDirty = true
        }
        deliverHeld(place)
        store(place)
    }

    mutating func drop(_ shards: [Int], _ place: Int) {
        let dropped = Set(shards)
        daemons[place].lanes.handOver = nil
        for shard in shards {
            daemons[place].lanes.shards[shard] = .away
            daemons[place].lanes.sessions[shard] = nil
        }
        daemons[place].lanes.unanswered.removeAll { dropped.contains($0.shard) }
        deliverHeld(place)
    }

    private mutating func deliverHeld(_ place: Int) {
        let held = daemons[place].lanes.held
        daemons[place].lanes.held = []
        for publish in held { deliver(publish, to: place) }
    }

    // MARK: Publishers

    package mutating func publish(to shard: Int, moves: Bool, at time: Int) {
        publishesMade += 1
        let publish = Publish(id: publishesMade, shard: shard, moves: moves)
        queue.add(.publish(publish, attempt: 0), at: time)
    }

    /// Asks any member for the owner, and goes there; tries again until it is acknowledged.
    mutating func send(_ publish: Publish, _ attempt: Int) {
        guard !acknowledged.contains(publish.id), attempt == open[publish.id] ?? 0 else { return }
        open[publish.id] = attempt + 1
        let asked = random.whole(in: 0...daemons.count - 1)
        let owner = daemons[asked].pausedUntil > now ? nil : daemons[asked].life
        let target = owner?.owner(of: publish.shard).flatMap { row in
            daemons.firstIndex { $0.life?.member == row.id }
        }
        if let target { queue.add(.deliver(publish, daemon: target), at: now + latency()) }
        let patience = target == nil ? Times.reconnect : Times.publisher
        queue.add(.publish(publish, attempt: attempt + 1), at: now + patience)
    }

    mutating func deliver(_ publish: Publish, to place: Int) {
        guard daemons[place].isRunning else { return }
        let lanes = daemons[place].lanes
        switch lanes.isFinishing ? .away : lanes.shards[publish.shard] {
        case .away:
            // It is told where to go.
            let attempt = open[publish.id] ?? 0
            queue.add(.publish(publish, attempt: attempt), at: now + Times.reconnect)
        case .coming, .going: daemons[place].lanes.held.append(publish)
        case .open: apply(publish, place)
        }
    }

    private mutating func apply(_ publish: Publish, _ place: Int) {
        guard var session = daemons[place].lanes.sessions[publish.shard] else { return }
        if !session.counted.contains(publish.id) {
            session.counted.append(publish.id)
            session.isDirty = true
            if publish.moves { session.rests = now + Times.motion }
            daemons[place].lanes.sessions[publish.shard] = session
        }
        daemons[place].lanes.unanswered.append(publish)
        store(place)
    }

    // MARK: Commits

    /// Commits what waits, one commit at a time.
    mutating func store(_ place: Int) {
        let lanes = daemons[place].lanes
        guard lanes.commit == nil, let member = daemons[place].life?.member else { return }
        guard lanes.sessions.values.contains(where: \.isDirty) || !lanes.unanswered.isEmpty else {
            return reportStored(place)
        }
        guard daemons[place].line.connections == .open else { return }
        var changes: [Int: ClusterDatabase.Session] = [:]
        for (shard, session) in lanes.sessions where session.isDirty {
            guard let right = lanes.shards[shard].right else { continue }
            let motion = session.export.map {
                ClusterDatabase.Motion(token: $0, epoch: right.epoch + 1)
            }
            changes[shard] = ClusterDatabase.Session(counted: session.counted, motion: motion)
            daemons[place].lanes.sessions[shard]?.isDirty = false
        }
        daemons[place].lanes.commit = .init(changes: changes, answers: lanes.unanswered)
        daemons[place].lanes.unanswered = []
        let generation = daemons[place].line.generation
        send(.commit(changes, member: member, generation: generation), for: .commit, place)
    }

    mutating func committed(_ place: Int) {
        guard let commit = daemons[place].lanes.commit else { return }
        daemons[place].lanes.commit = nil
        for publish in commit.answers {
            acknowledged.insert(publish.id)
            open[publish.id] = nil
        }
        store(place)
    }

    /// Nobody knows the outcome: its rows are put again, its publishers repeat.
    mutating func failCommit(_ place: Int) {
        guard let commit = daemons[place].lanes.commit else { return }
        daemons[place].lanes.commit = nil
        for shard in commit.changes.keys {
            daemons[place].lanes.sessions[shard]?.isDirty = true
        }
    }

    private mutating func reportStored(_ place: Int) {
        let lanes = daemons[place].lanes
        if let handOver = lanes.handOver {
            daemons[place].lanes.handOver = nil
            report(.prepared(handOver.number), place)
        }
        if lanes.isFinishing { report(.finished, place) }
    }
}
