/// The members and shards as this member has read them last.
struct ClusterView: Hashable, Sendable {
    /// All that are not gone.
    private(set) var members: [MemberRow] = []
    /// By number; empty until they are read.
    private(set) var shards: [ShardRow] = []
    /// Owners that stood in the shards before the members were read: those that are not among the
    /// members are gone. Another owner may have joined since.
    private var judged: Set<Int> = []
    /// Since when each shard has been free; nil: it has an owner.
    private var freeSince: [Int?] = []
    private var plan: [Int?]?
    /// Whether the shards must be read even if their version is that of the last reading.
    var isStale = true

    /// The sum of the epochs.
    private(set) var version = 0

    func has(_ member: Int) -> Bool { members.contains { $0.id == member } }

    func row(of member: Int) -> MemberRow? { members.first { $0.id == member } }

    mutating func read(_ rows: [MemberRow]) {
        judged = Set(shards.lazy.compactMap(\.owner))
        guard rows != members else { return }
        members = rows
        plan = nil
    }

    /// False, having changed nothing, unless each number is there once.
    mutating func read(_ rows: [ShardRow], count: Int) -> Bool {
        let rows = rows.sorted { $0.number < $1.number }
        guard rows.count == count, rows.indices.allSatisfy({ rows[$0].number == $0 }) else {
            return false
        }
        if freeSince.isEmpty { freeSince = Array(repeating: nil, count: count) }
        shards = rows
        version = rows.reduce(0) { $0 + $1.epoch }
        isStale = false
        plan = nil
        return true
    }

    /// A member was fenced.
    mutating func remove(_ member: Int) {
        members.removeAll { $0.id == member }
        judged.insert(member)
        plan = nil
    }

    mutating func setLeaving(_ member: Int) {
        for index in members.indices where members[index].id == member {
            members[index].state = .leaving
        }
        plan = nil
    }

    /// A shard has changed hands by this member's own call.
    mutating func give(_ shard: Int, to owner: Int, epoch: Int) {
        version += epoch - shards[shard].epoch
        shards[shard].owner = owner
        shards[shard].epoch = epoch
        freeSince[shard] = nil
        plan = nil
    }

    /// Whether every shard is known to have an owner or none; if not, the members must be read
    /// again.
    var isClear: Bool {
        let known = judged.union(members.map(\.id))
        return shards.allSatisfy { shard in shard.owner.map(known.contains) ?? true }
    }

    /// Notes which shards are free at this time.
    mutating func note(at now: Int) {
        let ids = Set(members.map(\.id))
        for index in shards.indices {
            if let owner = shards[index].owner, ids.contains(owner) {
                freeSince[index] = nil
            } else if freeSince[index] == nil {
                freeSince[index] = now
            }
        }
    }

    /// Free shards that the plan gives to a member, or that have been free since `before`: whoever
    /// the plan gave them to did not take them.
    mutating func claims(of member: Int, before: Int) -> [ShardRow] {
        let plan = owners()
        return shards.filter { shard in
            guard let since = freeSince[shard.number] else { return false }
            return plan[shard.number] == member || since <= before
        }
    }

    /// The owner that each shard should have.
    mutating func owners() -> [Int?] {
        if let plan { return plan }
        let made = Assignment.owners(of: shards, among: members)
        plan = made
        return made
    }

    /// Whether anybody else could take a shard.
    func hasHeir(beside member: Int) -> Bool {
        members.contains { $0.id != member && $0.mayInherit }
    }
}

extension MemberRow {
    /// Whether it may be given a shard now.
    var mayInherit: Bool { state == .live && weight > 0 && !isLate }
}
