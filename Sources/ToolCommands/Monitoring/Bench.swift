import Commands
import Glibc

/// The measurements of `bench`, one after the other.
struct Bench {
    /// Latencies of one measurement that are kept; of more, the first ones count.
    static let latenciesMax = 2_000_000
    /// Events of one session that may be under way.
    private static let underWayMax = 4_096

    /// Durations in milliseconds, sorted.
    struct Latencies {
        private(set) var sorted: [Double] = []

        init(_ durations: [Duration]) { sorted = durations.map { $0 / .milliseconds(1) }.sorted() }

        var count: Int { sorted.count }

        /// The value below which a share lies; 0 where nothing was measured.
        func quantile(_ share: Double) -> Double {
            guard !sorted.isEmpty else { return 0 }
            let rank = Int((Double(sorted.count) * share).rounded(.up))
            return sorted[min(max(rank, 1), sorted.count) - 1]
        }
    }

    /// A measurement with many events under way.
    struct Load {
        var latencies: Latencies
        var events = 0
        /// States that came; fewer than events where the daemon merged some.
        var states = 0
        var seconds = 0.0
        /// The share of a core that this process itself used.
        var ownShare = 0.0
    }

    private let peer: BenchPeer
    private let window: Int
    private let timeout: Duration
    private let signals: InterruptSignals

    init(_ peer: BenchPeer, window: Int, timeout: Duration, _ signals: InterruptSignals) {
        self.peer = peer
        self.window = window
        self.timeout = timeout
        self.signals = signals
    }

    private func throwIfInterrupted() throws(Failure) {
        if let signal = signals.next() { throw .interrupted(signal) }
    }

    /// One event at a time, so many a second, each until its state is here.
    func measureAlone(rate: Double, for span: Duration) throws(Failure) -> Latencies {
        var durations: [Duration] = []
        let pause = Duration.nanoseconds(Int(1e9 / rate))
        var due = ContinuousClock.now
        let end = due + span
        var session = 0
        while .now < end {
            try throwIfInterrupted()
            let began = ContinuousClock.now
            let number = try peer.send(to: session)
            try waitForState(session, number, since: began)
            if durations.count < Self.latenciesMax { durations.append(.now - began) }
            session = (session + 1) % peer.names.count
            due += pause
            // A daemon that is slower than the rate is not asked to make it up.
            if due < .now { due = .now }
            Pause.wait(due - .now)
        }
        return Latencies(durations)
    }

    private func waitForState(
        _ session: Int, _ number: Int, since began: ContinuousClock.Instant
    ) throws(Failure) {
        while true {
            while let answer = try peer.answer() {
                if answer.session == session && answer.number == number { return }
            }
            try throwIfInterrupted()
            if .now - began > timeout { throw .daemon(Self.silence) }
            try peer.wait(milliseconds: 20)
        }
    }

    private static let silence: ShownText = "an event got no state: the daemon does not answer"

    /// As many events as go through while at most so many are under way.
    func measureLoad(for span: Duration) throws(Failure) -> Load {
        var load = Load(latencies: Latencies([]))
        var durations: [Duration] = []
        // The times of sending of each session's events that have no state yet.
        var waiting = Array(repeating: Queue(), count: peer.names.count)
        var underWay = 0
        var session = 0
        var silent = ContinuousClock.now
        let own = Self.processorSeconds()
        let began = ContinuousClock.now
        let end = began + span
        while .now < end || underWay > 0 {
            while underWay < window, .now < end {
                let now = ContinuousClock.now
                waiting[session].append(try peer.send(to: session), now)
                underWay += 1
                load.events += 1
                session = (session + 1) % peer.names.count
            }
            var isHeard = false
            while let answer = try peer.answer() {
                isHeard = true
                load.states += 1
                let now = ContinuousClock.now
                while let sent = waiting[answer.session].popFirst(upTo: answer.number) {
                    underWay -= 1
                    if durations.count < Self.latenciesMax { durations.append(now - sent) }
                }
            }
            if isHeard {
                silent = .now
                continue
            }
            try throwIfInterrupted()
            if .now - silent > timeout { throw .daemon(Self.silence) }
            try peer.wait(milliseconds: 20)
        }
        load.seconds = (.now - began) / .seconds(1)
        load.ownShare = (Self.processorSeconds() - own) / load.seconds
        load.latencies = Latencies(durations)
        return load
    }

    /// One acknowledged notification after the other.
    func measureAcknowledged(for span: Duration) throws(Failure) -> Latencies {
        var durations: [Duration] = []
        let end = ContinuousClock.now + span
        var number = 0
        while .now < end {
            try throwIfInterrupted()
            number += 1
            let began = ContinuousClock.now
            try peer.acknowledge(number, by: number % peer.names.count)
            if durations.count < Self.latenciesMax { durations.append(.now - began) }
        }
        return Latencies(durations)
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Events under way, in order.
    private struct Queue {
        private var entries: [(number: Int, sent: ContinuousClock.Instant)] = []
        private var taken = 0

        mutating func append(_ number: Int, _ sent: ContinuousClock.Instant) {
            if taken > Bench.underWayMax {
                entries.removeFirst(taken)
                taken = 0
            }
            entries.append((number, sent))
        }

        /// The first event, if a state shows it: one with this number or a later one.
        mutating func popFirst(upTo number: Int) -> ContinuousClock.Instant? {
            guard taken < entries.count else { return nil }
            let first = entries[taken]
            // Numbers begin anew after the last one.
            let ahead = (number - first.number + BenchPeer.numbersMax) % BenchPeer.numbersMax
            guard ahead < BenchPeer.numbersMax / 2 else { return nil }
            taken += 1
            return first.sent
        }
    }
}
