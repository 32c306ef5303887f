import Geometry
import Membership

/// One thing that goes wrong. Times are nanoseconds.
package enum ClusterFault: Hashable, Sendable {
    /// The process ends at once; it starts again after a while, or not.
    case kill(daemon: Int, restart: Int?)
    /// The daemon is asked to leave; it starts again so long after, or not.
    case stop(daemon: Int, restart: Int?)
    /// It stands still.
    case pause(daemon: Int, Int)
    /// Nothing passes between it and the database.
    case cut(daemon: Int, Int)
    /// All bytes between the two wait, and pass later.
    case hold(daemon: Int, Int)
    /// Its statements of one kind, sent within the first time, arrive so much later.
    case delay(daemon: Int, ClusterStatementKind, Int, by: Int)
    /// Half of the answers are lost: what was asked is carried out.
    case deafen(daemon: Int, Int)
    /// Its lanes answer nothing.
    case hang(daemon: Int, Int)
    /// The database refuses connections.
    case databaseDown(Int)
    /// The database stands still.
    case databaseStill(Int)
}

/// Statements whose late arrival does harm.
package enum ClusterStatementKind: CaseIterable, Sendable {
    case commit
    case handOver
}

/// Tells what the lines and the database let through, and until when.
struct ClusterWeather: Sendable {
    enum Database: Sendable {
        case up
        case down
        case still(until: Int)
    }

    private struct Line: Sendable {
        var cutUntil = 0
        var heldUntil = 0
        var deafUntil = 0
        var delays: [ClusterStatementKind: (until: Int, by: Int)] = [:]
    }

    private var lines: [Line]
    private var downUntil = 0
    private var stillUntil = 0

    init(daemons: Int = 0) { lines = Array(repeating: Line(), count: daemons) }

    /// When something passes that is on its way at a time; nil: it is lost.
    func passage(of daemon: Int, at time: Int) -> Int? {
        if lines[daemon].cutUntil > time { return nil }
        return max(time, lines[daemon].heldUntil)
    }

    /// How much longer than others a statement needs.
    func delay(of statement: ClusterDatabase.Statement, from daemon: Int, at time: Int) -> Int {
        guard let kind = statement.kind, let delay = lines[daemon].delays[kind],
            delay.until > time
        else { return 0 }
        return delay.by
    }

    func isDeaf(_ daemon: Int, at time: Int, _ random: inout SplitMix64) -> Bool {
        lines[daemon].deafUntil > time && random.unit() < 0.5
    }

    func database(at time: Int) -> Database {
        if downUntil > time { return .down }
        return stillUntil > time ? .still(until: stillUntil) : .up
    }

    mutating func cut(_ daemon: Int, until: Int) { lines[daemon].cutUntil = until }
    mutating func hold(_ daemon: Int, until: Int) { lines[daemon].heldUntil = until }
    mutating func delay(
        _ daemon: Int, _ kind: ClusterStatementKind, until: Int, by time: Int
    ) {
        lines[daemon].delays[kind] = (until, time)
    }

    mutating func deafen(_ daemon: Int, until: Int) { lines[daemon].deafUntil = until }
    mutating func stopDatabase(until: Int) { downUntil = until }
    mutating func haltDatabase(until: Int) { stillUntil = until }
}

extension SimulatedCluster {
    package mutating func add(_ fault: ClusterFault, at time: Int) {
        queue.add(.fault(fault), at: time)
    }

    mutating func befall(_ fault: ClusterFault) {
        switch fault {
        case .kill(let place, let restart):
            guard daemons[place].isRunning else { return }
            kill(place)
            if let restart { queue.add(.start(daemon: place), at: now + restart) }
        case .stop(let place, let restart):
            guard daemons[place].isRunning else { return }
            if daemons[place].life == nil { kill(place) }
            report(.stop, place)
            if let restart { queue.add(.start(daemon: place), at: now + restart) }
        case .pause(let place, let time): daemons[place].pausedUntil = now + time
        case .cut(let place, let time): weather.cut(place, until: now + time)
        case .hold(let place, let time): weather.hold(place, until: now + time)
        case .delay(let place, let kind, let time, let delay):
            weather.delay(place, kind, until: now + time, by: delay)
        case .deafen(let place, let time): weather.deafen(place, until: now + time)
        case .hang(let place, let time): daemons[place].lanes.hangsUntil = now + time
        case .databaseDown(let time): weather.stopDatabase(until: now + time)
        case .databaseStill(let time): weather.haltDatabase(until: now + time)
        }
    }

    /// Faults and publishes at random within a span of time; all faults are over at its end.
    package mutating func storm(in span: Range<Int>, faults: Int, publishes: Int) {
        for _ in 0..<faults {
            let time = random.whole(in: span.lowerBound...span.upperBound - 1)
            let left = span.upperBound - time
            let length = min(left, random.whole(in: 50_000_000...3_500_000_000))
            let place = random.whole(in: 0...daemons.count - 1)
            let restart = random.unit() < 0.8 ? min(left, length) : nil
            let fault: ClusterFault =
                switch random.whole(in: 0...12) {
                case 0, 1: .kill(daemon: place, restart: place == 0 ? length : restart)
                case 2: .stop(daemon: place, restart: place == 0 ? length : restart)
                case 3, 4: .pause(daemon: place, length)
                case 5: .cut(daemon: place, length)
                case 6: .hold(daemon: place, length)
                case 7: .deafen(daemon: place, length)
                case 8: .hang(daemon: place, length)
                case 9: .databaseDown(length)
                case 10: .delay(daemon: place, .commit, length, by: min(left, 2_500_000_000))
                case 11: .delay(daemon: place, .handOver, length, by: min(left, 2_500_000_000))
                default: .databaseStill(length)
                }
            add(fault, at: time)
        }
        for _ in 0..<publishes {
            let shard = random.whole(in: 0...database.shards.count - 1)
            publish(
                to: shard, moves: random.unit() < 0.5,
                at: random.whole(in: span.lowerBound...span.upperBound - 1))
        }
    }
}
