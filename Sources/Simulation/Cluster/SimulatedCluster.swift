import Geometry
import Membership

/// Several daemons and their database on virtual time, with faults: the same seed gives the same
/// run.
///
/// Each daemon's `MemberLife` is the real one. Statements take their time to the database and back;
/// they may be lost, be held and arrive later, or be carried out without an answer. Publishers
/// repeat what is not acknowledged. The promises are checked after each event; one that
/// is broken is a violation.
package struct SimulatedCluster: Sendable {
    typealias Request = SimulatedDaemon.Request
    typealias Publish = SimulatedDaemon.Publish

    enum Event: Sendable {
        case start(daemon: Int)
        case timer(daemon: Int, run: Int, number: Int)
        case arrive(Request)
        case answer(Request, ClusterDatabase.Reply)
        case timeout(Request)
        case reconnect(daemon: Int, run: Int)
        /// A call that found no connection in time.
        case unsent(daemon: Int, run: Int, call: Int)
        case input(daemon: Int, run: Int, MemberLife.Input)
        case publish(Publish, attempt: Int)
        case deliver(Publish, daemon: Int)
        case fault(ClusterFault)
    }

    /// How long each thing takes or is waited for, in nanoseconds.
    enum Times {
        static let call = 700_000_000
        static let statement = 2_000_000_000
        static let publisher = 1_000_000_000
        static let motion = 600_000_000
        static let reconnect = 100_000_000
    }

    package let without: Set<ClusterGuard>
    package internal(set) var now = 0
    package internal(set) var database: ClusterDatabase
    package internal(set) var daemons: [SimulatedDaemon]
    /// Publishes that were acknowledged.
    package internal(set) var acknowledged: Set<Int> = []
    /// Promises that were broken, in the order in which they were.
    package internal(set) var violations: [String] = []
    /// Publishes without an acknowledgement, with their attempts.
    var open: [Int: Int] = [:]
    var random: SplitMix64
    var queue = EventQueue<Event>()
    var tuning: MemberLife.Tuning
    var weather = ClusterWeather()
    var record = ClusterRecord()
    var requestsMade = 0
    var publishesMade = 0
    var exportsMade = 0

    package init(
        daemons count: Int, shards: Int, seed: UInt64, without: Set<ClusterGuard> = []
    ) {
        self.without = without
        database = ClusterDatabase(shards: shards, without: without)
        daemons = (0..<count).map { SimulatedDaemon(place: $0, shards: shards) }
        random = SplitMix64(seed: seed)
        tuning = MemberLife.Tuning(leaseSeconds: 1.5)
        if without.contains(.quietLease) { tuning.quiet = 0 }
        weather = ClusterWeather(daemons: count)
        record = ClusterRecord(shards: shards)
        for place in 0..<count { queue.add(.start(daemon: place), at: place * 10_000_000) }
    }

    /// Goes on until this time.
    package mutating func run(until end: Int) {
        while let time = queue.nextTime, time <= end, let (time, event) = queue.next() {
            now = time
            take(event)
            check()
        }
        now = end
    }

    /// A time that a message needs, or a lane.
    mutating func latency() -> Int { random.whole(in: 100_000...1_500_000) }

    // MARK: Events

    private mutating func take(_ event: Event) {
        if let place = daemon(of: event), daemons[place].pausedUntil > now {
            return queue.add(event, at: daemons[place].pausedUntil)
        }
        switch event {
        case .start(let place): start(place)
        case .timer(let place, let run, let number):
            if isCurrent(place, run), daemons[place].timer == number { tell(place, .timer) }
        case .arrive(let request): arrive(request)
        case .answer(let request, let reply): answer(request, reply)
        case .timeout(let request):
            if isCurrent(request.daemon, request.run),
                daemons[request.daemon].line.waiting[request.number] != nil
            {
                cut(request.daemon)
            }
        case .reconnect(let place, let run): if isCurrent(place, run) { reconnect(place) }
        case .unsent(let place, let run, let call):
            if isCurrent(place, run), daemons[place].line.unsent != nil,
                daemons[place].line.call == call
            {
                daemons[place].line.unsent = nil
                tell(place, .answered(.failed))
            }
        case .input(let place, let run, let input):
            if isCurrent(place, run) { tell(place, input) }
        case .publish(let publish, let attempt): send(publish, attempt)
        case .deliver(let publish, let place): deliver(publish, to: place)
        case .fault(let fault): befall(fault)
        }
    }

    /// The daemon that has to run to take an event.
    private func daemon(of event: Event) -> Int? {
        switch event {
        case .timer(let place, _, _), .reconnect(let place, _), .unsent(let place, _, _),
            .input(let place, _, _), .deliver(_, let place):
            place
        case .answer(let request, _), .timeout(let request): request.daemon
        case .start, .arrive, .publish, .fault: nil
        }
    }

    func isCurrent(_ place: Int, _ run: Int) -> Bool {
        daemons[place].isRunning && daemons[place].run == run
    }

    // MARK: Daemons

    mutating func start(_ place: Int) {
        guard !daemons[place].isRunning else {
            // It is still leaving.
            return queue.add(.start(daemon: place), at: now + Times.reconnect)
        }
        let run = daemons[place].run + 1
        daemons[place] = SimulatedDaemon(place: place, shards: database.shards.count)
        daemons[place].run = run
        daemons[place].isRunning = true
        join(place)
    }

    mutating func kill(_ place: Int) {
        daemons[place].isRunning = false
        daemons[place].life = nil
    }

    /// Gives a life what has happened, and does what it says.
    mutating func tell(_ place: Int, _ input: MemberLife.Input) {
        guard daemons[place].life != nil else { return }
        var actions: [MemberLife.Action] = []
        daemons[place].life?.take(input, at: now, into: &actions)
        for action in actions { perform(action, place) }
    }

    private mutating func perform(_ action: MemberLife.Action, _ place: Int) {
        switch action {
        case .ask(let call): ask(call, place)
        case .wait(let until):
            daemons[place].timer += 1
            let number = daemons[place].timer
            let run = daemons[place].run
            queue.add(.timer(daemon: place, run: run, number: number), at: max(until, now))
        case .probeLanes: report(.lanesAnswered, place)
        case .leased, .mapChanged: break
        case .take(let rights): come(rights, place)
        case .prepare(let handOver): prepare(handOver, place)
        case .keep(let handOver): keep(handOver, place)
        case .drop(let shards): drop(shards, place)
        case .dropAll: drop(Array(database.shards.indices), place)
        case .finish:
            daemons[place].lanes.isFinishing = true
            store(place)
        case .ended: kill(place)
        }
    }

    /// An answer of the lanes, once they do not hang.
    mutating func report(_ input: MemberLife.Input, _ place: Int) {
        let time = max(now + latency(), daemons[place].lanes.hangsUntil)
        queue.add(.input(daemon: place, run: daemons[place].run, input), at: time)
    }
}
