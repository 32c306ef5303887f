import CSystem
import Glibc
import Membership
import Notation
import Store
import Synchronization
import Threads

/// The thread of a member's life: it asks the database what ``MemberLife`` wants to know, and hands
/// its orders to the reactor.
///
/// Lanes, store and reactor report by `send`; the reactor takes orders once a round (`takeOrders`).
/// `isLeased` tells whether the lease holds, to any thread. The thread alone touches the life and
/// the engine, and `lock` guards what it shares; the compiler cannot check that. It is a thread and
/// no queue because it waits for the database.
final class ClusterDriver: @unchecked Sendable {
    /// Work for the reactor, in this order.
    enum Order: Sendable {
        case map(ClusterMap)
        /// The lanes take shards; their changes are stored under this fence.
        case take([ShardRight], StoreFence)
        /// The lanes have restored what moves in these shards.
        case open([ShardRight])
        case prepare(MemberLife.HandOver)
        case keep(MemberLife.HandOver)
        case drop([Int])
        case dropAll
        case probe
        case finish
        case ended(inOrder: Bool)
    }

    private struct Shared {
        var inputs: [MemberLife.Input] = []
        var orders: [Order] = []
        /// The lanes of the hand-over under way that have not stored everything.
        var lanesLeft = 0
        var handOver = 0
        var figures = MemberLife.Figures()
    }

