package import Geometry
package import Gestures

/// How a wheel scrolls the rows.
extension List {
    package mutating func wheel(_ wheel: Wheel, at now: Step, into effects: inout Effects)
        throws(Rejection)
    {
        guard let part = try scroller.part(of: wheel, at: now) else { return }
        if case .begins = part {
            // Ends a client's open scroll.
            scrollDeadline = nil
            closeIfOpen(at: now, into: &effects)
        }
        if moveContent({ $0.follow(wheel, as: part) }) { effects.needsPublish = true }
    }

    /// The step at which an open scroll or a wheel's series is over; nil: there is none.
    var silenceEnd: Step? { scrollDeadline ?? scroller.wheelDeadline }

    /// Ends what has been silent for too long. A lost scroll leaves its last offset.
    mutating func endSilence(at now: Step) {
        if let deadline = scrollDeadline, deadline <= now { scrollDeadline = nil }
        scroller.endWheel(at: now)
    }
}
