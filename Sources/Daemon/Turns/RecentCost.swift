import Notation

/// The longest time that requests of one kind took the processor of late.
///
/// Most take microseconds and are performed among events. Where some take long, whosever they are,
/// all of the kind wait for the spare time, in which peers take turns, until they take much less:
/// between both ways requests would pile up in each.
struct RecentCost {
    private var nanoseconds = 0
    private(set) var isLong = false

    /// Notes one. The longest is forgotten little by little.
    mutating func note(nanoseconds taken: Int) {
        nanoseconds = max(taken, nanoseconds - nanoseconds / Limits.shortRequestsRemembered)
        let most = Limits.shortRequestMicrosecondsMax * 1_000
        if nanoseconds > most { isLong = true }
        if nanoseconds < most / 4 { isLong = false }
    }
}

extension Limits {
    /// Microseconds that a request takes at most where all of its kind are performed among events:
    /// as many as are read together take half a frame.
    static let shortRequestMicrosecondsMax = 500
    /// Each short request takes this part off what a long one took.
    static let shortRequestsRemembered = 16
}