    private let engine: any Cluster & Store
    private var life: MemberLife
    private var wasLeased = true
    /// Why the last renewal failed; nil: none has since the lease was last held anew.
    private var renewalFailure: StoreError?
    private let leaseSeconds: Double
    /// Follows the database's time.
    private let wallClock: WallClock
    private let log: Log
    /// Wakes the reactor.
    private let outbox: Outbox
    /// Wakes the thread.
    private let alarm: CInt
    private var shared = Shared()
    private let lock = Lock()
    private let orderCount = Atomic<Int>(0)
    private let hasMap = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)
    private let lease: LeaseWatch

    init(
        _ engine: any Cluster & Store, leaseSeconds: Double, joined: Int, wallClock: WallClock,
        outbox: Outbox, log: Log
    ) throws(StartError) {
        self.wallClock = wallClock
        self.engine = engine
        self.leaseSeconds = leaseSeconds
        self.outbox = outbox
        self.log = log
        life = MemberLife(
            member: engine.member, shards: engine.shards,
            tuning: MemberLife.Tuning(leaseSeconds: leaseSeconds), joined: joined)
        lease = LeaseWatch(until: life.leasedUntil)
        alarm = gs_eventfd_open()
        guard alarm >= 0 else { throw StartError("cannot open an eventfd") }
    }

    /// The map before anything is known.
    var firstMap: ClusterMap { life.map }

    func start() {
        // A commit may find out first that the member is gone, or that the database was away.
        engine.listen { [weak self] event in
            switch event {
            case .disconnected: self?.send(.disconnected)
            case .lost(let member): self?.send(.lost(member: member))
            }
        }
        Thread.start("gestured.member") { self.run() }
    }

    // MARK: From elsewhere

    /// Whether nobody else can own what this member owns. If not, nothing is told before a renewal.
    var isLeased: Bool { lease.isHeld }

    /// Waits until the members and shards are known, `firstLookSecondsMax` at most.
    func awaitMap() {
        let end = Clock.monotonic() + Limits.firstLookSecondsMax * 1_000_000_000
        while !hasMap.load(ordering: .acquiring), Clock.monotonic() < end { usleep(1_000) }
    }

    /// All lanes have stored all they had: waits until what the member still owns is let go, the
    /// seconds of `MemberLife.Tuning.leave` at most.
    func finish(unless isGivenUp: () -> Bool) {
        send(.finished)
        while !hasEnded.load(ordering: .acquiring), !isGivenUp() { usleep(1_000) }
    }

    /// Takes over the totals since the start.
    func count(into counters: Counters) {
        let (life, engine) = (lock.withLock { shared.figures }, engine.figures)
        counters.set(.shardsClaimed, life.claimed)
        counters.set(.shardsHandedOver, life.handedOver)
        counters.set(.shardsLost, life.lost)
        counters.set(.leasesLate, life.late)
        counters.set(.storeLost, engine.lost)
        counters.set(.storeReconnects, engine.reconnects)
        counters.set(.storeUnknown, engine.unknown)
    }

    /// Whether orders wait.
    var hasOrders: Bool { orderCount.load(ordering: .acquiring) > 0 }

    func takeOrders() -> [Order] {
        lock.withLock {
            defer { shared.orders = [] }
            orderCount.store(0, ordering: .relaxed)
            return shared.orders
        }
    }

    func send(_ input: MemberLife.Input) {
        lock.withLock { shared.inputs.append(input) }
        gs_eventfd_signal(alarm)
    }

    /// A lane has restored what moves in these shards.
    func taken(_ rights: [ShardRight]) {
        order(.open(rights))
        send(.taken(rights))
    }

    /// So many lanes prepare a hand-over.
    func expect(_ handOver: MemberLife.HandOver, lanes: Int) {
        lock.withLock {
            shared.handOver = handOver.number
            shared.lanesLeft = lanes
        }
        if lanes == 0 { send(.prepared(handOver.number)) }
    }

    /// A lane has prepared its part of a hand-over, or could not.
    func prepared(_ number: Int, isDone: Bool) {
        let isLast = lock.withLock {
            guard shared.handOver == number else { return false }
            shared.lanesLeft -= 1
            return shared.lanesLeft == 0
        }
        if !isDone {
            send(.unprepared(number))
        } else if isLast {
            send(.prepared(number))
        }
    }

    /// Asks before something is told; see ``LeaseWatch``.
    func confirmLease() -> Bool { lease.confirm { send(.woken) } }

    private func order(_ order: Order) {
        lock.withLock {
            shared.orders.append(order)
            orderCount.store(shared.orders.count, ordering: .releasing)
        }
        outbox.wake()
    }

    // MARK: On the thread

    private func run() {
        var actions = life.take(.timer, at: Clock.boot())
        while true {
            var next: MemberLife.Input?
            var end: Int?
            for action in actions {
                switch perform(action) {
                case .goOn: break
                case .answer(let answer): next = .answered(answer)
                // Each input's actions end with what to wait for: the last one holds.
                case .wait(let until): end = until
                case .end: return
                }
            }
            if next == nil {
                if let end { next = wait(until: end) }
                gs_eventfd_clear(alarm)
            }
            let inputs = lock.withLock {
                defer { shared.inputs = [] }
                return shared.inputs
            }
            actions.removeAll(keepingCapacity: true)
            for input in inputs { life.take(input, at: Clock.boot(), into: &actions) }
            if let next { life.take(next, at: Clock.boot(), into: &actions) }
            lock.withLock { shared.figures = life.figures }
            reportLease()
        }
    }

    /// Says in the log when the lease is over, and when it holds again.
    private func reportLease() {
        guard wasLeased != life.isLeased(at: Clock.boot()) else { return }
        wasLeased.toggle()
        if wasLeased {
            log.write(.leaseBack)
        } else {
            let why = renewalFailure.map { "\($0)" }
            log.write(.leaseLate, why ?? "the database has not answered in time")
        }
    }

    private enum Performed {
        case goOn
        case answer(MemberLife.Answer)
        case wait(until: Int)
        case end
    }

    private func perform(_ action: MemberLife.Action) -> Performed {
        switch action {
        case .ask(let call):
            let answer = ask(call)
            if answer == .lost { lease.lose(true) }
            if case .renew = call { lease.renewed() }
            return .answer(answer)
        case .wait(let until): return .wait(until: until)
        case .probeLanes: order(.probe)
        case .leased(let until):
            renewalFailure = nil
            lease.hold(until: until)
        case .take(let rights):
            lease.lose(false)
            order(.take(rights, engine.fence))
        case .prepare(let handOver): order(.prepare(handOver))
        case .keep(let handOver): order(.keep(handOver))
        case .drop(let shards): order(.drop(shards))
        case .dropAll:
            lease.lose(true)
            log.write(.memberLost, "another member has taken over; this one joins anew")
            order(.dropAll)
        case .mapChanged:
            order(.map(life.map))
            if life.map.version > 0 { hasMap.store(true, ordering: .releasing) }
        case .finish: order(.finish)
        case .ended(let inOrder):
            hasEnded.store(true, ordering: .releasing)
            order(.ended(inOrder: inOrder))
            return .end
        }
        return .goOn
    }

    /// Waits for a time, for news, or for an input.
    private func wait(until end: Int) -> MemberLife.Input {
        let rest = max(0, end - Clock.boot())
        let isNews = engine.waitForNews(
            milliseconds: min((rest + 999_999) / 1_000_000, 60_000), unless: alarm)
        return isNews ? .woken : .timer
    }

    private func ask(_ call: MemberLife.Call) -> MemberLife.Answer {
        do throws(StoreError) {
            switch call {
            case .renew:
                let renewal = try engine.renew(seconds: leaseSeconds)
                wallClock.follow(database: renewal.clock, at: Clock.boot())
                return .renewed(renewal)
            case .members: return .members(try engine.members())
            case .shards: return .shards(try engine.shardRows())
            case .fence(let member):
                let isEnded = try engine.fence(member)
                if isEnded { log.write(.memberFenced, "member \(member): its lease was over") }
                return .fenced(isEnded)
            case .claim(let rows): return .claimed(try engine.claim(rows))
            case .handOver(let shards, let heir):
                return .handedOver(try engine.handOver(shards, to: heir))
            case .setLeaving:
                try engine.setLeaving()
                return .done
            case .setGone:
                try engine.setGone()
                return .done
            case .join:
                let member = try engine.rejoin()
                log.write(.memberJoined, "as member \(member)")
                return .joined(member)
            }
        } catch {
            switch call {
            case .join: log.write(.memberOutside, "\(error)")
            case .renew: renewalFailure = error
            default: break
            }
            return error.recovery == .notOwner ? .lost : .failed
        }
    }
}

extension Limits {
    /// Seconds for which a start waits to learn of the other members; then it answers that nobody
    /// owns anything, and clients ask again.
    static let firstLookSecondsMax = 2
}
