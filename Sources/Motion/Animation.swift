package import Geometry

/// A number that moves to a target along a curve, or on a spring.
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
    /// Seconds, at least 0. A spring's end here.
    package var duration: Double
    package var curve: MotionCurve

    package init(
        from: Double, to: Double, begin: Step, delay: Double = 0, duration: Double,
        curve: MotionCurve = .easeInOut
    ) {
        self.from = from
        self.to = to
        self.begin = begin
        self.delay = delay
        self.duration = duration
        self.curve = curve
    }

    /// The distance from its target at which a spring ends, in points: the wire's.
    package static let nearPoints = 0.001
    /// The same for shares, scales and alphas: a tenth of a point on a screen of 1,000.
    package static let nearShares = 0.000_1

    /// `velocity` is that which it has already, per second: a spring keeps it. `precision` is
    /// the distance from the target at which a spring ends, in the value's unit.
    package init(
        from: Double, to: Double, velocity: Double = 0, begin: Step, delay: Double = 0,
        pace: Pace, precision: Double = Self.nearPoints
    ) {
        self.init(from: from, to: to, begin: begin, delay: delay, duration: 0)
        switch pace {
        case .curve(let curve, let seconds):
            self.curve = .timing(curve)
            duration = seconds
        case .spring(let spring):
            let way = to - from
            // On its target it is there, however fast: no share of such a way tells a speed.
            let fastest = SpringProgress.velocityMax
            let share = way == 0 ? 0 : min(max(-fastest, velocity / way), fastest)
            self.curve = .spring(SpringProgress(spring, velocity: share))
            guard way != 0 else { break }
            duration = spring.settling(
                displacement: 1, velocity: -share, to: precision / way.magnitude)
        }
    }

    /// The first step at which the value is `to`.
    package var end: Step { begin.after(seconds: delay + duration) }

    /// The value at the exact time of a step.
    package func value(at step: Step) -> Double {
        guard step < end else { return to }
        return from + (to - from) * progress(at: step)
    }

    /// The share of its way at a step before its end.
    package func progress(at step: Step) -> Double {
        curve.value(at: step.seconds(since: begin) - delay, of: duration)
    }

    /// Per second, at the exact time of a step; 0 from its end on.
    package func velocity(at step: Step) -> Double {
        guard step < end else { return 0 }
        let elapsed = step.seconds(since: begin) - delay
        return (to - from) * curve.speed(at: elapsed, of: duration)
    }
}

extension Animation {
    /// Whether a decoded animation has finite values and an end.
    package var isSound: Bool {
        from.magnitude <= 1e12 && to.magnitude <= 1e12 && delay >= 0 && duration >= 0
            && delay + duration <= 86_400
    }
}

/// How a motion gets to its target, and in which time.
package enum Pace: Hashable, Sendable {
    /// Along a curve, in so many seconds.
    case curve(TimingCurve, seconds: Double)
    /// In the time that the spring takes.
    case spring(Spring)
}
