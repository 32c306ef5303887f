/// When round trips begin, and what their coming back or not tells of the lanes.
///
/// There is at most one on its way, so that a lane that stands still gathers none.
struct Watchdog {
    /// Nanoseconds between two of them where no service manager asks for more of them.
    private static var intervalMax: Int { 2_500_000_000 }

    /// A quarter of the manager's time: so it is fed within half of it, and has some patience.
    let interval: Int
    /// When the next one is due, on the monotonic clock.
    private(set) var due: Int
    private var barrier: Barrier?
    /// Whether it was said that the one on its way is late.
    private var isLate = false

    init(patience: Int?, at time: Int) {
        interval = max(1_000_000, min(Self.intervalMax, (patience ?? .max) / 4))
        due = time
    }

    enum Verdict: Equatable {
        /// One is to be sent.
        case begin
        /// The one on its way is late since so many nanoseconds; told once.
        case late([Int], after: Int)
        case none
    }

    /// Decides what to do when a barrier is due, or may be.
    mutating func judge(at time: Int) -> Verdict {
        guard time >= due else { return .none }
        due = time + interval
        guard let barrier else { return .begin }
        let age = time - barrier.began
        guard !isLate, age >= 2 * interval else { return .none }
        isLate = true
        return .late(barrier.missing, after: age)
    }

    mutating func begin(_ barrier: Barrier) { self.barrier = barrier }

    /// Takes one that came back; how late it was, if that was said, else nil.
    mutating func take(_ barrier: Barrier, at time: Int) -> Int? {
        guard barrier === self.barrier else { return nil }
        self.barrier = nil
        defer { isLate = false }
        return isLate ? time - barrier.began : nil
    }
}
