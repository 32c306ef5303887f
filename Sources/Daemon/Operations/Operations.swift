import Supervision

/// The daemon's side towards those who run it: log, service manager, watchdog and configuration.
///
/// Any thread writes the `Log`, which hands each line to the `Journal` or to standard error. The
/// rest belongs to the reactor's thread (`Reactor+Operations`): once a second it counts rates and
/// reports a status; a `Barrier` through all lanes feeds the watchdog; a configuration that was
/// read again is judged and sent to the lanes by another barrier. Words of the log may change
/// together with docs/operations.md; the names of `Counters` stand on the wire and stay.
final class Operations {
    let manager: ServiceManager
    let log: Log
    let reload: Reload
    let rejectionLog: RejectionLog
    var watchdog: Watchdog
    /// The configuration in force.
    var configuration: Configuration
    /// The settings that the lanes were given last.
    var settings: LaneSettings
    /// The part of the last configuration that is not in force, for the status; nil: all is.
    var flaw: String?
    /// The barrier that brings settings to the lanes; nil: all lanes have them.
    var adoption: Barrier?
    /// Whether the log said last that the store waits for the disk.
    var hasStoreStalled = false
    /// The figures of the last second.
    private var last: Figures
    /// Events and updates in the last second.
    private(set) var rates = (events: 0, updates: 0)

    struct Figures: Equatable {
        /// On the monotonic clock.
        var time: Int
        var events = 0
        var updates = 0
    }

    init(
        _ manager: ServiceManager, log: Log, reload: Reload, rejectionLog: RejectionLog,
        configuration: Configuration, settings: LaneSettings
    ) {
        self.manager = manager
        self.log = log
        self.reload = reload
        self.rejectionLog = rejectionLog
        self.configuration = configuration
        self.settings = settings
        let now = Clock.monotonic()
        watchdog = Watchdog(patience: manager.watchdog, at: now)
        last = Figures(time: now)
    }

    /// Computes the rates of the second that has passed.
    func count(_ figures: Figures) {
        let seconds = Double(max(1, figures.time - last.time)) / 1e9
        func rate(_ count: KeyPath<Figures, Int>) -> Int {
            let more = figures[keyPath: count] - last[keyPath: count]
            return Int((Double(more) / seconds).rounded())
        }
        rates = (rate(\.events), rate(\.updates))
        last = figures
    }
}

/// How the store fares.
enum StoreHealth: Equatable {
    /// Nothing is stored.
    case off
    case good
    /// The last commit failed; it is tried again.
    case failing
    /// One commit takes this many seconds already.
    case waiting(seconds: Int)

    /// Seconds after which a commit under way is reported.
    static var patienceSeconds: Int { 5 }
}

/// The line for `systemctl status`.
enum StatusLine {
    static func text(
        sessions: Int, moving: Int, eventsPerSecond: Int, updatesPerSecond: Int,
        store: StoreHealth, flaw: String?
    ) -> String {
        var parts = [
            "\(sessions) \(sessions == 1 ? "session" : "sessions"), \(moving) moving",
            "\(eventsPerSecond) events/s, \(updatesPerSecond) updates/s", text(of: store),
        ]
        if let flaw { parts.append(flaw) }
        return parts.joined(separator: "; ")
    }

    private static func text(of store: StoreHealth) -> String {
        switch store {
        case .off: "nothing is stored, as configured"
        case .good: "store: good"
        case .failing: "store: NOTHING CAN BE STORED, it is tried again"
        case .waiting(let seconds): "store: WAITS FOR THE DISK for \(seconds) s"
        }
    }
}
