/// A point in time until which something is waited for.
struct Deadline: Sendable {
    private let instant: ContinuousClock.Instant

    init(milliseconds: Int) { instant = .now + .milliseconds(milliseconds) }

    /// Milliseconds that are left, rounded up so that a wait never ends too early; 0 once past.
    var milliseconds: Int {
        let (seconds, attoseconds) = (instant - .now).components
        let left =
            Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return max(0, left)
    }

    var isPast: Bool { milliseconds == 0 }
}
