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
    private var rights: [Int: ShardRight]
    /// Shards that are stored for their heirs: nothing of them is deleted.
    private var going: Set<Int> = []

    /// A store of this daemon's own is one shard, which changes hands at each unclean end.
    init(of store: StoreIdentity) {
        driver = nil
        shardCount = 1
        rights = [0: ShardRight(number: 0, epoch: store.generation, floor: store.versionFloor)]
    }

    init(_ driver: ClusterDriver, shards: Int) {
        self.driver = driver
        shardCount = shards
        rights = [:]
    }

    func shard(of session: String) -> Int {
        shardCount == 1 ? 0 : StableHash(session).shard(of: shardCount)
    }

    /// The right to a session; one that is not this lane's has none.
    subscript(session: String) -> ShardRight {
        rights[shard(of: session)] ?? ShardRight(number: shard(of: session), epoch: 0, floor: 0)
    }

    /// The shards in which this lane looks for sessions that nobody uses.
    var shards: [Int] { rights.keys.filter { !going.contains($0) }.sorted() }

    /// Whether a session lives on this lane, and stays here.
    func includes(_ session: String) -> Bool {
        let shard = shard(of: session)
        return rights[shard] != nil && !going.contains(shard)
    }

    func has(_ right: ShardRight) -> Bool { rights[right.number] == right }

    mutating func take(_ right: ShardRight) {
        rights[right.number] = right
        going.remove(right.number)
    }

    mutating func prepare(_ shard: Int) { going.insert(shard) }
    mutating func keep(_ shard: Int) { going.remove(shard) }

    mutating func drop(_ shard: Int) {
        rights[shard] = nil
        going.remove(shard)
    }
}

extension ShardRight {
    /// Versions that are left out below this right's: as many may have been published before that
    /// were not stored.
    var versionsSkipped: Int { epoch * Limits.versionsUnstoredMax }

    /// No session begins its versions below it.
    var versionFloor: Int { floor + versionsSkipped }
}
