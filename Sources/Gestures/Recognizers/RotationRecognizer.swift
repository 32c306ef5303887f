package import Geometry

/// Two fingers that rotate around each other: begins after some degrees, then follows the angle.
package typealias RotationRecognizer = PairRecognizer<RotationMeasure>

/// The rotation of two fingers since their last sample, summed.
package enum RotationMeasure: PairMeasure {
    /// The angle (rad) at which a rotation begins: 5°.
    package static let slopRadians = 5 * Double.pi / 180
    /// The angle (rad) by which resting fingers tremble: 2 points of a finger that is 115 points
    /// from the other one.
    package static let trembleRadians = Double.pi / 180

    package struct Start: Hashable, Sendable, Codable {
        /// Radians since the second finger landed.
        fileprivate var turn: Double
    }

    package struct Origin: PairOrigin {
        /// Radians since it began.
        fileprivate var angle: Double
        package var tracker: VelocityTracker

        package var value: Double { angle }
        package var tremble: Double { trembleRadians }
    }

    package static func start(_ a: Vector, _ b: Vector) -> Start { Start(turn: 0) }

    /// In (−π, π].
    package static func direction(_ a: Vector, _ b: Vector) -> Double? {
        Angle.direction(of: b - a)
    }

    /// The rotation since the last sample by the shorter way, so that it never jumps at ±π.
    package static func measure(
        _ a: Vector, _ b: Vector, _ direction: inout Double?
    ) -> Double {
        // Fingers at one point have no direction; they keep the last one.
        guard a != b, let last = direction else { return 0 }
        let next = Angle.direction(of: b - a)
        direction = next
        return Angle.wrapped(next - last)
    }

    package static func begin(
        _ start: inout Start, _ turn: Double, _ scale: ViewportScale,
        tracker: VelocityTracker.Kind
    ) -> Origin? {
        start.turn += turn
        guard start.turn.magnitude >= slopRadians else { return nil }
        return Origin(angle: 0, tracker: VelocityTracker(kind: tracker))
    }

    package static func change(_ origin: inout Origin, _ turn: Double) { origin.angle += turn }

    // MARK: Soundness

    private static let far = 1e9

    package static func isSound(_ direction: Double?) -> Bool {
        direction.map { $0.magnitude <= 4 } ?? false
    }

    package static func isSound(_ start: Start) -> Bool { start.turn.magnitude <= far }

    package static func isSound(_ origin: Origin) -> Bool { origin.angle.magnitude <= far }
}
