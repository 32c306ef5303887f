import Geometry
import Motion

/// Closes a row in three steps of equal length: near its place, out again, home.
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

    var end: Step { home.end }
    /// Of all three steps, in seconds.
    var duration: Double { 3 * near.duration }

    func value(at step: Step) -> Double {
        if step < near.end { return near.value(at: step) }
        return step < far.end ? far.value(at: step) : home.value(at: step)
    }
}

extension Bounce {
    var isSound: Bool { near.isSound && far.isSound && home.isSound }
}
