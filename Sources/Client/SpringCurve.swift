import Geometry

/// The spring of a transition, in place of a named curve: its progress over time, on a mass of 1.
///
/// On the wire it is `{"spring":[stiffness,damping,velocity]}`.
public struct SpringCurve: Hashable, Sendable {
    /// Force per distance from the end, in 1/s²; above 0.
    public var stiffness: Double
    /// Force per speed, in 1/s; above 0.
    public var damping: Double
    /// The speed at the beginning, in ways per second.
    public var velocity: Double

    public init(stiffness: Double, damping: Double, velocity: Double = 0) {
        self.stiffness = stiffness
        self.damping = damping
        self.velocity = velocity
    }

    /// The share of the way after so many seconds; it may go beyond 1. 0 before the beginning.
    public func value(after seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        let half = damping / 2
        let square = half * half - stiffness
        let root = square.magnitude.squareRoot()
        let push = velocity - half
        let decayed = Exponential.natural(-half * seconds)
        if root * seconds < 1e-6 {
            // Critical: the others divide by nothing.
            return 1 - (1 - push * seconds) * decayed
        }
        if square < 0 {
            let (sine, cosine) = Angle.sineCosine(root * seconds)
            return 1 - (cosine - push / root * sine) * decayed
        }
        let slow = Exponential.natural((root - half) * seconds)
        let quick = Exponential.natural((-root - half) * seconds)
        return 1 - ((slow + quick) / 2 - push / root * (slow - quick) / 2)
    }
}
