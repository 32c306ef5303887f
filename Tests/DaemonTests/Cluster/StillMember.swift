import Membership
import Notation
import Store
import StoreSupport

@testable import Daemon

/// A member of a real cluster whose own thread does not run: the test gives its orders.
struct StillMember {
    static let shards = 8
    let driver: ClusterDriver
    let engine: PostgresEngine
    let outbox: Outbox

    init() throws {
        let log = Log(level: .error, to: .lines(-1))
        engine = try SharedDatabase().join(shards: Self.shards)
        outbox = try Outbox()
        driver = try ClusterDriver(
            engine, leaseSeconds: 60, joined: Clock.boot(),
            wallClock: WallClock(counters: Counters(), log: log), outbox: outbox, log: log)
    }

    /// A table whose map has these owners.
    func table(owners: [Int?] = [], lanes: Int = 1) -> ShardTable {
        let none = [Int?](repeating: nil, count: Self.shards - owners.count)
        let map = ClusterMap(
            member: engine.member, version: 1, members: [], owners: owners + none)
        return ShardTable(driver, tag: engine.tag, map: map, lanes: lanes)
    }
}

extension ShardRight {
    init(_ number: Int, epoch: Int = 1) { self.init(number: number, epoch: epoch, floor: 0) }
}
