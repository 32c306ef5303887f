import Codec
import Geometry
import Sessions

/// One open session on its lane, with what the lane must know about it.
///
/// A class, so that the lane's lists share it; used on the lane's queue alone.
final class ActiveSession {
    var session: Session
    /// The daemon's step at which the session's clock stood at 0.
    let openedAt: Step
    /// What somebody wants of it by its name.
    var interest: Channels
    /// What will be wanted once it rests, after somebody has left.
    var interestAtRest: Channels?
    /// The daemon's step at which it wants to be looked at; nil: at rest, in no list.
    var wake: Step?
    /// Whether it is kept: made and neither refused nor dropped.
    var isOpen = false
    /// Whether it stands in the lane's list of those that want to be looked at.
    var isListed = false
    /// Whether this batch has an event for it.
    var isTouched = false
    /// Whether it was counted as moving.
    var isCountedMoving = false
    /// Its place in the write-behind cache while it is open and something is stored.
    var slot: SaveSlot?
    /// Its record as it was written last; nil: it was not written yet.
    var record: RecordCache?
    /// The daemon's step of the last event when it was looked at in the background.
    var lastLook: Step?
    /// The daemon's step of its last event.
    private(set) var lastEvent: Step

    init(_ session: Session, openedAt: Step, interest: Channels) {
        self.session = session
        self.openedAt = openedAt
        self.interest = interest
        lastEvent = openedAt
    }

    /// An event came; one that opens the session comes before its first step.
    func touch(at step: Step) {
        lastEvent = max(openedAt, step)
    }

    /// The session's own step at one of the daemon's; a session that opens later stands at 0.
    func clock(at step: Step) -> Step { Step(max(0, step - openedAt)) }

    /// The wall clock at a monotonic time, on the session's timeline, in milliseconds.
    func milliseconds(at time: Int, grid: Grid) -> Double {
        Double(session.opened.nanoseconds + time - grid.time(of: openedAt)) / 1e6
    }
}
