package import Notation
import Protocol

/// Decides when a command runs for the totals of sessions' badges.
///
/// One command runs at a time. A total that changes while one runs waits, and the newest of a
/// session replaces what waited for it. A total is told once: when it is first heard, and whenever
/// it differs from the one told last.
package struct BadgeRuns: Sendable {
    package enum Count: String, CaseIterable, Sendable {
        case updates, runs, replaced, failed, killed, malformed, forgotten, untold
    }

    /// One run of the command.
    package struct Run: Hashable, Sendable {
        package var session: String
        package var total: Int
        /// The counts by kind, a JSON object.
        package var counts: [UInt8]
    }

    /// Sessions whose totals are remembered: as many as a lamp or a panel can tell apart, and some.
    /// Beyond it the one that was heard first is forgotten, and its next total is told again.
    package static let sessionsMax = 1_024

    private var told: [String: Int] = [:]
    private var waiting: [String: Run] = [:]
    /// Sessions in the order in which they were heard first.
    private var order: [String] = []
    private var running: (run: Run, deadline: Int)?
    private let limitMilliseconds: Int
    /// The only session that counts; nil: all do.
    private let session: String?
    package private(set) var counters = Counters<Count>()

    /// - Parameter limitMilliseconds: the time that one run may take.
    package init(session: String?, limitMilliseconds: Int) {
        self.session = session
        self.limitMilliseconds = limitMilliseconds
    }

    package var isRunning: Bool { running != nil }
    package var waitingCount: Int { waiting.count }

    /// Takes an update of a topic that begins with `badge/`.
    package mutating func take(topic: String, _ body: Node) {
        let name = String(topic.dropFirst("badge/".count))
        if let session, session != name { return }
        guard topic.hasPrefix("badge/"), Name.isValid(name),
            let total = body["total"]?.int, total >= 0, let counts = body["counts"],
            counts.members != nil
        else {
            counters.count(.malformed)
            return
        }
        counters.count(.updates)
        remember(name)
        if waiting.removeValue(forKey: name) != nil { counters.count(.replaced) }
        let present = running?.run.session == name ? running?.run.total : told[name]
        if present != total {
            waiting[name] = Run(session: name, total: total, counts: counts.json())
        }
    }

    private mutating func remember(_ name: String) {
        if order.contains(name) { return }
        if order.count == Self.sessionsMax {
            let first = order.removeFirst()
            told[first] = nil
            waiting[first] = nil
            counters.count(.forgotten)
        }
        order.append(name)
    }

    /// The run to start now; nil: none waits, or one is under way.
    package mutating func next(at moment: Moment) -> Run? {
        guard running == nil,
            let place = order.firstIndex(where: { waiting[$0] != nil }),
            let run = waiting.removeValue(forKey: order[place])
        else { return nil }
        // The session goes to the end, so that one that changes all the time holds up no other.
        order.append(order.remove(at: place))
        running = (run, moment.steady + limitMilliseconds)
        counters.count(.runs)
        return run
    }

    /// Whether the command that runs must be killed.
    package func isOverdue(at moment: Moment) -> Bool {
        running.map { $0.deadline <= moment.steady } ?? false
    }

    /// Milliseconds until the command that runs must be killed; nil: none runs.
    package func rest(at moment: Moment) -> Int? {
        running.map { max(0, $0.deadline - moment.steady) }
    }

    /// Counts the totals that nothing will tell any more.
    package mutating func stop() {
        counters.count(.untold, waiting.count)
        waiting = [:]
    }

    package enum End: Hashable, Sendable {
        case exited(Int)
        /// By a signal, or because it could not be started.
        case failed
        case killed
    }

    /// The command has ended. A failure is not tried again: the next change is.
    package mutating func end(_ end: End) {
        guard let run = running?.run else { return }
        running = nil
        told[run.session] = run.total
        switch end {
        case .exited(0): break
        case .exited, .failed: counters.count(.failed)
        case .killed: counters.count(.killed)
        }
    }
}
