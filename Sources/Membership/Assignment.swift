/// Decides which member should own which shard.
///
/// Each live member has its share by weight, rounded down or up so that all shards are given; a
/// member of weight 0, or one that leaves, has none. Shares are rounded up for those that have the
/// most above their share already, then in the order of their names' bytes. A member keeps its
/// first shards up to its share; what is spare goes, in the order of numbers, to the members that
/// lack some, in the order of their names. So the fewest shards move, and planning upon a plan's
/// result moves none; nor does a plan made half-way move more than the first one.
///
/// It depends on the rows alone and not on their order: all members that read the same rows come to
/// the same plan. The work is one pass over the shards, some tens of nanoseconds each.
package enum Assignment {
    /// The greatest weight; a greater one counts as this. It is enough to tell any two machines
    /// apart, and products with it stay small.
    package static let weightMax = 1_000

    /// Returns the owner that each shard should have, in the order of the shards' numbers; nil if
    /// no member may own any.
    package static func owners(of shards: [ShardRow], among members: [MemberRow]) -> [Int?] {
        let heirs = members.filter { $0.state == .live && $0.weight > 0 }
            .sorted { $0.name.isBefore($1.name) || ($0.name == $1.name && $0.id < $1.id) }
        guard !heirs.isEmpty else { return Array(repeating: nil, count: shards.count) }
        var places: [Int: Int] = [:]
        for (place, heir) in heirs.enumerated() { places[heir.id] = place }
        let sorted = inOrder(shards)
        let holders = holders(of: sorted, places)
        var had = Array(repeating: 0, count: heirs.count)
        for holder in holders where holder >= 0 { had[holder] += 1 }
        var room = shares(of: heirs.map { min($0.weight, weightMax) }, had, shards.count)
        var owners = [Int?](repeating: nil, count: sorted.count)
        var spare: [Int] = []
        for (index, holder) in holders.enumerated() {
            if holder >= 0, room[holder] > 0 {
                room[holder] -= 1
                owners[index] = heirs[holder].id
            } else {
                spare.append(index)
            }
        }
        var place = 0
        for index in spare {
            while room[place] == 0 { place += 1 }
            room[place] -= 1
            owners[index] = heirs[place].id
        }
        return owners
    }

    private static func inOrder(_ shards: [ShardRow]) -> [ShardRow] {
        for index in shards.indices.dropFirst()
        where shards[index].number < shards[index - 1].number {
            return shards.sorted { $0.number < $1.number }
        }
        return shards
    }

    /// The place of each shard's owner among the heirs; -1: it has none.
    private static func holders(of shards: [ShardRow], _ places: [Int: Int]) -> [Int] {
        var last: (owner: Int?, place: Int) = (nil, -1)
        return shards.map { shard in
            // Neighbours often have one owner.
            if shard.owner != last.owner {
                last = (shard.owner, shard.owner.flatMap { places[$0] } ?? -1)
            }
            return last.place
        }
    }

    /// How many shards each heir should have: its ideal share, rounded down or up.
    private static func shares(of weights: [Int], _ had: [Int], _ count: Int) -> [Int] {
        let total = weights.reduce(0, +)
        var shares = weights.map { count * $0 / total }
        let left = count - shares.reduce(0, +)
        let above = weights.indices.filter { count * weights[$0] % total > 0 }
            .sorted {
                let (first, second) = (had[$0] - shares[$0], had[$1] - shares[$1])
                return first != second ? first > second : $0 < $1
            }
        for place in above.prefix(left) { shares[place] += 1 }
        return shares
    }
}

extension String {
    /// The order of bytes: the same in every locale and as in the database.
    fileprivate func isBefore(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
