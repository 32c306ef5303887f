import Geometry
import Testing

@testable import Interactions

struct TipsSwingTests {
    /// The velocity after marks of angles two steps apart, where the last angle is shown.
    private func velocity(_ angles: Double...) -> Double? {
        var swing = TipsSwing()
        for (number, angle) in angles.dropLast().enumerated() {
            swing.mark(angle, at: Step(2 * number))
        }
        return swing.velocity(showing: angles[angles.count - 1], at: Step(2 * angles.count - 2))
    }

    private func isNear(_ velocity: Double?, _ expected: Double) -> Bool {
        velocity.map { abs($0 - expected) < 1e-9 } ?? false
    }

    @Test func aTurnIsMeasuredOverTwoSamples() {
        #expect(isNear(velocity(0.02, 0.04), 1.2))
        #expect(isNear(velocity(0.5, 0.01, 0.02, 0.05), 1.2), "what is older does not count")
        #expect(velocity(0.5) == nil, "no way was made")
    }

    /// The rod has turned the tip round: it leaves in the direction that it has now.
    @Test func aTipThatWasTurnedRoundGoesOnInItsNewDirection() {
        #expect(isNear(velocity(0.10, 0.04, 0.05), 0.6), "as fast as it goes now")
        #expect(isNear(velocity(0.10, 0.05, 0.09), 0.3), "no faster than over both samples")
        #expect(isNear(velocity(-0.10, -0.04, -0.05), -0.6))
    }

    @Test func aFingerThatRestedHasNoVelocity() {
        var swing = TipsSwing()
        swing.mark(0.1, at: Step(0))
        #expect(swing.velocity(showing: 0.2, at: Step(6)) == 0)
    }
}
