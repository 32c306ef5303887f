import Dispatch
import Notation
import Sessions
import Synchronization

/// The serial queue on which all of a lane runs.
///
/// Nothing may block it but the reading of a local store. Whatever takes longer than a piece of
/// time leaves its rest to `later`, so that what has come meanwhile need not wait for all of it.
final class LaneQueue: Sendable {
    let queue: DispatchQueue
    let load: LaneLoad

    init(number: Int, load: LaneLoad) {
        queue = DispatchQueue(label: "gestured.lane.\(number)", qos: .userInteractive)
        self.load = load
    }

    /// Does something behind all that the queue has to do already.
    func later(_ body: @escaping @Sendable () -> Void) {
        queue.async { [load] in load.whileAtWork(body) }
    }

    /// Does something at a time on the monotonic clock, or later.
    func later(at time: Int, _ body: @escaping @Sendable () -> Void) {
        let rest = max(0, time - Clock.monotonic())
        queue.asyncAfter(deadline: .now() + .nanoseconds(rest)) { [load] in
            load.whileAtWork(body)
        }
    }
}

extension LaneLoad {
    /// Runs a block that the lane has queued itself.
    func whileAtWork(_ body: () -> Void) {
        let wasAtWork = isAtWork.exchange(true, ordering: .relaxed)
        body()
        isAtWork.store(wasAtWork, ordering: .relaxed)
    }
}

extension Clock {
    /// Whether work that began at a monotonic time has used its piece of time, so that other work
    /// comes first.
    static func isPieceOver(since began: Int) -> Bool {
        monotonic() - began >= Limits.pieceMicrosecondsMax * 1_000
    }
}

extension Limits {
    /// Microseconds of a piece of time. Work that takes longer leaves its rest to a later piece,
    /// behind what waits.
    static let pieceMicrosecondsMax = 2_000
}
