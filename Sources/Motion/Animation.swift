package import Geometry

/// A number on its way from what was shown to where it shall be, along a curve.
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
    /// Whether a decoded one is such that its values are numbers and its end is reached.
    package var isSound: Bool {
        from.magnitude <= 1e12 && to.magnitude <= 1e12 && delay >= 0 && duration >= 0
            && delay + duration <= 86_400
    }
}
