import Geometry
import Membership
import Notation
import Sessions
import Store

/// By which right a lane stores its sessions: since when they are this daemon's, and where their
/// counts may begin.
struct LaneRights {
    /// Nil: no other daemon shares the store.
    let driver: ClusterDriver?
    private let shardCount: Int
    private var holdings: [Int: Holding]

    /// A shard that lives on this lane.
    private enum Holding {
        case staying(ShardRight)
        /// It is stored for its heir: nothing of it is deleted.
        case going(ShardRight)

        var right: ShardRight {
            switch self {
            case .staying(let right), .going(let right): right
            }
        }

        var stays: Bool {
            switch self {
            case .staying: true
            case .going: false
            }
        }
    }

    /// A store of this daemon's own is one shard, which changes hands at each unclean end.
    init(of store: StoreIdentity) {
        driver = nil
        shardCount = 1
        let right = ShardRight(number: 0, epoch: store.generation, floor: store.versionFloor)
        holdings = [0: .staying(right)]
    }

    init(_ driver: ClusterDriver, shards: Int) {
        self.driver = driver
        shardCount = shards
        holdings = [:]
    }

    func shard(of session: String) -> Int {
        shardCount == 1 ? 0 : StableHash(session).shard(of: shardCount)
    }

    /// The right to a session; one that is not this lane's has none.
    subscript(session: String) -> ShardRight {
        let shard = shard(of: session)
        return holdings[shard]?.right ?? ShardRight(number: shard, epoch: 0, floor: 0)
    }

    /// The shards in which this lane looks for sessions that nobody uses.
    var shards: [Int] { holdings.filter(\.value.stays).keys.sorted() }

    /// Whether a session lives on this lane, and stays here.
    func includes(_ session: String) -> Bool { holdings[shard(of: session)]?.stays ?? false }

    func has(_ right: ShardRight) -> Bool { holdings[right.number]?.right == right }

    mutating func take(_ right: ShardRight) { holdings[right.number] = .staying(right) }

    mutating func prepare(_ shard: Int) {
        if let right = holdings[shard]?.right { holdings[shard] = .going(right) }
    }

    mutating func keep(_ shard: Int) {
        if let right = holdings[shard]?.right { holdings[shard] = .staying(right) }
    }

    mutating func drop(_ shard: Int) { holdings[shard] = nil }
}

extension ShardRight {
    /// Versions that are left out below this right's: as many may have been published before that
    /// were not stored.
    var versionsSkipped: Int {
        min(max(0, epoch), Limits.livesMax) * Limits.versionsUnstoredMax
    }

    /// No session begins its versions below it. The database may have other numbers than a daemon
    /// writes.
    var versionFloor: Int { min(max(0, floor), Limits.versionStoredMax) + versionsSkipped }
}
