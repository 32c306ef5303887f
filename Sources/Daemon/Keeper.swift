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
        /// Publishers that wait for it.
        var waiting: Int
        var completion: @Sendable (Bool) -> Void
    }

    /// What is between one commit and the next.
    private enum Gathering {
        /// Nothing has come. Can become: underWay, due.
        case idle
        /// Those that the last commit answered are likely to be back soon. Can become: due.
        case underWay
        /// A commit is queued; what comes before it runs goes along. Can become: idle.
        case due
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
    /// Milliseconds between two trials to begin.
    private static var retryMilliseconds: Int { 250 }
    private let store: any Store
    private let begun: Atomic<Bool>
    /// When the commit under way began, on the monotonic clock; 0: none is.
    private let underWay = Atomic<Int>(0)
    private let isFailing = Atomic<Bool>(false)
    private let queue = DispatchQueue(label: "gestured.store", qos: .userInitiated)
    private let counters: Counters
    private let log: Log
    private let timer: any DispatchSourceTimer
    private var submissions: [Submission] = []
    private var gathering = Gathering.idle
    /// How many the last commit answered, when it ended, and how long it took, in nanoseconds.
    private var last = (answered: 0, ended: 0, took: 0)
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
        left = life * Limits.versionsUnstoredMax
        floor = store.identity.floor + left
        begun = Atomic(store.hasBegun)
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.setEventHandler { [weak self] in self?.considerCommit(hasWaited: true) }
        timer.activate()
        if !store.hasBegun {
            log.tell(.storeUnbegun)
            queue.async { self.begin() }
        }
    }

    /// Whether the store's life has begun; see `Store`.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// How it stands at a time on the monotonic clock; any thread may ask.
    func health(at time: Int) -> StoreHealth {
        let began = underWay.load(ordering: .relaxed)
        let seconds = began == 0 ? 0 : (time - began) / 1_000_000_000
        if seconds >= StoreHealth.patienceSeconds { return .waiting(seconds: seconds) }
        return isFailing.load(ordering: .relaxed) || !hasBegun ? .failing : .good
    }

    /// Tries until something could be committed.
    private func begin() {
        guard !hasBegun else { return }
        _ = attempt([])
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.retryMilliseconds)) { [weak self] in
            self?.begin()
        }
    }

    /// Commits changes; `completion` is told on the store's queue whether they are durable.
    ///
    /// What is submitted first is committed no later; `waiting` publishers want to be answered.
    func submit(
        _ changes: [StoreChange], waiting: Int, completion: @escaping @Sendable (Bool) -> Void
    ) {
        queue.async {
            self.submissions.append(
                Submission(changes: changes, waiting: waiting, completion: completion))
            self.considerCommit()
        }
    }

    /// Commits now, or waits for those that the last commit answered: they are likely to publish
    /// again, and one commit for all of them is done sooner than one for each.
    private func considerCommit(hasWaited: Bool = false) {
        guard gathering != .due, !submissions.isEmpty else { return }
        let waiting = submissions.reduce(0) { $0 + $1.waiting }
        let rest = last.ended + patience - Clock.monotonic()
        if hasWaited || waiting >= last.answered || rest <= 0 {
            gathering = .due
            queue.async { self.commit() }
        } else if gathering == .idle {
            gathering = .underWay
            timer.schedule(
                deadline: .now() + .nanoseconds(rest), leeway: .nanoseconds(0))
        }
    }

    /// As long as a commit takes, within bounds in nanoseconds.
    private var patience: Int { min(max(last.took, 200_000), 2_000_000) }

    private func commit() {
        let submissions = self.submissions
        self.submissions = []
        gathering = .idle
        guard !submissions.isEmpty else { return }
        let began = Clock.monotonic()
        let isDurable = attempt(submissions.flatMap(\.changes))
        let ended = Clock.monotonic()
        last = (submissions.reduce(0) { $0 + $1.waiting }, ended, ended - began)
        counters.add(isDurable ? .commits : .commitsFailed)
        counters.add(.commitMicroseconds, last.took / 1_000)
        for submission in submissions { submission.completion(isDurable) }
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

    /// Another view of what is committed, for one lane.
    func makeReader() throws(StoreError) -> any StoreReader { try store.makeReader() }

    /// Ends, in order if everything `isWhole`. Called once the lanes have stopped.
    func stop(isWhole: Bool) {
        queue.sync {
            // What could not be stored makes no end in order.
            guard isWhole, !hasFailed else { return }
            do throws(StoreError) {
                try store.close()
            } catch {
                log.tell(.storeNotClosed, "\(error)")
            }
        }
    }

    /// Commits everything submitted so far, and waits until it is told.
    func drain() { queue.sync { commit() } }
}
