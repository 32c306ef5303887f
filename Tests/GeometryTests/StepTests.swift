import Geometry
import Testing

@Suite struct StepTests {
    @Test(arguments: [
        (0, 0), (1, 8_333_333), (2, 16_666_666), (3, 25_000_000), (120, 1_000_000_000),
    ])
    func theGridHasWholeNanoseconds(count: Int, nanoseconds: Int) {
        #expect(Step(count).nanoseconds == nanoseconds)
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func aStepIsTheLastThatIsNotAfter(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            // Up to half a year of steps.
            let count = random.whole(in: 0...2_000_000_000)
            let here = Step(count)
            let next = here + 1
            #expect(Step(notAfter: here.nanoseconds) == here, "seed \(seed)")
            #expect(Step(notAfter: next.nanoseconds - 1) == here, "seed \(seed)")
            let between = random.whole(in: here.nanoseconds...next.nanoseconds - 1)
            #expect(Step(notAfter: between) == here, "seed \(seed)")
        }
    }

    @Test func timesBeforeTheOpeningAreTheOpening() {
        #expect(Step(notAfter: -1) == .zero)
        #expect(Step(notAfter: .min) == .zero)
    }

    @Test(
        arguments: [
            (0.0, 0), (0.3, 36), (0.28, 34), (0.02, 3), (0.4, 48), (0.45, 54), (0.2, 24),
            (1.0 / 120, 1), (1.0 / 119, 2), (86_400, 10_368_000),
        ] as [(Double, Int)])
    func aTimerFiresAtTheFirstStepNotBeforeItsTime(seconds: Double, steps: Int) {
        #expect(Step(7).after(seconds: seconds) == Step(7 + steps))
    }

    @Test func everyWholeNumberOfStepsIsItsOwnTimer() {
        for count in 0..<20_000 {
            #expect(Step.zero.after(seconds: Double(count) / 120) == Step(count))
        }
    }

    @Test func stepsAreASubtractableOrder() {
        #expect(Step(5) - Step(3) == 2)
        #expect(Step(3) < Step(5))
        #expect(Step(180).seconds(since: Step(60)) == 1)
        #expect(Instant(nanoseconds: 5) + Step(3) == Instant(nanoseconds: 25_000_005))
    }
}
