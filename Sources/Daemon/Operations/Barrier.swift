import Synchronization

/// One passage through every lane and back to the reactor, by the way of events and updates.
///
/// That it comes back shows that all of them work; lanes take new settings on the way.
final class Barrier: Sendable {
    enum Purpose: Sendable {
        /// To see whether it comes back.
        case watch
        /// Each lane is to go on by these settings.
        case adopt(LaneSettings)
    }

    let purpose: Purpose
    /// On the monotonic clock.
    let began: Int
    private let lanesLeft: Mutex<Set<Int>>

    init(_ purpose: Purpose, lanes: Range<Int>, at time: Int) {
        self.purpose = purpose
        began = time
        lanesLeft = Mutex(Set(lanes))
    }

    /// Notes that a lane was passed; whether it was the last one.
    func pass(lane: Int) -> Bool {
        lanesLeft.withLock { lanes in
            lanes.remove(lane)
            return lanes.isEmpty
        }
    }

    /// The lanes that it has not passed yet.
    var missing: [Int] { lanesLeft.withLock { $0.sorted() } }
}
