import Geometry
import Notation
import Store
import Synchronization
import Threads

/// The wall clock by which stored sessions are marked as used and expire, for all lanes.
///
/// Each question reads the clocks; the store's thread asks each second. Each change of
/// `ClockWatch` is logged and counted. Marks that a change has made wrong are put right in the
/// store by one lane, and no lane lets a session expire before that is durable. Any thread may use
/// it: `lock` guards `state`, which the compiler cannot check.
final class WallClock: @unchecked Sendable {
    private struct State {
        var watch: ClockWatch
        /// Marks to put right, in seconds; nil: none.
        var wrongMarks: Range<Int>?
        /// The ones that the store puts right now.
        var marksUnderRepair: Range<Int>?

        /// All marks between two wrong ones were made in this run, too.
        mutating func add(_ marks: Range<Int>) {
            let former = wrongMarks ?? marks
            wrongMarks =
                min(former.lowerBound, marks.lowerBound)..<max(former.upperBound, marks.upperBound)
        }
    }

    private var state: State
    /// Nanoseconds from the boot's clock to the time of a database that several daemons share; 0:
    /// there is none.
    private let shared = Atomic<Int>(0)
    private let lock = Lock()
    private let counters: Counters
    private let log: Log

    /// `lastWrite`: see `ClockWatch`.
    init(lastWrite: Int? = nil, retentionSteps: Int = .max, counters: Counters, log: Log) {
        let gap = retentionSteps / Step.perSecond / 8
        let gapMax = min(max(gap, Limits.clockToleranceSeconds), Limits.clockGapSecondsMax)
        let reading = Clock.reading()
        let watch = ClockWatch(reading, lastWrite: lastWrite, gapMax: gapMax * 1_000_000_000)
        state = State(watch: watch)
        self.counters = counters
        self.log = log
        if !watch.isBelieved { report(.doubted(by: watch.error(at: reading))) }
    }

    /// Takes the time of the database, which all members mark by: their own clocks may be wrong.
    func follow(database microseconds: Int, at boot: Int) {
        shared.store(microseconds * 1_000 - boot, ordering: .relaxed)
    }

    private var databaseTime: Int? {
        let offset = shared.load(ordering: .relaxed)
        return offset == 0 ? nil : Clock.boot() + offset
    }

    /// Looks at the clocks.
    func check() { ask { _, _ in } }

    /// Seconds since the Unix epoch, to judge which sessions are too old; nil: nobody can say now.
    func expiryTime() -> Int? {
        if let time = databaseTime { return time / 1_000_000_000 }
        return ask { state, reading in
            guard state.watch.isBelieved, state.wrongMarks == nil else { return nil }
            return reading.wall / 1_000_000_000
        }
    }

    /// Seconds since the Unix epoch, as far as they are believed.
    func time() -> Int {
        databaseTime.map { $0 / 1_000_000_000 }
            ?? ask { $0.watch.time(at: $1) / 1_000_000_000 }
    }

    /// The mark of a session that was used so many nanoseconds ago, in seconds.
    func mark(age: Int) -> Int {
        databaseTime.map { ($0 - age) / 1_000_000_000 }
            ?? ask { ($0.watch.mark(at: $1) - age) / 1_000_000_000 }
    }

    /// Seconds by which the clock is ahead while it is doubted, negative: behind; 0: it is
    /// believed.
    func secondsWrong() -> Int { ask { $0.watch.error(at: $1) / 1_000_000_000 } }

    /// The change that puts marks right, once; `endRepair` follows it.
    func beginRepair() -> StoreChange? {
        ask { state, reading in
            guard state.watch.isBelieved, state.marksUnderRepair == nil,
                let marks = state.wrongMarks
            else { return nil }
            state.marksUnderRepair = marks
            return .refresh(lastUsed: marks, to: reading.wall / 1_000_000_000)
        }
    }

    func endRepair(isDurable: Bool) {
        lock.withLock {
            if isDurable, state.wrongMarks == state.marksUnderRepair { state.wrongMarks = nil }
            state.marksUnderRepair = nil
        }
    }

    private func ask<Answer>(_ body: (inout State, ClockWatch.Reading) -> Answer) -> Answer {
        let reading = Clock.reading()
        let (answer, change) = lock.withLock {
            let change = state.watch.take(reading)
            if let change {
                let wrong = state.watch.wrongMarks(after: change, at: reading)
                if let wrong { state.add(wrong) }
            }
            return (body(&state, reading), change)
        }
        if let change { report(change) }
        return answer
    }

    private func report(_ change: ClockWatch.Change) {
        switch change {
        case .doubted(let error):
            counters.add(.clockJumps)
            log.write(
                .clockDoubted,
                "it is \(Self.text(error)); it is believed once it has stood there for a while")
        case .returned: log.write(.clockBelieved, "it has come back, and sessions expire again")
        case .accepted(let error):
            log.write(
                .clockBelieved,
                "it has stood \(Self.text(error)) for long enough, and sessions expire again")
        }
    }

    private static func text(_ error: Int) -> String {
        "\(abs(error) / 1_000_000_000) s \(error > 0 ? "ahead of" : "behind") its time"
    }
}
