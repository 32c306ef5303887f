import Geometry

/// A damped spring on a mass of 1, exact on the grid of 1/120 s.
///
/// A step is a linear map of displacement and velocity, computed from the closed form. So the
/// values are those of the closed form at any output rate.
package struct Spring: Hashable, Sendable {
    /// Force per displacement, in 1/s².
    package let stiffness: Double
    /// Force per velocity, in 1/s.
    package let damping: Double
    private let step: Map

    /// The linear map of one step.
    private struct Map: Hashable, Sendable {
        var displacementOfDisplacement: Double
        var displacementOfVelocity: Double
        var velocityOfDisplacement: Double
        var velocityOfVelocity: Double
    }

    /// Core Animation's defaults. Both above 0: an undamped spring never comes to rest.
    package init(stiffness: Double = 100, damping: Double = 10) {
        precondition(stiffness > 0 && stiffness.isFinite, "a stiffness of \(stiffness)")
        precondition(damping > 0 && damping.isFinite, "a damping of \(damping)")
        self.stiffness = stiffness
        self.damping = damping
        step = Self.map(stiffness, damping)
    }

    /// A spring that stays within a thousandth of its distance after `duration` seconds.
    ///
    /// The ratio is above 0 and at most 1 (critical). As UIKit's springs by duration: by the
    /// envelope of the sine's term, ω = ln(1000 ζ/√(1 − ζ²))/(ζ duration).
    package init(duration: Double, dampingRatio ratio: Double) {
        precondition(duration > 0 && duration.isFinite, "a duration of \(duration) s")
        precondition(ratio > 0 && ratio <= 1, "a damping ratio of \(ratio)")
        let frequency: Double
        if ratio == 1 {
            frequency = Self.criticalSettling / duration
        } else {
            let envelope = 1_000 * ratio / (1 - ratio * ratio).squareRoot()
            // Below a ratio of e/1000 the envelope would begin below its end.
            let decay = max(1, Exponential.logarithm(envelope))
            frequency = decay / (ratio * duration)
        }
        self.init(stiffness: frequency * frequency, damping: 2 * ratio * frequency)
    }

    /// The spring of SwiftUI with a perceptual duration, in seconds, and a bounce: its stiffness is
    /// (2π/duration)², its damping ratio 1 − bounce, or 1/(1 + bounce) for a bounce below 0.
    ///
    /// Source: SwiftUI's `Spring(duration:bounce:)`. The bounce is above −1 and below 1.
    package init(duration: Double, bounce: Double) {
        precondition(duration > 0 && duration.isFinite, "a duration of \(duration) s")
        precondition(bounce > -1 && bounce < 1, "a bounce of \(bounce)")
        let frequency = 2 * Double.pi / duration
        let ratio = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
        self.init(stiffness: frequency * frequency, damping: 2 * ratio * frequency)
    }

    /// The solution u of (1 + u) e^−u = 1/1000.
    private static let criticalSettling = 9.233_413_476_451_585_7

    /// 1 is critical; below it oscillates, above it creeps.
    package var dampingRatio: Double { damping / (2 * stiffness.squareRoot()) }

    /// Advances displacement and velocity by 1/120 s.
    package func advance(displacement: inout Double, velocity: inout Double) {
        let former = displacement
        displacement =
            step.displacementOfDisplacement * former + step.displacementOfVelocity * velocity
        velocity = step.velocityOfDisplacement * former + step.velocityOfVelocity * velocity
    }
}

extension Spring: Codable {
    private enum CodingKeys: String, CodingKey { case stiffness, damping }

    /// The stiffness and the damping that a decoded spring may have.
    static let decoded = 1e-6...1e12

    package init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        let (stiffness, damping) = (
            try table.decode(Double.self, forKey: .stiffness),
            try table.decode(Double.self, forKey: .damping)
        )
        guard Self.decoded.contains(stiffness), Self.decoded.contains(damping) else {
            throw DecodingError.dataCorruptedError(
                forKey: .stiffness, in: table, debugDescription: "must be of a spring that rests")
        }
        self.init(stiffness: stiffness, damping: damping)
    }

    package func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(stiffness, forKey: .stiffness)
        try table.encode(damping, forKey: .damping)
    }
}

