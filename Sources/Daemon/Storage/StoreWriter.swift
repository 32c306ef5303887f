import CSystem
import Dispatch
import Foundation
import Notation
import Sessions
import Store
import Synchronization

/// The store on a thread of its own: it commits what the lanes hand in, and tells them.
///
/// What is handed in while a commit runs is committed together by the next one. Only `submit`,
/// `drain`, `stop` and `makeReader` may be used from elsewhere; the rest is touched on the thread
/// alone, hence unchecked. A thread rather than a queue, since it waits for the disk and for those
/// who are likely to publish again: on a queue each such wait would take a timer and two more hops.
final class StoreWriter: @unchecked Sendable {
    private struct Submission: Sendable {
        var changes: [StoreChange]
        var completion: @Sendable (Bool) -> Void
    }

    /// What others have asked for.
    private struct Orders: Sendable {
        var submissions: [Submission] = []
        /// Publishers that wait for them.
        var waiting = 0
        /// Told once all of them are committed.
        var drained: DispatchSemaphore?
        /// Whether the thread is to end, and whether that is an end in order.
        var end: (isWhole: Bool, ended: DispatchSemaphore)?

        var areUrgent: Bool { drained != nil || end != nil }
    }

    private struct Shared {
        var orders = Orders()
        /// While the thread sleeps: how many publishers wake it; 0: whatever comes.
        var wakesAt: Int?
    }

    /// The key of the hashes of ids.
    let key: UInt128
    /// No session begins its versions of this life below it.
    let floor: Int
    /// How many of `floor` are due to the lives before this one, in which as many may have been
    /// told that were not stored.
    let left: Int
    /// Of the store; see `StoreIdentity`.
    let life: Int
    /// Nanoseconds between two trials to begin.
    private static var retryNanoseconds: Int { 250_000_000 }
    private let store: any Store
    private let begun: Atomic<Bool>
    /// When the commit under way began, on the monotonic clock; 0: none is.
    private let underWay = Atomic<Int>(0)
    private let isFailing = Atomic<Bool>(false)
    private let counters: Counters
    private let log: Log
    private var shared = Shared()
    /// Of `shared`. One that the thread sanitizer sees, which `Mutex` is not on Linux.
    private let lock = NSLock()
    /// Signalled when there is something to do for the thread that sleeps.
    private let alarm: CInt
    /// How many are likely to publish again, when the last commit ended, and how long it took, in
    /// nanoseconds.
    private var last = (expected: 0, ended: 0, took: 0)
    private var nextTrial = 0
    private var hasFailed = false
    /// Whether the log says so last.
    private var hasComplained = false
    private var nextComplaint = 0

    init(_ store: any Store, counters: Counters, log: Log) throws(StartError) {
        self.store = store
        self.counters = counters
        self.log = log
        key = store.identity.key
        life = store.identity.life
        left = life * Limits.versionsUnstoredMax
        floor = store.identity.floor + left
        begun = Atomic(store.hasBegun)
        alarm = gs_eventfd_open()
        guard alarm >= 0 else { throw StartError("cannot open an eventfd") }
        if !store.hasBegun {
            log.tell(.storeUnbegun)
        }
        let thread = Thread { self.run() }
        thread.name = "gestured.store"
        thread.start()
    }

    /// Whether the store's life has begun; see `Store`.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    // MARK: From elsewhere

    /// How it stands at a time on the monotonic clock.
    func health(at time: Int) -> StoreHealth {
        let began = underWay.load(ordering: .relaxed)
        let seconds = began == 0 ? 0 : (time - began) / 1_000_000_000
        if seconds >= StoreHealth.patienceSeconds { return .waiting(seconds: seconds) }
        return isFailing.load(ordering: .relaxed) || !hasBegun ? .failing : .good
    }

    /// Commits changes; `completion` is told on the store's thread whether they are durable.
    ///
    /// What is submitted first is committed no later; `waiting` publishers want to be answered.
    func submit(
        _ changes: [StoreChange], waiting: Int, completion: @escaping @Sendable (Bool) -> Void
    ) {
        order {
            $0.submissions.append(Submission(changes: changes, completion: completion))
            $0.waiting += waiting
        }
    }

    /// Commits everything submitted so far, and waits until it is told; false: whoever waits has
    /// given up, which is asked ten times a second, for a disk that hangs holds a commit for ever.
    func drain(unless isGivenUp: () -> Bool) -> Bool {
        let drained = DispatchSemaphore(value: 0)
        order { $0.drained = drained }
        return drained.wait(unless: isGivenUp)
    }

