import Notation

/// The work of a lane in the time that events and frames leave.
///
/// A turn of the lane (`Lane+Turn`) moves the light sessions that are due, performs events for one
/// piece of time, and then serves from here: a look at one of the ``HeavySessions`` and one of the
/// ``CostlyWork`` by turns, one at a time. So whatever sessions and requests cost, what is
/// light waits for one of them at most. Used on the lane's queue alone.
final class SpareTime {
    var costly = CostlyWork()
    /// Whether a look at a heavy session is next, if one is due.
    private var isHeavyNext = true
    /// When it was served last, on the monotonic clock.
    private var lastServed = 0
    /// Whether requests wait for the outbox, and a look at it is queued.
    var awaitsOutbox = false

    /// Whether it was not served for so long that the others must wait for once.
    func isOverdue(at time: Int) -> Bool {
        time - lastServed > Limits.spareMillisecondsMax * 1_000_000
    }

    func served(at time: Int) { lastServed = time }

    /// Whether a heavy session comes first this time, before costly work. The next call gives the
    /// other answer.
    func takesHeavyFirst() -> Bool {
        defer { isHeavyNext.toggle() }
        return isHeavyNext
    }
}

extension Limits {
    /// Milliseconds after which a lane that is never done serves heavy sessions and costly
    /// requests all the same, once.
    static let spareMillisecondsMax = 50
}