// MARK: - Closed form

extension Spring {
    /// For z = (c²/4 − k) h²: cosh √z and sinh √z/√z (cos and sin of √−z for negative z), both
    /// times e^(−c h/2), so that nothing overflows.
    private static func basis(z: Double, decay: Double) -> (even: Double, odd: Double) {
        if z.magnitude <= 1 {
            // One series for all three regimes, continuous between them.
            var even = 1.0
            var odd = 1.0
            var evenTerm = 1.0
            var oddTerm = 1.0
            for k in stride(from: 2.0, through: 20, by: 2) {
                evenTerm *= z / (k * (k - 1))
                oddTerm *= z / (k * (k + 1))
                even += evenTerm
                odd += oddTerm
            }
            let factor = Exponential.natural(-decay)
            return (even * factor, odd * factor)
        }
        let root = z.magnitude.squareRoot()
        if z < 0 {
            let (sine, cosine) = Angle.sineCosine(root)
            let factor = Exponential.natural(-decay)
            return (cosine * factor, sine / root * factor)
        }
        let slow = Exponential.natural(root - decay)
        let quick = Exponential.natural(-root - decay)
        return ((slow + quick) / 2, (slow - quick) / (2 * root))
    }

    /// The map of `h` seconds.
    private static func map(
        _ stiffness: Double, _ damping: Double, over h: Double = Step.seconds
    ) -> Map {
        let decay = damping / 2 * h
        let (even, odd) = basis(z: decay * decay - stiffness * h * h, decay: decay)
        return Map(
            displacementOfDisplacement: even + decay * odd, displacementOfVelocity: h * odd,
            velocityOfDisplacement: -stiffness * h * odd, velocityOfVelocity: even - decay * odd)
    }

    /// Displacement and velocity after any time, in seconds, from those at its beginning.
    package static func state(
        stiffness: Double, damping: Double, displacement: Double, velocity: Double,
        after seconds: Double
    ) -> (displacement: Double, velocity: Double) {
        let map = map(stiffness, damping, over: seconds)
        return (
            map.displacementOfDisplacement * displacement + map.displacementOfVelocity * velocity,
            map.velocityOfDisplacement * displacement + map.velocityOfVelocity * velocity
        )
    }

    /// The longest time to settle, in seconds. Springs end then: the slowest that scenes may have
    /// are there before, to a thousandth of a point.
    package static let settlingSecondsMax = 600.0

    /// Seconds until the displacement stays within `distance`; at most `settlingSecondsMax`.
    ///
    /// By the envelope, so that no later oscillation exceeds it: the defaults settle to 0.001 of
    /// their distance in 1.4727 s.
    package func settling(displacement: Double, velocity: Double, to distance: Double) -> Double {
        let half = damping / 2
        let root = (half * half - stiffness).magnitude.squareRoot()
        let isOverdamped = half * half > stiffness
        // (half − root) without cancellation.
        let rate = isOverdamped ? stiffness / (half + root) : half
        // The bound of the sine's term; infinite for critical damping.
        let reach = isOverdamped ? 1 / (2 * root) : 1 / root
        let drive = (velocity + half * displacement).magnitude
        func envelope(_ t: Double) -> Double {
            (displacement.magnitude + min(t, reach) * drive) * Exponential.natural(-rate * t)
        }
        // From its maximum on the envelope only falls.
        let peak = drive == 0 ? 0 : min(reach, max(0, 1 / rate - displacement.magnitude / drive))
        var low = min(peak, Self.settlingSecondsMax)
        var high = Self.settlingSecondsMax
        if envelope(low) <= distance { return 0 }
        if envelope(high) > distance { return high }
        while high - low > 1e-9 {
            let middle = (low + high) / 2
            if envelope(middle) > distance { low = middle } else { high = middle }
        }
        return high
    }
}
