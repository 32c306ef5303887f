import Store
import Synchronization

/// The store's failures, for the log and for the status.
///
/// The store's thread reports them; other threads ask `areThere` alone.
final class StoreFailures {
    private let log: Log
    private let isFailing = Atomic<Bool>(false)
    /// The failure of the last commit or look; nil: it was done.
    private(set) var last: StoreError?
    /// The failure that the log reported last; nil: it reported that the store is back.
    private var reported: StoreError.Recovery?
    private var nextReport = 0

    init(_ log: Log) { self.log = log }

    var areThere: Bool { isFailing.load(ordering: .relaxed) }

    /// Logs a failure, at most once a second; what only a person can mend, once.
    func report(_ error: StoreError) {
        last = error
        isFailing.store(true, ordering: .relaxed)
        if error.recovery == .broken, reported == .broken { return }
        let now = Clock.monotonic()
        guard now >= nextReport else { return }
        nextReport = now + 1_000_000_000
        reported = error.recovery
        log.write(.storeFails, "\(error)")
    }

    /// The store could not begin at the start: the log will say when it can, even if the first
    /// trial on the store's thread succeeds.
    func reportUnbegun() {
        reported = .retry
        log.write(.storeUnbegun)
    }

    /// A nearly full disk takes some commits and not others: that is not logged each time.
    func end() {
        last = nil
        isFailing.store(false, ordering: .relaxed)
        guard reported != nil else { return }
        reported = nil
        log.write(.storeBack)
    }

    /// The files are in place, which says nothing about other failures.
    func foundInPlace() {
        if last?.kind == .displaced { end() }
    }

    /// The end is not orderly.
    func reportUnclosed(_ error: StoreError) { log.write(.storeNotClosed, "\(error)") }
}
