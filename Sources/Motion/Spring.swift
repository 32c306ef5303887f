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

    private static func map(_ stiffness: Double, _ damping: Double) -> Map {
        let h = Step.seconds
        let decay = damping / 2 * h
        let (even, odd) = basis(z: decay * decay - stiffness * h * h, decay: decay)
        return Map(
            displacementOfDisplacement: even + decay * odd, displacementOfVelocity: h * odd,
            velocityOfDisplacement: -stiffness * h * odd, velocityOfVelocity: even - decay * odd)
    }

    /// The longest time to settle, in seconds. Springs end then.
    package static let settlingSecondsMax = 10.0

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
