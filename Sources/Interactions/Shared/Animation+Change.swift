import Geometry
import Motion

extension Animation {
    /// The share of the way from which on another target would be a leap.
    private static var lateShare: Double { 0.75 }

    /// The animation to another target, with the same beginning and end in time.
    ///
    /// It goes on from what it shows at `now`. Near its end it would leap: then its beginning is
    /// shifted as far as its target. A spring begins again, with the velocity that it has then.
    func redirected(to target: Double, at now: Step) -> Animation {
        guard target != to else { return self }
        if case .spring(let curve) = curve {
            return Animation(
                from: value(at: now), to: target, velocity: velocity(at: now), begin: now,
                pace: .spring(Spring(curve)))
        }
        var other = self
        other.to = target
        let share = now < end ? progress(at: now) : 1
        other.from =
            share <= Self.lateShare
            ? (value(at: now) - share * target) / (1 - share) : from + (target - to)
        return other
    }
}
