import Geometry

/// A scroll view's content along one axis: rubber band, deceleration and bounce.
///
/// Figures as measured from UIKit's scroll views. The velocity is the offset's, in points per
/// second. The formulas are exact from step to step, so the output rate does not matter.
package struct ScrollPhysics: Sendable {
    /// A moving offset without a finger.
    package struct Coast: Hashable, Sendable {
        /// In points.
        package var offset: Double
        /// In points per second.
        package var velocity: Double

        package init(offset: Double, velocity: Double) {
            self.offset = offset
            self.velocity = velocity
        }
    }

    /// The rubber band's slope at the edge: content movement per finger movement.
    package static let rubberBandSlope = 0.55
    /// Points per second. A slower release does not decelerate, it stops.
    package static let flingVelocityMin = 250.0
    /// Points per second. Slower content stops.
    package static let coastVelocityMin = 10.0
    /// Points from the edge within which slow content has returned.
    package static let edgeDistanceMax = 0.5

    /// As most scroll views: after a millisecond 0.998 of the velocity is left.
    package static let normal = ScrollPhysics(retention: 0.998)
    /// A scroll view that stops soon: after a millisecond 0.99 of the velocity is left.
    package static let fast = ScrollPhysics(retention: 0.99)

    /// The share of the distance to the edge that is left after a millisecond beyond it.
    private static let spring = 0.99
    private static let stepMilliseconds = Step.seconds * 1_000

    /// A span of time, as the shares that are left after it of a velocity and of a distance to the
    /// edge.
    private struct Span {
        var velocity: Double
        var distance: Double
    }

    private let step: Span
    /// Points that content with 1 pt/s moves until it stops.
    private let reach: Double
    /// `spring` as a power of the retention.
    private let springExponent: Double

    private init(retention: Double) {
        step = Span(
            velocity: Exponential.power(retention, Self.stepMilliseconds),
            distance: Exponential.power(Self.spring, Self.stepMilliseconds))
        reach = retention / (1 - retention) / 1_000
        springExponent =
            Exponential.logarithm(Self.spring) / Exponential.logarithm(retention)
    }
}

// MARK: - Rubber band

extension ScrollPhysics {
    /// The content's distance beyond an edge when a finger has pulled it by `pull`.
    ///
    /// Both in points and of one sign. It stays below `extent`, the viewport's.
    package static func rubberBand(_ pull: Double, extent: Double) -> Double {
        let share = extent * (1 - 1 / (1 + rubberBandSlope * pull.magnitude / extent))
        return pull < 0 ? -share : share
    }

    /// The inverse: the pull that shows `shown` points. `shown` must be less than the extent.
    package static func pull(showing shown: Double, extent: Double) -> Double {
        precondition(shown.magnitude < extent, "\(shown) beyond an edge, of \(extent)")
        return shown / (rubberBandSlope * (1 - shown.magnitude / extent))
    }
}

// MARK: - Motion

extension ScrollPhysics {
    /// Points that content moves until it stops, from so many points per second.
    package func way(at velocity: Double) -> Double { velocity * reach }
}

extension ScrollPhysics {
    /// Advances by 1/120 s. Returns false once it has come to rest; beyond an edge exactly on it.
    ///
    /// A step that crosses an edge is split there, so that each formula applies up to the edge.
    package func advance(_ coast: inout Coast, within bounds: ClosedRange<Double>) -> Bool {
        var left: Span? = step
        // At most three parts: back from beyond one edge, across, and beyond the other.
        for _ in 0..<3 {
            guard let span = left else { break }
            left = move(&coast, for: span, within: bounds)
        }
        return !hasStopped(&coast, within: bounds)
    }

    /// Moves by the formula for the present place. Returns the time left when it ends at an edge.
    private func move(
        _ coast: inout Coast, for span: Span, within bounds: ClosedRange<Double>
    ) -> Span? {
        let low = bounds.lowerBound
        let high = bounds.upperBound
        if coast.offset < low || (coast.offset == low && coast.velocity < 0) {
            return bounce(&coast, for: span, beyond: low, hasInside: low < high)
        }
        if coast.offset > high || (coast.offset == high && coast.velocity > 0) {
            return bounce(&coast, for: span, beyond: high, hasInside: low < high)
        }
        return fling(&coast, for: span, within: bounds)
    }

    private func fling(
        _ coast: inout Coast, for span: Span, within bounds: ClosedRange<Double>
    ) -> Span? {
        let offset = coast.offset + coast.velocity * reach * (1 - span.velocity)
        if bounds.contains(offset) {
            coast.offset = offset
            coast.velocity *= span.velocity
            return nil
        }
        let edge = offset < bounds.lowerBound ? bounds.lowerBound : bounds.upperBound
        // The share of the velocity that is left at the edge.
        let kept = 1 - (edge - coast.offset) / (coast.velocity * reach)
        coast.offset = edge
        coast.velocity *= kept
        return rest(of: span, after: kept)
    }

    private func bounce(
        _ coast: inout Coast, for span: Span, beyond edge: Double, hasInside: Bool
    ) -> Span? {
        let distance = coast.offset - edge
        let unsprung = distance + coast.velocity * reach * (1 - span.velocity)
        // If both edges are one, content that swings through is beyond the other at once.
        if unsprung * distance >= 0 || !hasInside {
            coast.offset = edge + unsprung * span.distance
            coast.velocity *= span.velocity * span.distance
            return nil
        }
        let kept = 1 + distance / (coast.velocity * reach)
        coast.offset = edge
        coast.velocity *= kept * Exponential.power(kept, springExponent)
        return rest(of: span, after: kept)
    }

    private func rest(of span: Span, after kept: Double) -> Span {
        Span(
            velocity: min(1, span.velocity / kept),
            distance: min(1, span.distance / Exponential.power(kept, springExponent)))
    }

    private func hasStopped(_ coast: inout Coast, within bounds: ClosedRange<Double>) -> Bool {
        guard coast.velocity.magnitude < Self.coastVelocityMin else { return false }
        let nearest = bounds.clamped(coast.offset)
        guard (coast.offset - nearest).magnitude <= Self.edgeDistanceMax else { return false }
        coast.offset = nearest
        coast.velocity = 0
        return true
    }
}

extension ClosedRange<Double> {
    /// The number of the range that is nearest.
    package func clamped(_ number: Double) -> Double {
        Swift.min(upperBound, Swift.max(lowerBound, number))
    }
}
