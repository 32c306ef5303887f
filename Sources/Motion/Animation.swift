package import Geometry

/// A number on its way from what was shown to where it shall be, along a curve.
package struct Animation: Hashable, Sendable {
    package var from: Double
    package var to: Double
    package var begin: Step
    /// Seconds, ≥ 0.
    package var duration: Double
    package var curve: TimingCurve

    package init(
        from: Double, to: Double, begin: Step, duration: Double, curve: TimingCurve = .easeInOut
    ) {
        self.from = from
        self.to = to
        self.begin = begin
        self.duration = duration
        self.curve = curve
    }

    /// The first step at which it has arrived.
    package var end: Step { begin.after(seconds: duration) }

    /// The value at the exact time of a step.
    package func value(at step: Step) -> Double {
        guard step < end else { return to }
        return from + (to - from) * curve.value(at: step.seconds(since: begin) / duration)
    }
}
