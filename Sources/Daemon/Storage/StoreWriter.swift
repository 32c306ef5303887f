import CSystem
import Dispatch
import Notation
import Sessions
import Store
import Synchronization
import Threads

/// The result of a commit.
enum CommitOutcome: Sendable {
    case durable
    /// The store did not take it, and may take it later.
    case failed
    /// Another daemon owns what it would have changed: it is refused for good.
    case notOwner

    /// The outcome for publishers whose changes may stand in parts that went before: "it had no
    /// effect" is told only where that is known.
    func forReplies(afterParts: Bool) -> CommitOutcome {
        switch self {
        case .notOwner: afterParts ? .failed : .notOwner
        case .durable, .failed: self
        }
    }
}

/// The store on a thread of its own: it commits what the lanes submit, and reports the outcomes.
///
/// The next commit has all submissions that came while the last one ran, up to a number of bytes;
/// those beyond it follow in commits of their own. Other threads may call `submit`,
/// `drain`, `stop` and `makeReader`; the thread alone touches the rest, which the compiler cannot
/// check. It is a thread and no queue because it waits for the disk and for publishers that are
/// likely to publish again: on a queue each wait would take a timer and two more hops.
final class StoreWriter: @unchecked Sendable {
    private struct Submission: Sendable {
        var changes: [StoreChange]
        /// The right by which they are stored.
        var fence: StoreFence
        var replies: Int
        var completion: @Sendable (CommitOutcome) -> Void

        var bytes: Int { changes.reduce(0) { $0 + $1.bytes } }
    }

    /// The requests of other threads.
    private struct Orders: Sendable {
        var submissions: [Submission] = []
        /// Publishers that wait for the submissions.
        var replies = 0
        /// Signalled once all submissions are committed.
        var drained: DispatchSemaphore?
        /// The thread must end, and note a clean shutdown if everything is stored.
        var end: (isWhole: Bool, ended: DispatchSemaphore)?

        var areUrgent: Bool { drained != nil || end != nil }
    }

    private struct Shared {
        var orders = Orders()
        /// While the thread sleeps: so many waiting publishers wake it; 0: any submission does.
        var wakesAt: Int?
    }

    /// See `StoreIdentity`.
    let identity: StoreIdentity
    /// The right by which the store is written at the start.
    let fence: StoreFence
    /// The clock by which sessions are marked as used; all lanes share it.
    let wallClock: WallClock
    /// Nanoseconds between two trials to begin a generation.
    private static var retryNanoseconds: Int { 250_000_000 }
    /// Nanoseconds between two looks at the files and at the clock.
    private static var lookNanoseconds: Int { 1_000_000_000 }
    private let store: any Store
    private let begun: Atomic<Bool>
    /// When the commit under way began, on the monotonic clock; 0 if there is none.
    private let underWay = Atomic<Int>(0)
    private let counters: Counters
    private let failures: StoreFailures
    private var shared = Shared()
    /// Guards `shared`. The thread sanitizer sees it; on Linux it does not see `Mutex`.
    private let lock = Lock()
    /// Wakes the sleeping thread.
    private let alarm: CInt
    /// The last commit: how many publishers are likely to publish again, when it ended, and how
    /// long it took, in nanoseconds.
    private var last = (expected: 0, ended: 0, took: 0)
    /// When the thread looks again, or tries again to begin, if nothing is to be committed.
    private var nextLook = 0

    init(
        _ store: any Store, wallClock: WallClock? = nil, counters: Counters, log: Log
    ) throws(StartError) {
        self.store = store
        self.wallClock = wallClock ?? WallClock(counters: counters, log: log)
        self.counters = counters
        failures = StoreFailures(log)
        identity = store.identity
        fence = store.fence
        begun = Atomic(store.hasBegun)
        alarm = gs_eventfd_open()
        guard alarm >= 0 else { throw StartError("cannot open an eventfd") }
        if !store.hasBegun { failures.reportUnbegun() }
        Thread.start("gestured.store") { self.run() }
    }

