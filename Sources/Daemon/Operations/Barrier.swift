import Synchronization

/// A mark that passes every lane and comes back to the reactor, by the way of events and updates.
///
/// Its return shows that all lanes work. Lanes take new settings from it on the way.
final class Barrier: Sendable {
    enum Purpose: Sendable {
        /// Shows whether the lanes work.
        case watch
        /// Shows a member of a cluster whether the lanes work.
        case probe
        /// Gives each lane these settings.
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

    /// Marks a lane as passed; returns whether it was the last one.
    func pass(lane: Int) -> Bool {
        lanesLeft.withLock { lanes in
            lanes.remove(lane)
            return lanes.isEmpty
        }
    }

    /// The lanes that it has not passed yet.
    var missing: [Int] { lanesLeft.withLock { $0.sorted() } }
}
