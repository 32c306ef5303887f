import Glibc
import Notation
import Synchronization

/// Whether a member may still tell: until when its lease holds, as any thread sees it.
final class LeaseWatch: Sendable {
    /// Until when nobody else can own what this member owns, by the boot's clock.
    private let until: Atomic<Int>
    /// How many renewals were answered or failed.
    private let renewals = Atomic<Int>(0)
    /// Whether another member has ended this one.
    private let lost = Atomic<Bool>(false)
    /// The end of the lease for which somebody has waited.
    private let confirmed = Atomic<Int>(0)

    init(until: Int) { self.until = Atomic(until) }

    var isHeld: Bool { Clock.boot() < until.load(ordering: .acquiring) }

    // MARK: By the thread of membership

    func hold(until end: Int) { until.store(end, ordering: .releasing) }

    /// A renewal was answered, or failed.
    func renewed() { renewals.wrappingAdd(1, ordering: .releasing) }

    /// Another member has ended this one, or it has joined anew.
    func lose(_ isLost: Bool) {
        lost.store(isLost, ordering: .releasing)
        if isLost { hold(until: 0) }
    }

    // MARK: By the reactor

    /// Asks before something is told: where the lease is over, waits until a renewal is answered,
    /// `confirmMillisecondsMax` at most. Returns whether this member is lost, and has nothing to
    /// tell but where its sessions are. Without an answer motion goes on, and nothing is
    /// acknowledged.
    ///
    /// The reactor waits here, and with it its reading and its heartbeat: once for each lease that
    /// ends, for one answer of the database. Lanes go on, and their updates stay in the outbox.
    func confirm(asking ask: () -> Void) -> Bool {
        let end = until.load(ordering: .acquiring)
        guard Clock.boot() >= end else { return false }
        // Nothing is to be asked about a loss that is known, or once more about one lease.
        guard !isLost, end != confirmed.load(ordering: .relaxed) else { return isLost }
        confirmed.store(end, ordering: .relaxed)
        let before = renewals.load(ordering: .acquiring)
        ask()
        let limit = Clock.monotonic() + Limits.confirmMillisecondsMax * 1_000_000
        while !isHeld, renewals.load(ordering: .acquiring) == before, Clock.monotonic() < limit {
            usleep(500)
        }
        return isLost
    }

    private var isLost: Bool { lost.load(ordering: .acquiring) }
}

extension Limits {
    /// Milliseconds for which updates are held when the lease is over, until a renewal tells
    /// whether they may still be told.
    static let confirmMillisecondsMax = 250
}
