import Notation
import Sessions
import Synchronization

/// A lane's load as the reactor sees it: how much work, and when. The lane writes it, too.
final class LaneLoad: Sendable {
    /// Blocks and batches that the reactor has queued, and costly work that the lane has left to
    /// the spare time, as far as they are not finished.
    let waiting = Atomic<Int>(0)
    /// Whether the lane is in a turn or has to go on with it, or runs another block that it queued
    /// itself: a timer, a part of a sweep. After such a block the former value is set again.
    let isAtWork = Atomic<Bool>(false)
    /// When the lane's timer fires next, on the monotonic clock.
    let nextTick = Atomic<Int>(.max)
    /// Until when the reactor leaves everything to the lane, because inline work took too long.
    private let inlineBackoffEnd = Atomic<Int>(0)
    /// Submitted events that are neither done nor left to the spare time. An event that waits for
    /// the store is counted a second time. The reactor stops reading at the bound.
    let pendingEvents = Atomic<Int>(0)
    /// Their bytes, and those of requests' documents; bounded too.
    private let pendingBytes = Atomic<Int>(0)
    /// Submitted requests that are neither performed nor left to the spare time. The bound of the
    /// lane's milliseconds counts them.
    private let pendingRequests = Atomic<Int>(0)
    /// Nanoseconds of one item of work, on the average of the last ones, with the motion that had
    /// to come before it. The lane writes it.
    private let workCost = Atomic<Int>(0)
    /// Whether the reactor leaves its sockets unread because there was no room.
    private let isAwaited = Atomic<Bool>(false)
    /// Latencies: from reading the first event of a batch to the end of the batch, recorded once
    /// for each event, also for those that were left to wait.
    let latencies = Mutex(Histogram())

    /// Whether more events and requests may be submitted. If not, the end of a batch tells the
    /// reactor, which asks again.
    var hasRoom: Bool {
        if isRoom(beside: pending) { return true }
        // A lane reads `isAwaited` after it has counted a batch off, and may have done so just now.
        // So look once more, or its wake-up could be missed.
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        return isRoom(beside: pending)
    }

    /// The same, if this batch is submitted too.
    func hasRoom(behind batch: Batch) -> Bool { isRoom(beside: pending + Amount(batch)) }

    private var pending: Amount {
        Amount(
            events: pendingEvents.load(ordering: .sequentiallyConsistent),
            requests: pendingRequests.load(ordering: .sequentiallyConsistent),
            bytes: pendingBytes.load(ordering: .sequentiallyConsistent))
    }

    private func isRoom(beside amount: Amount) -> Bool {
        amount.events < Limits.laneEventsMax && amount.bytes < Limits.laneBytesMax
            && (amount.events + amount.requests) * workCost.load(ordering: .relaxed)
                <= Limits.laneMillisecondsMax * 1_000_000
    }

    /// Work that waits.
    private struct Amount {
        var events = 0
        var requests = 0
        var bytes = 0

        init(events: Int, requests: Int, bytes: Int) {
            self.events = events
            self.requests = requests
            self.bytes = bytes
        }

        init(_ batch: Batch) {
            self.init(
                events: batch.eventCount, requests: batch.requestCount, bytes: batch.size)
        }

        static func + (one: Amount, other: Amount) -> Amount {
            Amount(
                events: one.events + other.events, requests: one.requests + other.requests,
                bytes: one.bytes + other.bytes)
        }
    }

    /// Notes how long some items of work took together.
    func note(nanoseconds: Int, works: Int) {
        guard works > 0 else { return }
        let former = workCost.load(ordering: .relaxed)
        workCost.store((3 * former + nanoseconds / works) / 4, ordering: .relaxed)
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
    func expect(_ batch: Batch) { expect(Amount(batch)) }

    func expect(events: Int, bytes: Int) {
        expect(Amount(events: events, requests: 0, bytes: bytes))
    }

    private func expect(_ amount: Amount) {
        pendingEvents.wrappingAdd(amount.events, ordering: .relaxed)
        if amount.requests > 0 {
            pendingRequests.wrappingAdd(amount.requests, ordering: .relaxed)
        }
        pendingBytes.wrappingAdd(amount.bytes, ordering: .relaxed)
    }

    /// Counts a processed batch off. Returns whether the reactor waits for room.
    func finish(_ batch: Batch) -> Bool {
        let waited = Clock.monotonic() - batch.received
        latencies.withLock { $0.record(nanoseconds: waited, times: batch.eventCount) }
        return finish(Amount(batch))
    }

    /// Counts events off. Returns whether the reactor waits for room.
    func finish(events: Int, bytes: Int) -> Bool {
        finish(Amount(events: events, requests: 0, bytes: bytes))
    }

    private func finish(_ amount: Amount) -> Bool {
        pendingEvents.wrappingSubtract(amount.events, ordering: .sequentiallyConsistent)
        if amount.requests > 0 {
            pendingRequests.wrappingSubtract(
                amount.requests, ordering: .sequentiallyConsistent)
        }
        pendingBytes.wrappingSubtract(amount.bytes, ordering: .sequentiallyConsistent)
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return false }
        isAwaited.store(false, ordering: .sequentiallyConsistent)
        return true
    }

    /// Leaves everything to the lane for a while, if inline work took too long: work that was
    /// expensive is likely to be so again.
    func backOff(inlineBegan began: Int, ended: Int) {
        guard ended - began > Limits.inlineMicrosecondsMax * 1_000 else { return }
        inlineBackoffEnd.store(
            ended + Limits.inlineBackoffTimes * (ended - began), ordering: .relaxed)
    }
}

extension Limits {
    /// Events that wait for one lane: some milliseconds of work. Beyond it none are read.
    static let laneEventsMax = 4_096
    /// Milliseconds of work that wait for one lane, by what the last work took: a peer whose events
    /// or requests take long holds the others up by no more.
    static let laneMillisecondsMax = 25
    /// Bytes of events, and of requests' documents, that wait for one lane: large ones fill it
    /// before their number does.
    static let laneBytesMax = 8 * 1024 * 1024
    /// Microseconds that inline work may take: little of the 8 ms between two steps. If it exceeds
    /// this, the lane's queue does the work for ten times as long, so such work of one lane takes
    /// at most an eleventh of the reactor's time. Nothing runs inline so shortly before the lane's
    /// timer fires.
    static let inlineMicrosecondsMax = 200
    static let inlineBackoffTimes = 10
}
