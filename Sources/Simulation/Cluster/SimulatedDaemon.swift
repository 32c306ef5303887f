package import Membership

/// One daemon of a simulated cluster: its member's life, its connections, and its lanes as one.
///
/// It decides nothing about membership; what it does for `MemberLife` is what a daemon does.
package struct SimulatedDaemon: Sendable {
    /// A statement on its way.
    struct Request: Sendable {
        var number: Int
        var daemon: Int
        var run: Int
        var connection: Int
        var purpose: Purpose
        var statement: ClusterDatabase.Statement
    }

    enum Purpose: Sendable {
        case join
        case reconnect
        case call
        case commit
        case read([ShardRight])
    }

    /// A client's change, repeated until it is acknowledged.
    package struct Publish: Hashable, Sendable {
        package var id: Int
        package var shard: Int
        /// Whether it leaves the session in mid-air.
        package var moves: Bool
    }

    /// Its three connections, which are made together.
    enum Connections: Hashable, Sendable {
        case open
        case making
        case broken
    }

    /// A shard in the lanes.
    enum Lane: Hashable, Sendable {
        case away
        case coming(ShardRight)
        case open(ShardRight)
        case going(ShardRight)

        var right: ShardRight? {
            switch self {
            case .away: nil
            case .coming(let right), .open(let right), .going(let right): right
            }
        }
    }

    /// A session in memory.
    struct Session: Sendable {
        var counted: [Int]
        /// Its motion ends then.
        var rests = 0
        /// The number under which its motion is handed over.
        var export: Int?
        /// Whether the store has something else.
        var isDirty = false
    }

    struct Commit: Sendable {
        var changes: [Int: ClusterDatabase.Session]
        var answers: [Publish]
    }

    /// Its way to the database.
    struct Line: Sendable {
        var connections = Connections.broken
        var connectionsMade = 0
        var generation = 1
        /// Statements without an answer, by their numbers.
        var waiting: [Int: Purpose] = [:]
        /// A call that waits for a connection.
        var unsent: MemberLife.Call?
        /// The call under way, by its number among all.
        var call = 0
    }

    /// Its lanes, as one.
    struct Lanes: Sendable {
        var shards: [Lane]
        var sessions: [Int: Session] = [:]
        /// Publishes for shards that are coming or going.
        var held: [Publish] = []
        /// Counted, and in no commit yet.
        var unanswered: [Publish] = []
        var commit: Commit?
        var handOver: MemberLife.HandOver?
        var isFinishing = false
        /// They answer nothing until then.
        var hangsUntil = 0
    }

    let place: Int
    /// How often it has been started.
    var run = 0
    /// Nil: it does not run, or has not joined.
    package internal(set) var life: MemberLife?
    var isRunning = false
    /// It stands still until then.
    var pausedUntil = 0
    var line = Line()
    var lanes: Lanes
    /// Number of the last timer.
    var timer = 0

    init(place: Int, shards: Int) {
        self.place = place
        lanes = Lanes(shards: Array(repeating: .away, count: shards))
    }
}
