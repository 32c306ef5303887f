package import Geometry

/// Two fingers that spread or close: begins after some change of their distance, then scales.
package typealias PinchRecognizer = PairRecognizer<PinchMeasure>

/// The distance of two fingers, and its multiple since the pinch began.
package enum PinchMeasure: PairMeasure {
    /// Change of the distance (points of the viewport) at which a pinch begins, as UIKit's.
    package static let slopPoints = 8.0
    /// The least distance (pt) that counts, so that a scale is finite and above 0.
    package static let distancePointsMin = 1.0

    package struct Origin: PairOrigin {
        /// The distance of scale 1.
        fileprivate var distance: Double
        fileprivate var scale: Double
        package var tracker: VelocityTracker
        /// Points of the viewport in a point of the component; nil: 1.
        fileprivate var factor: Double?

        package var value: Double { scale }
        package var tremble: Double {
            VelocityTracker.tremblePoints / (distance * (factor ?? 1))
        }
    }

    /// The distance at which the second finger landed.
    package static func start(_ a: Vector, _ b: Vector) -> Double { (b - a).length }

    package static func direction(_ a: Vector, _ b: Vector) -> Double? { nil }

    package static func measure(
        _ a: Vector, _ b: Vector, _ direction: inout Double?
    ) -> Double {
        (b - a).length
    }

    package static func begin(
        _ start: inout Double, _ distance: Double, _ scale: ViewportScale,
        tracker: VelocityTracker.Kind
    ) -> Origin? {
        guard scale.points((distance - start).magnitude) >= slopPoints else { return nil }
        return Origin(
            distance: max(distance, distancePointsMin), scale: 1,
            tracker: VelocityTracker(kind: tracker),
            factor: scale.factor == 1 ? nil : scale.factor)
    }

    package static func change(_ origin: inout Origin, _ distance: Double) {
        origin.scale = max(distance, distancePointsMin) / origin.distance
    }

    // MARK: Soundness

    private static let far = 1e12

    package static func isSound(_ direction: Double?) -> Bool { direction == nil }

    package static func isSound(_ start: Double) -> Bool { (0...far).contains(start) }

    package static func isSound(_ origin: Origin) -> Bool {
        (distancePointsMin...far).contains(origin.distance) && origin.scale > 0
            && origin.scale <= far && (1e-9...far).contains(origin.factor ?? 1)
    }
}
