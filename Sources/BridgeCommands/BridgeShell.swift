import Bridges
import CSystem
import Commands
import GesturedClient
import Glibc
import Notation
import Supervision

/// Runs one bridge from its ready line to its last counters.
final class BridgeShell {
    /// The longest wait: a daemon that came or went is noticed within it.
    private static let turnMillisecondsMax = 250

    /// A driver may take so long to finish at the end: with the events that
    /// `DaemonConnection.finish` sends it is less than the units' TimeoutStopSec.
    private static let finishMillisecondsMax = 12_000

    private let name: String
    private let statisticsMilliseconds: Int?
    private let manager: ServiceManager
    private let signals: CInt

    init(name: String, statisticsSeconds: Double?) throws(Failure) {
        self.name = name
        statisticsMilliseconds = statisticsSeconds.map { Int($0 * 1_000) }
        manager = ServiceManager(takingEnvironment: getpid())
        // A shell ignores SIGINT for background processes; undo that.
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        signals = gs_signals_open_with(SIGUSR1)
        guard signals >= 0 else { throw .usage("cannot open a signalfd") }
    }

    func run(_ driver: any BridgeDriver, _ daemon: DaemonConnection) throws(Failure) {
        try Console.printLine("bridge \(name) ready \(driver.readiness)")
        manager.notify(.ready)
        do throws(Failure) {
            try loop(driver, daemon)
        } catch {
            manager.notify(status: "cannot go on: \(error.message?.text ?? "")")
            throw error
        }
        manager.notify(.stopping)
        finish(driver, daemon)
        try driver.end(daemon, at: Self.moment())
        try daemon.finish()
        printCounters(driver, daemon)
    }

    private func loop(_ driver: any BridgeDriver, _ daemon: DaemonConnection) throws(Failure) {
        var (absence, deafness) = (Absence(at: Self.moment()), Absence(at: Self.moment()))
        var nextStatistics = statisticsMilliseconds.map { Self.moment().steady + $0 }
        while true {
            switch gs_signals_next(signals) {
            case 0: break
            case SIGUSR1: printCounters(driver, daemon)
            default: return
            }
            try daemon.flush()
            let moment = Self.moment()
            let rest = try driver.turn(daemon, at: moment)
            if driver.isDone { return }
            if let isAway = absence.change(daemon.isThere, at: moment) {
                let word = isAway ? "is away; waiting" : "is there again"
                BridgeLog.printLine("gesturectl: \(daemon.endpoints.eventsTaker): gestured \(word)")
                if isAway, let reason = daemon.reasonOfAbsence {
                    BridgeLog.printLine("gesturectl: \(reason)")
                }
            }
            let reason = daemon.reasonOfDeafness
            if let isDeaf = deafness.change(reason == nil, at: moment) {
                BridgeLog.printLine(
                    isDeaf
                        ? "gesturectl: \(reason ?? "no update comes"); waiting"
                        : "gesturectl: \(daemon.endpoints.updates): updates come again")
            }
            if let time = nextStatistics, let period = statisticsMilliseconds,
                time <= moment.steady
            {
                printCounters(driver, daemon)
                nextStatistics = moment.steady + period
            }
            manager.notify(
                status: "\(driver.status); gestured is \(daemon.isThere ? "there" : "AWAY")")
            manager.feedWatchdog()
            let isNews = try daemon.hasReplies()
            let time = isNews ? 0 : max(0, min(rest, Self.turnMillisecondsMax))
            wait(driver, daemon.descriptors, milliseconds: time)
        }
    }

    /// Lets the driver finish, until the next signal that would end it.
    private func finish(_ driver: any BridgeDriver, _ daemon: DaemonConnection) {
        let deadline = Self.moment().steady + Self.finishMillisecondsMax
        while let rest = driver.finish(at: Self.moment()) {
            let left = deadline - Self.moment().steady
            guard left > 0 else { return }
            wait(driver, [], milliseconds: min(rest, left))
            switch gs_signals_next(signals) {
            case 0: break
            case SIGUSR1: printCounters(driver, daemon)
            default: return
            }
        }
    }

    private func wait(_ driver: any BridgeDriver, _ others: [CInt], milliseconds: Int) {
        var places = driver.descriptors.map {
            pollfd(fd: $0.descriptor, events: Int16($0.isWritten ? POLLOUT : POLLIN), revents: 0)
        }
        places += (others + [signals]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = unsafe places.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), CInt(milliseconds))
        }
    }

    private func printCounters(_ driver: any BridgeDriver, _ daemon: DaemonConnection) {
        BridgeLog.printLine(
            """
            bridge \(name): \(driver.counters) published=\(daemon.published) \
            dropped=\(daemon.dropped) bad_replies=\(daemon.badReplies)
            """)
    }

    static func moment() -> Moment {
        var (steady, wall) = (timespec(), timespec())
        unsafe clock_gettime(CLOCK_MONOTONIC, &steady)
        unsafe clock_gettime(CLOCK_REALTIME, &wall)
        return Moment(
            steady: steady.tv_sec * 1_000 + steady.tv_nsec / 1_000_000,
            wall: Double(wall.tv_sec) * 1_000 + Double(wall.tv_nsec) / 1_000_000)
    }
}

/// Whether a person was told that the daemon is away.
private struct Absence {
    /// A connection takes a moment; a daemon that starts takes longer.
    private static let patienceMilliseconds = 1_000
    private var lastThere: Int
    private var isSaid = false

    init(at moment: Moment) { lastThere = moment.steady }

    /// The news, if any: true that it is away, false that it is there again.
    mutating func change(_ isThere: Bool, at moment: Moment) -> Bool? {
        if isThere { lastThere = moment.steady }
        let isAway = moment.steady - lastThere >= Self.patienceMilliseconds
        guard isAway != isSaid, isThere || isAway else { return nil }
        isSaid = isAway
        return isAway
    }
}
