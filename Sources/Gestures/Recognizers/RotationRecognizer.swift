package import Geometry

/// Two fingers that turn around each other: begins after some degrees, then turns from there.
package struct RotationRecognizer: Hashable, Sendable, Codable {
    /// Radians of turn at which it begins: 5°.
    package static let slopRadians = 5 * Double.pi / 180

    private struct Start: Hashable, Sendable, Codable {
        /// Radians since the second finger landed.
        var turn: Double
    }

    private struct Origin: Hashable, Sendable, Codable {
        /// Radians since it began.
        var angle: Double
        /// Of the angle, along x.
        var tracker: VelocityTracker
    }

    private let tracker: VelocityTracker.Kind
    /// Where the second finger lay as seen from the first, in (−π, π].
    private var direction: Double
    private var state: RecognizerState<Start, Origin>

    package init(_ a: Vector, _ b: Vector, tracker: VelocityTracker.Kind) {
        self.tracker = tracker
        direction = Angle.direction(of: b - a)
        state = .possible(Start(turn: 0))
    }

    /// One of the fingers moved, or was sampled again.
    package mutating func moved(
        _ a: Vector, _ b: Vector, time: SampleTime
    ) -> Recognition<Reading> {
        let turn = follow(a, b)
        switch state {
        case .possible(var start):
            start.turn += turn
            guard start.turn.magnitude >= Self.slopRadians else {
                state = .possible(start)
                return .nothing
            }
            var origin = Origin(angle: 0, tracker: VelocityTracker(kind: tracker))
            origin.tracker.add(.zero, at: time)
            state = .began(origin)
            return .began(Reading(value: 0, velocity: 0))
        case .began(var origin), .changed(var origin):
            origin.angle += turn
            origin.tracker.add(Vector(origin.angle, 0), at: time)
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

    /// The fingers were lost; answers with the last angle if it was a rotation.
    package mutating func cancel() -> Double? {
        let angle = state.origin?.angle
        if !state.isOver { state = .cancelled }
        return angle
    }

    /// The turn since the last sample, the short way round: so it never jumps at ±π.
    private mutating func follow(_ a: Vector, _ b: Vector) -> Double {
        // Fingers that meet have no direction; they keep the one that they had.
        if a == b { return 0 }
        let next = Angle.direction(of: b - a)
        defer { direction = next }
        return Angle.wrapped(next - direction)
    }

    private static func reading(_ origin: Origin, _ time: SampleTime) -> Reading {
        let velocity = origin.tracker.velocity(endingAt: Vector(origin.angle, 0), time: time)
        return Reading(value: origin.angle, velocity: velocity.x)
    }
}

extension RotationRecognizer {
    func isSound(_ kind: VelocityTracker.Kind) -> Bool {
        let far = 1e9
        return tracker == kind && direction.magnitude <= 4
            && state.isSound(
                { $0.turn.magnitude <= far },
                { $0.angle.magnitude <= far && $0.tracker.isSound(kind) })
    }
}
