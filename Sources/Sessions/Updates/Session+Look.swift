package import Geometry
import Interactions

extension Session {
    /// What a look at a session came to.
    package struct Look: Sendable {
        /// Steps that were jumped over after a stall.
        package var jumped = 0
        /// Worlds that did not come to rest by themselves and were put to rest.
        package var restsForced = 0
        /// Worlds that could not be brought back as they stood, but only as they were described,
        /// or as the scene has them.
        package var worldsUnread = 0
        /// The frame that was passed, if one was.
        package var frame: Step?
        package var isMoving = false
        /// When it wants to be looked at next; nil: not before something is asked of it.
        package var wake: Step?
    }

    /// Moves on to a step of the clock and tells the last frame that is passed on the way.
    ///
    /// One call for all, because a shard of thousands that move makes it 120 times a second. A late
    /// look tells one frame, not all that were missed: the newest.
    package mutating func look(
        at target: Step, interest: Channels, into sink: inout some UpdateSink
    ) -> Look {
        var look = Look()
        let frame = self.frame(notAfter: target)
        if frame > clock {
            look.jumped += advance(to: frame)
            flush(to: interest, inFrame: true, into: &sink)
            look.frame = frame
        }
        if target > clock {
            look.jumped += advance(to: target)
            flush(to: interest, inFrame: false, into: &sink)
        }
        finish(&look, interest: interest)
        return look
    }

    /// Tells what does not wait for a frame, at the end of a batch of events.
    package mutating func tell(
        to interest: Channels, into sink: inout some UpdateSink
    ) -> Look {
        var look = Look()
        flush(to: interest, inFrame: false, into: &sink)
        finish(&look, interest: interest)
        return look
    }

    private mutating func finish(_ look: inout Look, interest: Channels) {
        look.isMoving = isMoving
        look.restsForced = effects.restsForced
        effects.restsForced = 0
        look.worldsUnread = effects.worldsUnread
        effects.worldsUnread = 0
        look.wake = nextWake(interest: interest)
    }
}
