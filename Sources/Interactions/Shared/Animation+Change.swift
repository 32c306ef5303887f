import Geometry
import Motion

extension Animation {
    /// The share of the way from which on another target would be a leap.
    private static var lateShare: Double { 0.75 }

    /// The animation to another target, with the same beginning and end in time.
    ///
    /// It goes on from what it shows at `now`. Near its end it would leap: then all of its way lies
    /// elsewhere, as the target does.
    func redirected(to target: Double, at now: Step) -> Animation {
        guard target != to else { return self }
        var other = self
        other.to = target
        let share = progress(at: now)
        other.from =
            share <= Self.lateShare
            ? (value(at: now) - share * target) / (1 - share) : from + (target - to)
        return other
    }

    /// The share of its way at a step.
    private func progress(at step: Step) -> Double {
        guard step < end else { return 1 }
        return curve.value(at: (step.seconds(since: begin) - delay) / duration)
    }
}