    /// Ends, in order if everything `isWhole`; false as for `drain`. Called once the lanes have
    /// stopped.
    func stop(isWhole: Bool, unless isGivenUp: () -> Bool) -> Bool {
        let ended = DispatchSemaphore(value: 0)
        order { $0.end = (isWhole, ended) }
        return ended.wait(unless: isGivenUp)
    }

    private func order(_ change: (inout Orders) -> Void) {
        let hasToWake = lock.withLock {
            change(&shared.orders)
            guard let count = shared.wakesAt else { return false }
            guard shared.orders.waiting >= count || shared.orders.areUrgent else { return false }
            shared.wakesAt = nil
            return true
        }
        if hasToWake { gs_eventfd_signal(alarm) }
    }

    /// Another view of what is committed, for one lane.
    func makeReader() throws(StoreError) -> any StoreReader { try store.makeReader() }

    // MARK: On the thread

    private func run() {
        while true {
            let orders = takeOrders()
            if !orders.submissions.isEmpty {
                commit(orders)
            } else if !hasBegun, Clock.monotonic() >= nextTrial {
                // Tries until something could be committed.
                _ = attempt([])
                nextTrial = Clock.monotonic() + Self.retryNanoseconds
            }
            orders.drained?.signal()
            if let end = orders.end {
                close(isWhole: end.isWhole)
                return _ = end.ended.signal()
            }
        }
    }

    /// Sleeps until it is time for a commit, or for something else.
    ///
    /// Those that the last commit answered are likely to publish again, and one commit for all of
    /// them is done sooner than one for each; so they are waited for as long as a commit takes.
    private func takeOrders() -> Orders {
        while true {
            let now = Clock.monotonic()
            let patience = last.ended + self.patience - now
            let orders: Orders? = lock.withLock {
                let isTime = patience <= 0 || shared.orders.waiting >= last.expected
                if shared.orders.areUrgent || (isTime && !shared.orders.submissions.isEmpty) {
                    defer { shared.orders = Orders() }
                    return shared.orders
                }
                shared.wakesAt = patience <= 0 ? 0 : last.expected
                return nil
            }
            if let orders { return orders }
            if !hasBegun, now >= nextTrial {
                lock.withLock { shared.wakesAt = nil }
                return Orders()
            }
            let trial = hasBegun ? Int.max : nextTrial - now
            let rest = patience <= 0 ? trial : min(patience, trial)
            gs_eventfd_wait(alarm, rest == .max ? -1 : Int64(rest))
            lock.withLock { shared.wakesAt = nil }
        }
    }

    /// As long as a commit takes, within bounds in nanoseconds.
    private var patience: Int { min(max(last.took, 200_000), 2_000_000) }

    private func commit(_ orders: Orders) {
        let began = Clock.monotonic()
        let isDurable = attempt(orders.submissions.flatMap(\.changes))
        let ended = Clock.monotonic()
        // Those that came meanwhile and those that are answered now may as well come together.
        let behind = lock.withLock { shared.orders.waiting }
        let all = orders.waiting + behind
        last = (all <= Limits.gatheredMax ? all : all / 2, ended, ended - began)
        counters.add(isDurable ? .commits : .commitsFailed)
        counters.add(.commitMicroseconds, last.took / 1_000)
        for submission in orders.submissions { submission.completion(isDurable) }
    }

    private func attempt(_ changes: [StoreChange]) -> Bool {
        underWay.store(Clock.monotonic(), ordering: .relaxed)
        defer { underWay.store(0, ordering: .relaxed) }
        do throws(StoreError) {
            defer { begun.store(store.hasBegun, ordering: .releasing) }
            try store.commit(changes)
            recovered()
            return true
        } catch {
            complain(error)
            return false
        }
    }

    private func complain(_ error: StoreError) {
        hasFailed = true
        isFailing.store(true, ordering: .relaxed)
        let now = Clock.monotonic()
        guard now >= nextComplaint else { return }
        nextComplaint = now + 1_000_000_000
        hasComplained = true
        log.tell(.storeFails, "\(error)")
    }

    /// A nearly full disk takes some and not others, which is no news each time.
    private func recovered() {
        hasFailed = false
        isFailing.store(false, ordering: .relaxed)
        guard hasComplained else { return }
        hasComplained = false
        log.tell(.storeBack)
    }

    private func close(isWhole: Bool) {
        // What could not be stored makes no end in order.
        guard isWhole, !hasFailed else { return }
        do throws(StoreError) {
            try store.close()
        } catch {
            log.tell(.storeNotClosed, "\(error)")
        }
    }
}

extension DispatchSemaphore {
    /// Returns false if it is given up first.
    fileprivate func wait(unless isGivenUp: () -> Bool) -> Bool {
        while wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if isGivenUp() { return false }
        }
        return true
    }
}
