import Notation
import Sessions

/// How many refusals are told of events that their senders may not publish. The reactor's own.
///
/// The sender chooses the topic and the body, and the session is another's: so these reports go to
/// `rejected/-` alone, and take nothing of what is told of the session's own events.
struct StrangersReports {
    /// By the clients' numbers.
    private var limits: [Int: SlidingLimit] = [:]
    private var all = SlidingLimit(
        countMax: Limits.strangersRejectionsPerSecondMax, span: 1_000_000_000)

    /// Whether one more of a client may be told at a time on the monotonic clock; if so, it counts.
    mutating func take(_ client: Int, at time: Int) -> Bool {
        let fresh = SlidingLimit(countMax: Limits.rejectionsPerSessionMax, span: 1_000_000_000)
        guard limits[client, default: fresh].take(at: time) else { return false }
        return all.take(at: time)
    }
}

extension Limits {
    /// Rejections told in a second of events that their senders may not publish, of all clients:
    /// ten of them may be at it, and `rejected/-` stays readable.
    static let strangersRejectionsPerSecondMax = 100
}