    /// The key of the hashes of ids.
    var key: UInt128 { identity.key }

    /// Whether the store's generation has begun; see `Store`.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    // MARK: From elsewhere

    /// The store's health at a time on the monotonic clock.
    func health(at time: Int) -> StoreHealth {
        let began = underWay.load(ordering: .relaxed)
        let seconds = began == 0 ? 0 : (time - began) / 1_000_000_000
        if seconds >= StoreHealth.patienceSeconds { return .waiting(seconds: seconds) }
        return failures.areThere || !hasBegun ? .failing : .good
    }

    /// Commits changes, in the order of submission; calls `completion` on the store's thread.
    ///
    /// `replies` publishers wait for the commit.
    func submit(
        _ changes: [StoreChange], under fence: StoreFence? = nil, replies: Int,
        completion: @escaping @Sendable (CommitOutcome) -> Void
    ) {
        let fence = fence ?? self.fence
        order {
            $0.submissions.append(
                Submission(
                    changes: changes, fence: fence, replies: replies, completion: completion))
            $0.replies += replies
        }
    }

    /// Waits until everything submitted so far is committed. Asks ten times a second whether it is
    /// given up, since a disk that hangs holds a commit for ever; then returns false.
    func drain(unless isGivenUp: () -> Bool) -> Bool {
        let drained = DispatchSemaphore(value: 0)
        order { $0.drained = drained }
        return drained.wait(unless: isGivenUp)
    }

    /// Ends the thread; notes a clean shutdown if everything `isWhole`, that is, stored. Returns
    /// false as `drain` does. Called once the lanes have stopped.
    func stop(isWhole: Bool, unless isGivenUp: () -> Bool) -> Bool {
        let ended = DispatchSemaphore(value: 0)
        order { $0.end = (isWhole, ended) }
        return ended.wait(unless: isGivenUp)
    }

    private func order(_ change: (inout Orders) -> Void) {
        let hasToWake = lock.withLock {
            change(&shared.orders)
            guard let count = shared.wakesAt else { return false }
            guard shared.orders.replies >= count || shared.orders.areUrgent else { return false }
            shared.wakesAt = nil
            return true
        }
        if hasToWake { gs_eventfd_signal(alarm) }
    }

    /// A reader for one lane.
    func makeReader() throws(StoreError) -> any StoreReader { try store.makeReader() }

    // MARK: On the thread

    private func run() {
        while true {
            let orders = takeOrders()
            if !orders.submissions.isEmpty {
                commit(orders)
            } else if Clock.monotonic() >= nextLook {
                look()
            }
            orders.drained?.signal()
            if let end = orders.end {
                close(isWhole: end.isWhole)
                return _ = end.ended.signal()
            }
        }
    }

    /// Sleeps until a commit or another order is due.
    ///
    /// Publishers that the last commit answered are likely to publish again, and one commit for
    /// all of them ends sooner than one for each; so the thread waits for them as long as a commit
    /// takes.
    private func takeOrders() -> Orders {
        while true {
            let now = Clock.monotonic()
            let patience = last.ended + self.patience - now
            let orders: Orders? = lock.withLock {
                let isTime = patience <= 0 || shared.orders.replies >= last.expected
                if shared.orders.areUrgent || (isTime && !shared.orders.submissions.isEmpty) {
                    defer { shared.orders = Orders() }
                    return shared.orders
                }
                shared.wakesAt = patience <= 0 ? 0 : last.expected
                return nil
            }
            if let orders { return orders }
            if now >= nextLook {
                lock.withLock { shared.wakesAt = nil }
                return Orders()
            }
            let look = nextLook - now
            gs_eventfd_wait(alarm, Int64(patience <= 0 ? look : min(patience, look)))
            lock.withLock { shared.wakesAt = nil }
        }
    }

    /// The time of one commit, within bounds, in nanoseconds.
    private var patience: Int { min(max(last.took, 200_000), 2_000_000) }

