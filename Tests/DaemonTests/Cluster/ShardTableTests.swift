import Geometry
import Membership
import Notation
import Store
import StoreSupport
import Testing

@testable import Daemon

/// Orders of membership, and where a shard is after them.
@Suite(.enabled(if: PostgresServer.isMissing == nil, "PostgreSQL is not installed"))
struct ShardTableTests {
    private enum Order {
        /// In these epochs.
        case take(Int)
        case open(Int)
        case prepare
        case drop
    }

    private let member: StillMember

    init() throws { member = try StillMember() }

    private func perform(_ order: Order, on shard: Int, in table: inout ShardTable) {
        switch order {
        case .take(let epoch): _ = table.take(ShardRight(shard, epoch: epoch))
        case .open(let epoch): table.open(ShardRight(shard, epoch: epoch))
        case .prepare: table.prepare(shard)
        case .drop: _ = table.drop(shard)
        }
    }

    @Test func ordersLeadToAPlace() {
        let rows: [([Order], ShardTable.Place)] = [
            ([], .away),
            ([.open(1)], .away),
            ([.prepare], .away),
            ([.drop], .away),
            ([.take(1)], .coming(lane: 0)),
            ([.take(1), .open(1)], .mine(lane: 0)),
            ([.take(1), .open(1), .prepare], .going(lane: 0)),
            // It stays after all.
            ([.take(1), .open(1), .prepare, .open(1)], .mine(lane: 0)),
            ([.take(1), .open(1), .prepare, .drop], .away),
            ([.take(1), .drop], .away),
            ([.take(1), .drop, .open(1)], .away),
            ([.take(1), .open(1), .take(3)], .coming(lane: 0)),
            // A lane has restored what moved in a former epoch.
            ([.take(1), .drop, .take(3), .open(1)], .coming(lane: 0)),
            ([.take(1), .drop, .take(3), .open(1), .open(3)], .mine(lane: 0)),
            ([.take(1), .take(3), .open(1)], .coming(lane: 0)),
        ]
        for (orders, place) in rows {
            var table = member.table()
            for order in orders { perform(order, on: 5, in: &table) }
            #expect(table.place(of: 5) == place, "\(orders)")
            #expect(table.heldCount == (place == .away ? 0 : 1), "\(orders)")
            #expect(table.place(of: 4) == .away, "\(orders)")
        }
    }

    @Test func workWaitsForAShardThatIsOnItsWayOrNobodys() {
        let other = member.engine.member + 1
        let rows: [(owner: Int?, [Order], hasToWait: Bool)] = [
            (nil, [], true),
            (other, [], false),
            (member.engine.member, [], true),
            (other, [.take(1)], true),
            (other, [.take(1), .open(1)], false),
            (nil, [.take(1), .open(1)], false),
            (member.engine.member, [.take(1), .open(1), .prepare], true),
            (other, [.take(1), .open(1), .prepare, .drop], false),
        ]
        for (owner, orders, hasToWait) in rows {
            var table = member.table(owners: [owner])
            if owner == other {
                table.map.members = [
                    MemberRow(
                        id: other, instance: "", name: "other", daemon: "",
                        endpoints: MemberEndpoints(events: [], updates: [], control: []),
                        weight: 1, state: .live, isLate: false)
                ]
            }
            for order in orders { perform(order, on: 0, in: &table) }
            #expect(table.hasToWait(0) == hasToWait, "owner \(owner ?? 0), \(orders)")
        }
    }

    @Test func aShardComesToTheLaneWithTheFewest() {
        var table = member.table(lanes: 3)
        let lanes = (0..<StillMember.shards).map { table.take(ShardRight($0)) }
        #expect(lanes == [0, 1, 2, 0, 1, 2, 0, 1] && table.heldCount == StillMember.shards)
        let kept = table.take(ShardRight(4, epoch: 2))
        #expect(kept == 1, "it stays on its lane")
        let former = [1, 4, 4].map { table.drop($0) }
        #expect(former == [1, 1, nil])
        let again = table.take(ShardRight(4, epoch: 3))
        #expect(again == 1 && table.heldCount == 7)
        for shard in 0..<StillMember.shards { table.open(ShardRight(shard)) }
        let name = (0...).lazy.map { "s\($0)" }.first { table.shard(of: $0) == 2 } ?? ""
        #expect(table.lane(of: StableHash(name)) == 2)
        _ = table.drop(2)
        #expect(table.lane(of: StableHash(name)) == nil)
    }
}
