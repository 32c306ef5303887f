import Geometry
import Motion
import Testing

@Suite struct AnimationTests {
    private let way = Animation(
        from: 10, to: 30, begin: Step(100), duration: 0.2, curve: .linear)

    /// 0.2 s are 24 steps: one value at the exact time of each.
    @Test func aValueRunsFromHereToThere() {
        #expect(way.value(at: Step(0)) == 10)
        #expect(way.value(at: Step(100)) == 10)
        #expect(abs(way.value(at: Step(112)) - 20) < 1e-12)
        #expect(abs(way.value(at: Step(123)) - (10 + 20.0 * 23 / 24)) < 1e-12)
        #expect(way.value(at: Step(124)) == 30)
        #expect(way.value(at: Step(1_000)) == 30)
        #expect(way.end == Step(124))
    }

    /// Durations in seconds, and the steps after which they end.
    @Test(
        arguments: [
            (0, 0), (0.001, 1), (0.02, 3), (0.2, 24), (0.28, 34), (0.3, 36), (0.4, 48), (0.45, 54),
            (0.5, 60), (1.0 / 120, 1), (2, 240),
        ] as [(Double, Int)])
    func itEndsAtTheFirstStepNotBefore(duration: Double, steps: Int) {
        let way = Animation(from: 0, to: 1, begin: Step(7), duration: duration)
        #expect(way.end == Step(7 + steps))
        #expect(way.value(at: Step(7 + steps)) == 1)
        if steps > 1 { #expect(way.value(at: Step(6 + steps)) < 1) }
    }

    @Test func withoutADurationItIsThereAtOnce() {
        let way = Animation(from: 3, to: 4, begin: Step(5), duration: 0)
        #expect(way.value(at: Step(4)) == 3)
        #expect(way.value(at: Step(5)) == 4)
    }

    @Test func withoutANamedCurveItEasesInAndOut() {
        let way = Animation(from: 0, to: 1, begin: .zero, duration: 1)
        #expect(way.curve == .easeInOut)
        #expect(way.value(at: Step(30)) == TimingCurve.easeInOut.value(at: 0.25))
    }

    /// A delay of 0.02 s is 2.4 steps: step 3 is 0.005 s after it.
    @Test func aDelayNeedNotEndOnAStep() {
        let way = Animation(
            from: 1, to: 2, begin: Step(50), delay: 0.02, duration: 0.3, curve: .linear)
        #expect(way.value(at: Step(50)) == 1 && way.value(at: Step(52)) == 1)
        #expect(abs(way.value(at: Step(53)) - (1 + 0.005 / 0.3)) < 1e-12)
        #expect(way.end == Step(50 + 39) && way.value(at: Step(88)) < 2)
        #expect(way.value(at: Step(89)) == 2)
        let jump = Animation(from: 1, to: 2, begin: Step(50), delay: 0.02, duration: 0)
        #expect(jump.value(at: Step(52)) == 1 && jump.value(at: Step(53)) == 2)
    }
}
