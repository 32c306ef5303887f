import Geometry
import Gestures

/// How a client's own scroll view pulls the page.
extension Reader {
    /// The offsets that a client's scroll view reported.
    struct ClientScroll: Hashable, Sendable, Codable {
        private(set) var offset: Double
        private var tracker = VelocityTracker.scrolling
        private var lastSample: Step

        init(_ scroll: Scroll, time: SampleTime, at now: Step) {
            offset = scroll.offset
            lastSample = now
            tracker.add(Vector(0, offset), at: time, tremble: scroll.tremble)
        }

        mutating func follow(_ scroll: Scroll, time: SampleTime, at now: Step) {
            offset = scroll.offset
            lastSample = now
            tracker.add(Vector(0, offset), at: time, tremble: scroll.tremble)
        }

        /// The offset's velocity in points per second.
        func velocity(endingWith scroll: Scroll, time: SampleTime) -> Double {
            let end = Vector(0, scroll.offset)
            return tracker.velocity(endingAt: end, time: time, tremble: scroll.tremble).y
        }

        /// The step at which the silence is too long.
        var deadline: Step { lastSample + Silence.stepsMax }

        /// Whether a decoded one is possible.
        var isSound: Bool { offset.magnitude <= 1e9 && tracker.isSound(like: .scrolling) }
    }

    /// A client's scroll began. The page is where the client says, wherever it was.
    mutating func takeUp(_ client: ClientScroll, at now: Step, into effects: inout Effects) {
        let isJump =
            switch state {
            // The page stands at offset 0, whatever the client showed of the last one.
            case .resting: client.offset.magnitude > Scroller.firstWayMax
            case .dragging(.client), .paging: false
            case .dragging(.contact(let scroller)), .dragging(.wheel(let scroller)),
                .returning(let scroller):
                scroller.jumps(to: client.offset)
            }
        let former = isJump ? ShownViews(self) : nil
        pull(.client(client), at: now, into: &effects)
        if let former { cutWhatStands(otherwiseThan: former) }
    }
}
