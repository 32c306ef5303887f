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
    /// Those of `holdings` whose versions begin by a clock that went on.
    private var begunByClock: Set<Int> = []

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

    /// A store of this daemon's own is one shard, which changes hands at each unclean end. `clock`
    /// is the time with which it was opened, as a version.
    init(of store: StoreIdentity, clock: Int? = nil) {
        driver = nil
        shardCount = 1
        let right = ShardRight(number: 0, epoch: store.generation, floor: store.versionFloor)
        holdings = [0: .staying(right)]
        if right.versionFloor == clock { begunByClock = [0] }
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

    /// `clock` is the present time as a version. The database's may be another, but one that went
    /// back has its floors ahead of it by what an owner leaves out, a second.
    mutating func take(_ right: ShardRight, clock: Int) {
        holdings[right.number] = .staying(right)
        let lead = right.versionFloor - clock
        if (-Limits.versionsOfTakingMax...Limits.versionsUnstoredMax / 2).contains(lead) {
            begunByClock.insert(right.number)
        } else {
            begunByClock.remove(right.number)
        }
    }

    /// The last version that a session may have published under earlier rights than this one,
    /// where `version` is stored, in the turn `generation`.
    func lastVersion(of session: String, stored version: Int, generation: Int) -> Int {
        let right = self[session]
        if begunByClock.contains(right.number),
            right.versionFloor > version + StoreIdentity.clockLeadMin
        {
            return right.versionFloor
        }
        // After each unclean shutdown, versions may have been published that were not stored.
        let generations = max(0, min(right.epoch, Limits.livesMax) - generation)
        // An older copy of the file, or a file beside which others have counted, knows too little.
        return max(version + generations * Limits.versionsUnstoredMax, right.versionFloor)
    }

    mutating func prepare(_ shard: Int) {
        if let right = holdings[shard]?.right { holdings[shard] = .going(right) }
    }

    mutating func keep(_ shard: Int) {
        if let right = holdings[shard]?.right { holdings[shard] = .staying(right) }
    }

    mutating func drop(_ shard: Int) {
        holdings[shard] = nil
        begunByClock.remove(shard)
    }
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

extension Limits {
    /// Versions of the time in which a shard that was taken arrives at its lane: ten seconds. One
    /// that comes later counts as if the clock had gone back.
    static let versionsOfTakingMax = 10 << 20
}
