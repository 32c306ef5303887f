import Notation
import Sessions
import Synchronization

/// A lane's load as the reactor sees it: how much work, and when. Both write it.
final class LaneLoad: Sendable {
    /// Blocks that the reactor has queued and the lane has not finished.
    let waiting = Atomic<Int>(0)
    /// Whether the lane runs a block that it queued itself: a timer, a piece of a sweep.
    let isAtWork = Atomic<Bool>(false)
    /// When the lane's timer fires next, on the monotonic clock.
    let nextTick = Atomic<Int>(.max)
    /// Until when the reactor leaves everything to the lane, because inline work took too long.
    private let inlineBackoffEnd = Atomic<Int>(0)
    /// Events that were submitted and are not done; the reactor stops reading at the bound.
    let pendingEvents = Atomic<Int>(0)
    /// Their bytes; bounded too.
    private let pendingBytes = Atomic<Int>(0)
    /// From the reading of an event to the posting of what it caused.
    let latencies = Mutex(Histogram())

    /// Whether more events may be submitted.
    var hasRoom: Bool {
        pendingEvents.load(ordering: .relaxed) < Limits.laneEventsMax
            && pendingBytes.load(ordering: .relaxed) < Limits.laneBytesMax
    }

    /// Whether the lane has nothing to do now and its timer does not fire in a moment.
    var isIdle: Bool {
        guard waiting.load(ordering: .acquiring) == 0, !isAtWork.load(ordering: .relaxed) else {
            return false
        }
        let now = Clock.monotonic()
        return now >= inlineBackoffEnd.load(ordering: .relaxed)
            && nextTick.load(ordering: .relaxed) - now > Limits.inlineMicrosecondsMax * 1_000
    }

    /// Counts a batch that the lane is to process.
    func expect(_ batch: Batch) {
        pendingEvents.wrappingAdd(batch.eventCount, ordering: .relaxed)
        pendingBytes.wrappingAdd(batch.size, ordering: .relaxed)
    }

    /// Counts a processed batch off. Returns whether there was no room before.
    func finish(_ batch: Batch) -> Bool {
        let events = pendingEvents.wrappingSubtract(
            batch.eventCount, ordering: .relaxed
        ).oldValue
        let bytes = pendingBytes.wrappingSubtract(batch.size, ordering: .relaxed).oldValue
        let waited = Clock.monotonic() - batch.received
        latencies.withLock { $0.record(nanoseconds: waited, times: batch.eventCount) }
        return events >= Limits.laneEventsMax || bytes >= Limits.laneBytesMax
    }

    /// Leaves everything to the lane for a while, if inline work took too long: work that was
    /// expensive is likely to be so again.
    func backOff(inlineBegan began: Int, ended: Int) {
        guard ended - began > Limits.inlineMicrosecondsMax * 1_000 else { return }
        inlineBackoffEnd.store(
            ended + Limits.inlineBackoffTimes * (ended - began), ordering: .relaxed)
    }
}