    /// Looks whether the files are in place and the clock is right, and goes on with the store's
    /// upkeep. Tries to begin until the first commit succeeds.
    private func look() {
        wallClock.check()
        if hasBegun {
            do throws(StoreError) {
                try store.check()
                failures.foundInPlace()
                // If that fails, so does the next commit, which tells it.
                try? store.tidy()
            } catch {
                failures.report(error)
            }
        } else {
            _ = attempt([], under: fence, replies: 0)
        }
        nextLook = Clock.monotonic() + (hasBegun ? Self.lookNanoseconds : Self.retryNanoseconds)
    }

    private func commit(_ orders: Orders) {
        let began = Clock.monotonic()
        // One that was made under a former right is refused by itself, whichever came first: a
        // lane may still submit for a life that another one has ended.
        let right =
            orders.submissions.map(\.fence).max { $0.writer < $1.writer } ?? fence
        let (current, former) = (
            orders.submissions.filter { $0.fence == right },
            orders.submissions.filter { $0.fence != right }
        )
        for submission in former { submission.completion(.notOwner) }
        var outcome = CommitOutcome.durable
        for group in groups(of: current) {
            // After a failure the others would wait as long; they are tried again with it.
            if outcome == .durable { outcome = commit(group, under: right) }
            for submission in group { submission.completion(outcome) }
        }
        let ended = Clock.monotonic()
        // Publishers that came meanwhile may go together with those that are answered now.
        let behind = lock.withLock { shared.orders.replies }
        let all = orders.replies + behind
        last = (all <= Limits.gatheredMax ? all : all / 2, ended, ended - began)
    }

    /// Whole submissions that go together: up to `StoreCommit.bytesMax`, or one.
    private func groups(of submissions: [Submission]) -> [[Submission]] {
        var groups: [[Submission]] = []
        var bytes = 0
        for submission in submissions {
            bytes += submission.bytes
            if groups.isEmpty || bytes > StoreCommit.bytesMax {
                groups.append([])
                bytes = submission.bytes
            }
            groups[groups.count - 1].append(submission)
        }
        return groups
    }

    private func commit(_ group: [Submission], under right: StoreFence) -> CommitOutcome {
        let began = Clock.monotonic()
        let outcome = attempt(
            group.flatMap(\.changes), under: right,
            replies: group.reduce(0) { $0 + $1.replies })
        counters.add(outcome == .durable ? .commits : .commitsFailed)
        counters.add(.commitMicroseconds, (Clock.monotonic() - began) / 1_000)
        return outcome
    }

    private func attempt(
        _ changes: [StoreChange], under fence: StoreFence, replies: Int
    ) -> CommitOutcome {
        underWay.store(Clock.monotonic(), ordering: .relaxed)
        defer { underWay.store(0, ordering: .relaxed) }
        do throws(StoreError) {
            defer { begun.store(store.hasBegun, ordering: .releasing) }
            try store.commit(
                StoreCommit(fence: fence, changes: changes, replies: replies))
            failures.end()
            return .durable
        } catch {
            failures.report(error)
            switch error.recovery {
            case .retry, .broken: return .failed
            case .notOwner: return .notOwner
            }
        }
    }

    private func close(isWhole: Bool) {
        // A shutdown is not clean if something could not be stored.
        guard isWhole else { return }
        if let failure = failures.last { return failures.reportUnclosed(failure) }
        do throws(StoreError) {
            try store.close()
        } catch {
            failures.reportUnclosed(error)
        }
    }
}

extension DispatchSemaphore {
    /// Returns false if the wait is given up.
    fileprivate func wait(unless isGivenUp: () -> Bool) -> Bool {
        while wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if isGivenUp() { return false }
        }
        return true
    }
}

extension Limits {
    /// Publishes that a commit waits for, if so many are likely to come: up to here a commit costs
    /// more than its contents. With more it waits for half: one half is handled while the other is
    /// committed. Also sessions that wait for a commit: if more wait, the lane's queue begins it,
    /// not the reactor on its own thread.
    static let gatheredMax = 16
}
