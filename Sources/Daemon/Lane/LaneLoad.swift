import Dispatch
import Notation
import Protocol
import Sessions
import Synchronization

/// What the reactor sees of a lane to tell whether it is idle. Written by both.
final class LaneLoad: Sendable {
    /// Blocks that the reactor has queued and that are not done.
    let waiting = Atomic<Int>(0)
    /// Whether the lane works at something that it was asked for by itself: a timer, a piece.
    let isAtWork = Atomic<Bool>(false)
    /// When its timer fires next, on the monotonic clock.
    let nextTick = Atomic<Int>(.max)
    /// Until when nothing is done for it by the reactor, because something took too long.
    let barredUntil = Atomic<Int>(0)
}

/// A batch that the reactor does itself, and whether it was done.
struct Visited {
    var batch = Batch()
    var isDone = false
}

extension Lane {
    /// Runs a block that the lane has queued itself.
    func atWork(_ body: (Lane) -> Void) {
        load.isAtWork.store(true, ordering: .relaxed)
        body(self)
        load.isAtWork.store(false, ordering: .relaxed)
    }

    /// Whether the queue has nothing to do and will have nothing in a moment, so that the reactor
    /// may do a little of its work without waiting for it. Called by the reactor.
    var isIdle: Bool {
        guard load.waiting.load(ordering: .acquiring) == 0,
            !load.isAtWork.load(ordering: .relaxed)
        else { return false }
        let now = Clock.monotonic()
        return now >= load.barredUntil.load(ordering: .relaxed)
            && load.nextTick.load(ordering: .relaxed) - now > Limits.doneMicrosecondsMax
                * 1_000
    }

    /// Whether a batch is so little that a hop would cost more: some events and publishes.
    func mayRunInline(_ batch: Batch) -> Bool {
        guard batch.work.count <= Limits.doneAtOnceMax,
            batch.size <= Limits.doneBytesMax,
            batch.work.allSatisfy(\.isEvent)
        else { return false }
        return isIdle
    }

    /// Does a batch on the reactor's thread, which owns the idle queue meanwhile; false: nothing
    /// was done, since a session is away from memory, which only the queue may wait for.
    func runInline(_ batch: inout Batch) -> Bool {
        let began = Clock.monotonic()
        swap(&batch, &visited.batch)
        visit.sync()
        swap(&batch, &visited.batch)
        let ended = Clock.monotonic()
        if ended - began > Limits.doneMicrosecondsMax * 1_000 {
            // What is expensive is likely to be so again.
            load.barredUntil.store(
                ended + Limits.barredTimes * (ended - began), ordering: .relaxed)
        }
        return visited.isDone
    }

    /// Does the batch that the reactor visits with, if all that it needs is at hand.
    func processVisited() {
        visited.isDone = areAtHand(visited.batch)
        guard visited.isDone else { return }
        expect(visited.batch)
        process(visited.batch)
        visited.batch.removeAll()
    }

    private func areAtHand(_ batch: Batch) -> Bool {
        unsafe batch.bytes.withUnsafeBytes { bytes in
            batch.work.allSatisfy { unsafe isAtHand($0, bytes) }
        }
    }

    /// Whether the session of an event or a publish is in memory.
    private func isAtHand(_ work: Batch.Work, _ bytes: UnsafeRawBufferPointer) -> Bool {
        switch work {
        case .event(let topic, _, _, _), .acknowledgedEvent(_, let topic, _):
            let topic = unsafe UnsafeRawBufferPointer(rebasing: bytes[topic])
            guard let place = unsafe Topic.session(in: topic) else { return false }
            let name = unsafe UnsafeRawBufferPointer(rebasing: topic[place.range])
            return unsafe residents[name, place.hash] != nil
        case .request, .interest, .broadInterest, .barrier, .answer: return false
        }
    }
}

extension Batch.Work {
    fileprivate var isEvent: Bool {
        switch self {
        case .event, .acknowledgedEvent: true
        case .request, .interest, .broadInterest, .barrier, .answer: false
        }
    }
}
