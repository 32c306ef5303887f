/// What the daemon tells of itself to those who run it, and what of theirs it takes.
///
/// Its parts belong to the reactor's thread; see `Reactor+Service`.
final class Operations {
    let manager: ServiceManager
    let log: Log
    let reload: Reload
    let rejectionLog: RejectionLog
    var watchdog: Watchdog
    /// What is in force.
    var configuration: Configuration
    /// What the lanes were told last.
    var settings: LaneSettings
    /// What of the configuration that was read last is not in force, for the status; nil: nothing.
    var flaw: String?
    /// The settings that lanes are still to take; nil: all have.
    var adoption: Barrier?
    /// Whether it was said that the store waits for the disk.
    var hasStoreStalled = false
    /// At the last second: when, and what had been counted.
    private var last: Figures
    /// Events and updates a second, of the last one.
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

    /// Takes the figures of the second that has passed.
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

/// How it stands with what is kept.
enum StoreHealth: Equatable {
    /// Nothing is kept.
    case off
    case good
    /// The last commit failed; it is tried again.
    case failing
    /// A commit is under way since so many seconds.
    case waiting(seconds: Int)

    /// Seconds after which a commit is worth telling of.
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
