package import Geometry
import Interactions

extension Session {
    /// The result of one look at a session, whether it published a frame or not.
    package struct Frame: Sendable {
        /// Steps that were jumped over after a stall.
        package var jumped = 0
        /// Worlds that did not come to rest by themselves and were put to rest.
        package var restsForced = 0
        /// Worlds that could not be decoded as they stood, so that they began from their
        /// description or from the scene.
        package var worldsUnread = 0
        /// Commands of reactions that were refused.
        package var reactionsRefused = 0
        /// Events and steps that more reactions followed from than are performed.
        package var reactionsStopped = 0
        /// The frame's step; nil: none was passed.
        package var step: Step?
        package var isMoving = false
        /// The next step at which the session is due; nil: not before something is asked of it.
        package var wake: Step?
    }

    /// Moves on to a step of the clock and publishes the last frame that is passed on the way.
    ///
    /// A session that may leave a change of its scene moves to the frame alone where it passes one.
    /// Where a change is left, nothing is published: the session has still to make it.
    ///
    /// One call for all, because a lane of thousands that move makes it 120 times a second. A late
    /// call publishes one frame, not all that were missed: the newest.
    package mutating func renderFrame(
        at target: Step, interest: Channels, into sink: inout some UpdateSink
    ) -> Frame {
        var result = Frame()
        let frame = self.frame(notAfter: target)
        if frame > clock {
            result.jumped += advance(to: frame)
            if hasChangeLeft { return result }
            flush(to: interest, inFrame: true, into: &sink)
            result.step = frame
        }
        if target > clock, result.step == nil || !mayLeaveChange {
            result.jumped += advance(to: target)
            if hasChangeLeft { return result }
            flush(to: interest, inFrame: false, into: &sink)
        }
        finish(&result, interest: interest)
        return result
    }

    /// Publishes what does not wait for a frame, at the end of a batch of events.
    package mutating func flushUrgent(
        to interest: Channels, into sink: inout some UpdateSink
    ) -> Frame {
        var result = Frame()
        flush(to: interest, inFrame: false, into: &sink)
        finish(&result, interest: interest)
        return result
    }

    private mutating func finish(_ result: inout Frame, interest: Channels) {
        // Asked so, for a property of the session would copy it.
        result.isMoving = moving != 0
        result.restsForced = effects.restsForced
        effects.restsForced = 0
        result.worldsUnread = effects.worldsUnread
        effects.worldsUnread = 0
        result.reactionsRefused = reacting.refusedCount
        reacting.refusedCount = 0
        result.reactionsStopped = reacting.stoppedCount
        reacting.stoppedCount = 0
        let answer = mayBeAsked ? nextAnswer() : nil
        mayBeAsked = answer != nil
        result.wake = nextWake(interest: interest, answer: answer)
    }
}
