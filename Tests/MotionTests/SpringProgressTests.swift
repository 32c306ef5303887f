import Foundation
import Geometry
import Motion
import Testing

@Suite struct SpringProgressTests {
    private static let springs = [
        Spring(duration: 0.5, bounce: 0), Spring(duration: 0.3, bounce: 0.6),
        Spring(duration: 1, bounce: -0.5), Spring(duration: 10, bounce: 0.9),
        Spring(duration: 0.01, bounce: -0.9),
    ]

    /// The closed form at any time, and the steps of 1/120 s.
    @Test(arguments: springs, [0, 7.5, -20])
    func theCurveIsWhereTheStepsLead(spring: Spring, velocity: Double) {
        let curve = SpringProgress(spring, velocity: velocity)
        var (displacement, speed) = (-1.0, velocity)
        for step in 0..<240 {
            let time = Double(step) / 120
            let far = max(1, displacement.magnitude, speed.magnitude)
            #expect(abs(curve.value(at: time) - (1 + displacement)) < 1e-11 * far, "step \(step)")
            #expect(abs(curve.speed(at: time) - speed) < 1e-9 * far, "step \(step)")
            spring.advance(displacement: &displacement, velocity: &speed)
        }
    }

    /// Points from 40 to 300, with the velocity of a finger and without.
    @Test(arguments: springs, [0, 900, -3_000])
    func itBeginsWithTheVelocityAndEndsWhereItStandsStill(spring: Spring, velocity: Double) {
        let way = Animation(
            from: 40, to: 300, velocity: velocity, begin: Step(10), pace: .spring(spring))
        #expect(way.value(at: Step(10)) == 40 && way.isSound)
        #expect(abs(way.velocity(at: Step(10)) - velocity) <= 1e-9 * velocity.magnitude)
        #expect(way.value(at: way.end) == 300 && way.velocity(at: way.end) == 0)
        let last = Step(way.end.count - 1)
        #expect(abs(way.value(at: last) - 300) < 0.001 + 0.001 * spring.stiffness.squareRoot())
    }

    @Test func whatIsOnItsTargetIsThere() {
        let way = Animation(
            from: 5, to: 5, velocity: 100, begin: Step(3), pace: .spring(Spring()))
        #expect(way.end == Step(3) && way.value(at: Step(3)) == 5 && way.duration == 0)
    }

    /// The difference of values 2 ms apart.
    @Test(arguments: TimingCurve.allCases, [0.05, 0.3, 0.6, 0.95])
    func theSlopeIsThatOfTheCurve(curve: TimingCurve, time: Double) {
        let slope = (curve.value(at: time + 1e-5) - curve.value(at: time - 1e-5)) / 2e-5
        #expect(abs(curve.slope(at: time) - slope) < 1e-6)
        #expect(curve.slope(at: -0.1) == 0 && curve.slope(at: 1) == 0)
    }

    @Test func anAnimationTellsItsVelocity() {
        let way = Animation(from: 0, to: 60, begin: .zero, duration: 0.5, curve: .linear)
        #expect(way.velocity(at: Step(30)) == 120 && way.velocity(at: Step(60)) == 0)
    }

    // MARK: Coding

    /// As JSON has it: a curve by its name, as before there were springs.
    @Test func namesStayNamesAndASpringIsThreeNumbers() throws {
        let curves: [MotionCurve] = TimingCurve.allCases.map { .timing($0) }
        let spring = MotionCurve.spring(
            SpringProgress(Spring(stiffness: 100, damping: 12), velocity: -2.5))
        let data = try JSONEncoder().encode(curves + [spring])
        let text = String(decoding: data, as: UTF8.self)
        #expect(
            text == #"["linear","ease-in","ease-out","ease-in-out","default","#
                + #"{"spring":[100,12,-2.5]}]"#)
        #expect(try JSONDecoder().decode([MotionCurve].self, from: data) == curves + [spring])
    }

    @Test(arguments: [
        #"{"spring":[0,12,0]}"#, #"{"spring":[100,0,0]}"#, #"{"spring":[100,12]}"#,
        #"{"spring":[100,12,1e13]}"#, #"{"spring":[-1,12,0]}"#, #""spring""#, "{}",
    ])
    func whatNeverRestsIsNotDecoded(text: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(MotionCurve.self, from: Data(text.utf8))
        }
    }
}
