package import Gestures
import Interactions

/// A gesture on a component, as most events are.
///
/// It does what the ``Event`` of the same content does. It names the component by its place, and
/// so it has no text that is counted and copied on its way.
package struct Sample: Hashable, Sendable {
    /// The component's index in the session's scene.
    package var component: Int
    package var gesture: Gesture
    /// When it happened at its source, in milliseconds since the Unix epoch.
    package var time: Double?
    /// A number of who published it, the same in each run; 0: unknown.
    package var publisher: UInt32

    package init(component: Int, _ gesture: Gesture, time: Double?, publisher: UInt32 = 0) {
        self.component = component
        self.gesture = gesture
        self.time = time
        self.publisher = publisher
    }
}

extension Session {
    /// Judges and applies a sample; see `receive`.
    package mutating func receive(_ sample: Sample, received: Double) -> Reception {
        // Mostly nothing was refused: then nobody needs the sample's contact.
        guard refused.isEmpty else { return receive(event(of: sample), received: received) }
        do throws(Rejection) {
            try apply(sample, received: received)
            return .applied
        } catch {
            noteRefusal(of: event(of: sample), error)
            return .refused(error)
        }
    }

    private func event(of sample: Sample) -> Event {
        Event(
            .gesture(component: scene.components[sample.component].id, sample.gesture),
            time: sample.time, publisher: sample.publisher)
    }
}
