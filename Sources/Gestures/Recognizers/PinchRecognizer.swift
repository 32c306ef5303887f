package import Geometry

/// Two fingers that spread or close: begins once their distance changed, then scales from there.
package struct PinchRecognizer: Hashable, Sendable, Codable {
    /// Points by which the distance changes before it begins, as UIKit's.
    package static let slopPoints = 8.0
    /// Points: fingers are counted as no nearer than this, so that a scale is finite and above 0.
    package static let distancePointsMin = 1.0

    private struct Origin: Hashable, Sendable, Codable {
        /// The distance of scale 1.
        var distance: Double
        var scale: Double
        /// Of the scale, along x.
        var tracker: VelocityTracker
    }

    private let tracker: VelocityTracker.Kind
    /// It starts with the distance at which the second finger landed.
    private var state: RecognizerState<Double, Origin>

    package init(_ a: Vector, _ b: Vector, tracker: VelocityTracker.Kind) {
        self.tracker = tracker
        state = .possible((b - a).length)
    }

    /// One of the fingers moved, or was sampled again.
    package mutating func moved(
        _ a: Vector, _ b: Vector, time: SampleTime
    ) -> Recognition<Reading> {
        let distance = (b - a).length
        switch state {
        case .possible(let start):
            guard (distance - start).magnitude >= Self.slopPoints else { return .nothing }
            let one = max(distance, Self.distancePointsMin)
            var origin = Origin(
                distance: one, scale: 1, tracker: VelocityTracker(kind: tracker))
            origin.tracker.add(Vector(1, 0), at: time)
            state = .began(origin)
            return .began(Reading(value: 1, velocity: 0))
        case .began(var origin), .changed(var origin):
            origin.scale = max(distance, Self.distancePointsMin) / origin.distance
            origin.tracker.add(Vector(origin.scale, 0), at: time)
            state = .changed(origin)
            return .changed(Self.reading(origin, time))
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// One of the fingers lifted.
    package mutating func lifted(time: SampleTime) -> Recognition<Reading> {
        switch state {
        case .possible:
            state = .failed
            return .failed
        case .began(let origin), .changed(let origin):
            state = .ended
            return .ended(Self.reading(origin, time))
        case .ended, .cancelled, .failed: return .nothing
        }
    }

    /// The fingers were lost; answers with the last scale if it was a pinch.
    package mutating func cancel() -> Double? {
        let scale = state.origin?.scale
        if !state.isOver { state = .cancelled }
        return scale
    }

    private static func reading(_ origin: Origin, _ time: SampleTime) -> Reading {
        let velocity = origin.tracker.velocity(endingAt: Vector(origin.scale, 0), time: time)
        return Reading(value: origin.scale, velocity: velocity.x)
    }
}

extension PinchRecognizer {
    func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        let far = 1e12
        return tracker == kind
            && state.isSound(
                { (0...far).contains($0) },
                {
                    (Self.distancePointsMin...far).contains($0.distance) && $0.scale > 0
                        && $0.scale <= far && $0.tracker.isSound(kind)
                })
    }
}
