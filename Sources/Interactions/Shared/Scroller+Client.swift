import Geometry
import Motion

/// A client's own scroll view beside the scroller.
extension Scroller {
    /// Points from content at rest within which a client's scroll may begin: a finger that is as
    /// fast as 6,000 points per second is so far on after a frame.
    static let firstWayMax = 100.0

    /// Whether a client's scroll that begins at an offset places the content there instead of
    /// moving it: what shows it elsewhere at once is no motion, and has to be a cut.
    ///
    /// The client follows what it scrolled itself. It need not know what else moves the content, or
    /// has moved it to where it rests.
    func jumps(to offset: Double) -> Bool {
        let way = (offset - self.offset).magnitude
        if !isResting { return way > ScrollPhysics.edgeDistanceMax }
        return isOwn == true && way > Self.firstWayMax
    }
}
