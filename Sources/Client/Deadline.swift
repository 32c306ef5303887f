/// The instant at which a wait ends.
struct Deadline: Sendable {
    private let instant: ContinuousClock.Instant

    init(milliseconds: Int) { instant = .now + .milliseconds(milliseconds) }

    /// The milliseconds left, rounded up so that no wait ends too early; 0 once it has passed.
    var milliseconds: Int {
        let (seconds, attoseconds) = (instant - .now).components
        let left =
            Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return max(0, left)
    }

    var isPast: Bool { milliseconds == 0 }
}
