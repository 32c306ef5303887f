package import Membership

/// Rules that keep a cluster's promises. A simulation without one of them shows what it is for.
package enum ClusterGuard: CaseIterable, Sendable {
    /// A fence ends the generation of the member's commits.
    case fence
    /// New connections end the generation of the former ones' commits.
    case generation
    /// Likewise for the hand-overs that they sent.
    case handOverGeneration
    /// Nobody is fenced for one lease after the database was away.
    case quietLease
    /// Motion goes on in the epoch for which it was exported, and in no other.
    case motionFor
    /// A lane whose lease is over asks before it tells.
    case deadline
}

/// The database of several daemons, as far as they share it: one session for each shard.
///
/// Each statement is one step, as it is one transaction there.
package struct ClusterDatabase: Sendable {
    package struct Member: Hashable, Sendable {
        package var row: MemberRow
        package var generation = 1
        /// Nanoseconds.
        package var expires: Int
    }

    package struct Motion: Hashable, Sendable {
        /// Each hand-over of a session in mid-air has its own.
        package var token: Int
        /// The epoch in which it goes on.
        package var epoch: Int
    }

    /// A session: the publishes that it counts, and its motion if it was handed over in mid-air.
    package struct Session: Hashable, Sendable {
        package var counted: [Int] = []
        package var motion: Motion?
    }

    package enum Statement: Sendable {
        /// Ends the member that ran from the same folder, and begins another.
        case join(instance: String, lease: Int)
        case reconnect(member: Int, generation: Int)
        case call(MemberLife.Call, member: Int, generation: Int, lease: Int)
        case commit([Int: Session], member: Int, generation: Int)
        case read([ShardRight], member: Int, generation: Int)

        /// Nil: it does no harm, however late it comes.
        var kind: ClusterStatementKind? {
            switch self {
            case .commit: .commit
            case .call(.handOver, _, _, _): .handOver
            case .join, .reconnect, .call, .read: nil
            }
        }

        /// The one that sends it.
        package var member: Int? {
            switch self {
            case .join: nil
            case .reconnect(let member, _), .call(_, let member, _, _),
                .commit(_, let member, _), .read(_, let member, _):
                member
            }
        }
    }

    package enum Reply: Sendable {
        case answer(MemberLife.Answer)
        case reconnected(generation: Int)
        case committed
        /// Those that stand there, by their shards.
        case sessions([Int: Session])
        /// The member's generation is another.
        case refused
    }

    package private(set) var members: [Int: Member] = [:]
    package private(set) var shards: [ShardRow]
    package private(set) var sessions: [Int: Session] = [:]
    /// Statements that have others look again.
    package private(set) var news = 0
    private let without: Set<ClusterGuard>

    package init(shards: Int, without: Set<ClusterGuard>) {
        self.shards = (0..<shards).map { ShardRow(number: $0, owner: nil, epoch: 0) }
        self.without = without
    }

    package mutating func run(_ statement: Statement, at now: Int) -> Reply {
        switch statement {
        case .join(let instance, let lease):
            return .answer(.joined(join(instance, lease: lease, at: now)))
        case .reconnect(let member, let generation):
            guard let row = members[member], row.row.state != .gone, row.generation == generation
            else { return .refused }
            if !without.contains(.generation) { members[member]?.generation += 1 }
            return .reconnected(generation: members[member]?.generation ?? generation)
        case .call(let call, let member, let generation, let lease):
            return .answer(run(call, member, generation, lease: lease, at: now))
        case .commit(let changes, let member, let generation):
            guard members[member]?.generation == generation else { return .refused }
            sessions.merge(changes) { $1 }
            return .committed
        case .read(let rights, let member, let generation):
            guard members[member]?.generation == generation else { return .refused }
            return .sessions(read(rights))
        }
    }

    /// An owner sees motion that is meant for its own epoch, and no other.
    private func read(_ rights: [ShardRight]) -> [Int: Session] {
        var found: [Int: Session] = [:]
        for right in rights {
            guard var session = sessions[right.number] else { continue }
            if session.motion?.epoch != right.epoch, !without.contains(.motionFor) {
                session.motion = nil
            }
            found[right.number] = session
        }
        return found
    }

    private mutating func join(_ instance: String, lease: Int, at now: Int) -> Int {
        for (id, member) in members where member.row.instance == instance { end(id) }
        let id = members.count + 1
        let endpoints = MemberEndpoints(events: [], updates: [], control: [])
        let row = MemberRow(
            id: id, instance: instance, name: instance, daemon: "d\(id)", endpoints: endpoints,
            weight: 1, state: .live, isLate: false)
        members[id] = Member(row: row, expires: now + lease)
        return id
    }

    private mutating func end(_ id: Int) {
        guard members[id]?.row.state != .gone else { return }
        members[id]?.row.state = .gone
        if !without.contains(.fence) { members[id]?.generation += 1 }
        news += 1
    }

    // MARK: Calls

    private mutating func run(
        _ call: MemberLife.Call, _ member: Int, _ generation: Int, lease: Int, at now: Int
    ) -> MemberLife.Answer {
        switch call {
        case .join: return .failed
        case .renew:
            guard isHere(member) else { return .lost }
            members[member]?.expires = now + lease
            let version = shards.reduce(0) { $0 + $1.epoch }
            return .renewed(Renewal(clock: now / 1_000, version: version))
        case .members: return .members(rows(at: now))
        case .shards: return .shards(shards)
        case .fence(let late):
            guard isHere(late), let row = members[late], row.expires < now else {
                return .fenced(false)
            }
            end(late)
            return .fenced(true)
        case .claim(let wanted): return .claimed(claim(wanted, by: member))
        case .handOver(let given, let heir):
            let isFormer = members[member]?.generation != generation
            if isFormer, !without.contains(.handOverGeneration) { return .lost }
            return .handedOver(handOver(given, from: member, to: heir))
        case .setLeaving:
            guard isHere(member) else { return .lost }
            members[member]?.row.state = .leaving
            return .done
        case .setGone:
            end(member)
            return .done
        }
    }

    private func isHere(_ member: Int) -> Bool {
        members[member].map { $0.row.state != .gone } ?? false
    }

    private func rows(at now: Int) -> [MemberRow] {
        members.values.filter { $0.row.state != .gone }
            .map { member in
                var row = member.row
                row.isLate = member.expires < now
                return row
            }
            .sorted { $0.id < $1.id }
    }

    private mutating func claim(_ wanted: [ShardRow], by member: Int) -> [ShardRight] {
        var rights: [ShardRight] = []
        for row in wanted {
            let now = shards[row.number]
            guard now.epoch == row.epoch, !(now.owner.map(isHere) ?? false) else { continue }
            shards[row.number].owner = member
            shards[row.number].epoch += 1
            rights.append(ShardRight(number: row.number, epoch: now.epoch + 1, floor: now.floor))
        }
        if !rights.isEmpty { news += 1 }
        return rights
    }

    private mutating func handOver(
        _ given: [Int], from member: Int, to heir: Int
    ) -> [ShardRow] {
        guard members[heir]?.row.state == .live else { return [] }
        var rows: [ShardRow] = []
        for number in given where shards[number].owner == member {
            shards[number].owner = heir
            shards[number].epoch += 1
            rows.append(shards[number])
        }
        if !rows.isEmpty { news += 1 }
        return rows
    }
}
