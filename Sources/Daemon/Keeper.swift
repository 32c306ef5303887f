import Dispatch
import Sessions
import Store
import Synchronization

/// The store on a serial queue of its own: it commits what the lanes hand in, and tells them.
///
/// What is handed in while a commit runs is committed together by the next one. Only `submit`,
/// `stop` and `makeReader` may be used from elsewhere; the rest is touched on the queue alone,
/// hence unchecked.
final class Keeper: @unchecked Sendable {
    private struct Submission {
        var changes: [StoreChange]
        var completion: @Sendable (Bool) -> Void
    }

    /// The key of the hashes of ids.
    let key: UInt128
    /// No session that is not kept begins its versions at or below it.
    let floor: Int
    /// Of the store; see `StoreIdentity`.
    let life: Int
    private let store: any Store
    private let queue = DispatchQueue(label: "gestured.store", qos: .userInitiated)
    private let counters: Counters
    private let log: Log
    private var waiting: [Submission] = []
    private var isCommitting = false
    private var hasFailed = false
    /// Whether the log says so last.
    private var hasComplained = false
    private var nextComplaint = 0

    init(_ store: any Store, counters: Counters, log: Log) {
        self.store = store
        self.counters = counters
        self.log = log
        key = store.identity.key
        life = store.identity.life
        floor = store.identity.floor + life * Limits.versionsUnstoredMax
    }

    /// Commits changes; `completion` is told on the store's queue whether they are durable.
    func submit(_ changes: [StoreChange], completion: @escaping @Sendable (Bool) -> Void) {
        queue.async {
            self.waiting.append(Submission(changes: changes, completion: completion))
            guard !self.isCommitting else { return }
            self.isCommitting = true
            // What other lanes have handed in by then comes along.
            self.queue.async { self.commit() }
        }
    }

    private func commit() {
        let submissions = waiting
        waiting = []
        isCommitting = false
        let began = Clock.monotonic()
        var isDurable = true
        do throws(StoreError) {
            try store.commit(submissions.flatMap(\.changes))
            recovered()
        } catch {
            isDurable = false
            complain(error)
        }
        counters.add(isDurable ? .commits : .commitsFailed)
        counters.add(.commitMicroseconds, (Clock.monotonic() - began) / 1_000)
        for submission in submissions { submission.completion(isDurable) }
    }

    private func complain(_ error: StoreError) {
        hasFailed = true
        let now = Clock.monotonic()
        guard now >= nextComplaint else { return }
        nextComplaint = now + 1_000_000_000
        hasComplained = true
        log.warning("nothing can be stored, it is tried again: \(error)")
    }

    /// A nearly full disk takes some and not others, which is no news each time.
    private func recovered() {
        hasFailed = false
        guard hasComplained else { return }
        hasComplained = false
        log.info("it can be stored again")
    }

    /// Another view of what is committed, for one lane.
    func makeReader() throws(StoreError) -> any StoreReader { try store.makeReader() }

    /// Waits for what was handed in, and ends in order. Called once the lanes have stopped.
    func stop() {
        queue.sync {
            // What could not be stored makes no end in order.
            guard !hasFailed else { return }
            do throws(StoreError) {
                try store.close()
            } catch {
                log.warning("the store could not be closed in order: \(error)")
            }
        }
    }

    /// Waits until everything handed in so far is committed and told.
    func drain() {
        // The commit itself is queued by the first of its submissions.
        queue.sync {}
        queue.sync {}
    }
}
