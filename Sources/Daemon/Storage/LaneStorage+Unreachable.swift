import Dispatch
import Interactions
import Membership
import Notation
import Sessions
import Store

extension LaneStorage {
    /// Tells of a session that an earlier version stored under the name of what belongs to none.
    /// Called once, before the lane starts.
    func reportUnreachable(to log: Log) {
        // No other name comes before it.
        reader.names(.after("", limit: 1)) { answer in
            guard case .success(let names) = answer, names == ["-"] else { return }
            log.write(
                .sessionUnreachable,
                "no session has the name - any more; close it, or it goes when it has not been "
                    + "used for retention")
        }
    }
}
