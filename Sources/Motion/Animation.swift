// Motion: numbers that move by themselves, without bodies. It depends on Geometry only.
//
// `Animation` runs along a `TimingCurve` for a fixed duration. `SpringAnimation` follows a
// `Spring` and can be sent elsewhere on its way. `ScrollPhysics` moves a scroll view's content:
// rubber band, fling and bounce. Machines of the kinds own these values, step them, and read a
// number.
//
// Each law is exact from step to step, so no frame rate shows another motion. A change of a
// constant changes goldens; each constant names its source.

package import Geometry

/// A number on its way from the shown value to its target, along a curve.
package struct Animation: Hashable, Sendable, Codable {
    package var from: Double
    package var to: Double
    package var begin: Step
    /// Seconds from `begin` to the first change, ≥ 0; it need not end on a step.
    package var delay: Double
    /// Seconds, ≥ 0.
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

    /// The first step at which it has arrived.
    package var end: Step { begin.after(seconds: delay + duration) }

    /// The value at the exact time of a step.
    package func value(at step: Step) -> Double {
        guard step < end else { return to }
        let elapsed = step.seconds(since: begin) - delay
        return from + (to - from) * curve.value(at: elapsed / duration)
    }
}

extension Animation {
    /// Whether a decoded animation has finite values and an end that is reached.
    package var isSound: Bool {
        from.magnitude <= 1e12 && to.magnitude <= 1e12 && delay >= 0 && duration >= 0
            && delay + duration <= 86_400
    }
}
