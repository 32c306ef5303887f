/// Members and the shards that they own, as one member knows them: what clients are told.
package struct ClusterMap: Hashable, Sendable {
    /// This member's id.
    package var member: Int
    /// The sum of the shards' epochs: the greater map is the later one.
    package var version: Int
    /// All that are not gone, by their ids.
    package var members: [MemberRow]
    /// The owner of each shard; nil while nobody owns it.
    package var owners: [Int?]

    package init(member: Int, version: Int, members: [MemberRow], owners: [Int?]) {
        self.member = member
        self.version = version
        self.members = members.sorted { $0.id < $1.id }
        self.owners = owners
    }

    package func owner(of shard: Int) -> MemberRow? {
        guard owners.indices.contains(shard), let owner = owners[shard] else { return nil }
        return members.first { $0.id == owner }
    }

    package func isMine(_ shard: Int) -> Bool {
        owners.indices.contains(shard) && owners[shard] == member
    }

    /// How many shards a member owns.
    package func shardCount(of member: Int) -> Int { owners.count { $0 == member } }
}
