import Geometry
import Membership
import Notation
import Sessions

/// Where the sessions of each shard live, as the reactor sends work to them.
///
/// A shard is `away`, or this daemon's: `coming` while its lane restores what moves, `mine`, or
/// `going` while its lane stores everything for the heir. Work for a shard that is on its
/// way, or has no owner, is held for a while (``HeldWork``), and goes where the shard is then. The
/// driver orders each move (``ClusterDriver``); the reactor performs it, in the order of rounds.
struct ShardTable {
    enum Place: Hashable {
        /// Another member's, or nobody's.
        case away
        case coming(lane: Int)
        case mine(lane: Int)
        case going(lane: Int)

        var lane: Int? {
            switch self {
            case .away: nil
            case .coming(let lane), .mine(let lane), .going(let lane): lane
            }
        }
    }

    let driver: ClusterDriver
    /// Begins the epochs of sessions, on all members.
    let tag: String
    /// The members and owners that clients are told of.
    var map: ClusterMap
    private var places: [Place]
    /// In which each shard is or was this daemon's last.
    private var epochs: [Int]
    /// How many shards each lane has.
    private var counts: [Int]
    var held = HeldWork()

    init(_ driver: ClusterDriver, tag: String, map: ClusterMap, lanes: Int) {
        self.driver = driver
        self.tag = tag
        self.map = map
        places = Array(repeating: .away, count: map.owners.count)
        epochs = Array(repeating: 0, count: map.owners.count)
        counts = Array(repeating: 0, count: lanes)
    }

    var count: Int { places.count }

    /// The shard of a session.
    func shard(of session: String) -> Int { shard(of: StableHash(session)) }

    func shard(of session: StableHash) -> Int { session.shard(of: places.count) }

    func place(of shard: Int) -> Place { places[shard] }

    /// The lane on which a session may be worked on now; nil: it may not.
    func lane(of session: StableHash) -> Int? {
        guard case .mine(let lane) = places[shard(of: session)] else { return nil }
        return lane
    }

    /// Shards that this daemon holds.
    var heldCount: Int { counts.reduce(0, +) }

    /// Whether what comes for a shard has to wait: it is on its way, or nobody's.
    func hasToWait(_ shard: Int) -> Bool {
        switch places[shard] {
        case .coming, .going: true
        case .mine: false
        // The map may still name this daemon while it takes the shard or lets it go.
        case .away: map.owner(of: shard) == nil || map.isMine(shard)
        }
    }

    // MARK: Hand-overs

    /// A shard comes: chooses its lane, the one with the fewest shards.
    mutating func take(_ right: ShardRight) -> Int {
        let shard = right.number
        epochs[shard] = right.epoch
        if let lane = places[shard].lane {
            places[shard] = .coming(lane: lane)
            return lane
        }
        let lane = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        counts[lane] += 1
        places[shard] = .coming(lane: lane)
        return lane
    }

    /// The shard's lane has restored what moves, or a hand-over was given up. A lane that was asked
    /// to in a former epoch has not restored what moves in this one.
    mutating func open(_ right: ShardRight) {
        guard epochs[right.number] == right.epoch, let lane = places[right.number].lane else {
            return
        }
        places[right.number] = .mine(lane: lane)
    }

    mutating func prepare(_ shard: Int) {
        if let lane = places[shard].lane { places[shard] = .going(lane: lane) }
    }

    /// The shard is another's. Returns its former lane.
    mutating func drop(_ shard: Int) -> Int? {
        defer { places[shard] = .away }
        guard let lane = places[shard].lane else { return nil }
        counts[lane] -= 1
        return lane
    }
}

/// Work for shards that are on their way or nobody's, in the order in which it came.
///
/// It waits for `heldSecondsMax`, and within the bounds of a lane's events. Beyond them it is not
/// held: the reactor goes on reading, for other shards do not wait for these.
struct HeldWork {
    struct Item {
        enum Work {
            /// `hops`: how often it may still be passed on; nil: it may have gone to all members.
            case event(topic: [UInt8], body: [UInt8], hops: UInt8?)
            case publish(Envelope, topic: [UInt8], body: [UInt8])
            case request(Envelope, any LaneRequest)
            /// A subscription to be answered.
            case answer(prefix: String)
        }

        let session: String
        let shard: Int
        let work: Work
        /// Until when it waits, on the monotonic clock.
        let until: Int

        /// Bytes for which it counts.
        var size: Int {
            switch work {
            case .event(let topic, let body, _): topic.count + body.count
            case .publish(_, let topic, let body): topic.count + body.count
            case .request(_, let request): request.documentBytes
            case .answer(let prefix): prefix.utf8.count
            }
        }
    }

    private var items: [Item] = []
    /// How many of them, from the first one, are taken.
    private var takenCount = 0
    private var bytes = 0

    /// How many items wait.
    var count: Int { items.count - takenCount }
    var isEmpty: Bool { count == 0 }

    private var hasRoom: Bool { count < Limits.laneEventsMax && bytes < Limits.laneBytesMax }

    /// When the first item has waited long enough, on the monotonic clock.
    var due: Int { isEmpty ? .max : items[takenCount].until }

    /// Holds an item, which waits at least as long as those before it; false: there is no room.
    mutating func hold(_ item: Item) -> Bool {
        guard hasRoom else { return false }
        items.append(item)
        bytes += item.size
        return true
    }

    /// Takes the items that have waited long enough, in their order.
    mutating func takeDue(at now: Int) -> [Item] {
        var end = takenCount
        while end < items.count, items[end].until <= now { end += 1 }
        guard end > takenCount else { return [] }
        let due = Array(items[takenCount..<end])
        takenCount = end
        bytes -= due.reduce(0) { $0 + $1.size }
        // Each item is moved once on the average.
        if 2 * takenCount >= items.count {
            items.removeFirst(takenCount)
            takenCount = 0
        }
        return due
    }

    /// Takes the items that need not wait any more, in their order. Looks at all of them.
    mutating func take(where mayGo: (Item) -> Bool) -> [Item] {
        guard !isEmpty else { return [] }
        items.removeFirst(takenCount)
        takenCount = 0
        let taken = items.filter(mayGo)
        guard !taken.isEmpty else { return [] }
        items.removeAll(where: mayGo)
        bytes -= taken.reduce(0) { $0 + $1.size }
        return taken
    }
}

extension Limits {
    /// Seconds for which work waits for a shard that is on its way or nobody's: as long as a
    /// client waits before it asks another member.
    static let heldSecondsMax = 1
}
