package import Geometry

/// A number that moves to a target along a timing curve.
///
/// This module holds motion without bodies: timing curves, animations, springs and scrolling. Each
/// type is a value with `value(at:)` or `advance`; a component keeps it and steps it. Constants are
/// UIKit's and Core Animation's; a change of the arithmetic changes goldens.
package struct Animation: Hashable, Sendable, Codable {
    package var from: Double
    package var to: Double
    package var begin: Step
    /// Seconds from `begin` to the first change, at least 0. It need not end on a step.
    package var delay: Double
    /// Seconds, at least 0.
    package var duration: Double
    package var curve: TimingCurve

    package init(
        from: Double, to: Double, begin: Step, delay: Double = 0, duration: Double,
        curve: TimingCurve = .easeInOut
    ) {
        self.from = from
        self.to = to
        self.begin = begin
        self.delay = delay
        self.duration = duration
        self.curve = curve
    }

    /// The first step at which the value is `to`.
    package var end: Step { begin.after(seconds: delay + duration) }

    /// The value at the exact time of a step.
    package func value(at step: Step) -> Double {
        guard step < end else { return to }
        let elapsed = step.seconds(since: begin) - delay
        return from + (to - from) * curve.value(at: elapsed / duration)
    }
}

extension Animation {
    /// Whether a decoded animation has finite values and an end.
    package var isSound: Bool {
        from.magnitude <= 1e12 && to.magnitude <= 1e12 && delay >= 0 && duration >= 0
            && delay + duration <= 86_400
    }
}
