import Geometry
import Motion

/// Closes a row in three steps of equal length: near its place, out again, home. A spring takes it
/// home in one.
struct Bounce: Hashable, Sendable, Codable {
    private var near: Animation
    private var far: Animation
    private var home: Animation

    /// From `x` to `bounce`, then to twice `bounce`, then to 0, in points.
    init(from x: Double, by bounce: Double, begin: Step, duration: Double) {
        near = Animation(from: x, to: bounce, begin: begin, duration: duration)
        far = Animation(
            from: bounce, to: 2 * bounce, begin: begin, delay: duration, duration: duration,
            curve: .linear)
        home = Animation(
            from: 2 * bounce, to: 0, begin: begin, delay: 2 * duration, duration: duration,
            curve: .linear)
    }

    /// From `x` home on a spring.
    init(from x: Double, on spring: Spring, begin: Step) {
        near = Animation(from: x, to: 0, begin: begin, pace: .spring(spring))
        far = Animation(from: 0, to: 0, begin: near.end, duration: 0)
        home = far
    }

    var end: Step { home.end }
    /// The time of all steps, in seconds.
    var duration: Double { curve == nil ? 3 * near.duration : near.duration }

    /// The spring's; nil: the steps have several.
    var curve: MotionCurve? {
        if case .spring = near.curve { near.curve } else { nil }
    }

    func value(at step: Step) -> Double {
        if step < near.end { return near.value(at: step) }
        return step < far.end ? far.value(at: step) : home.value(at: step)
    }

    /// In points per second.
    func velocity(at step: Step) -> Double {
        if step < near.end { return near.velocity(at: step) }
        return step < far.end ? far.velocity(at: step) : home.velocity(at: step)
    }
}

extension Bounce {
    var isSound: Bool { near.isSound && far.isSound && home.isSound }
}
