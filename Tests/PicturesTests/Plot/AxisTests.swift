import Testing

@testable import Pictures

@Suite struct AxisTests {
    @Test func stepsAreRound() {
        let steps = [0.9, 1, 1.1, 2.3, 7, 0.03].map { Axis.roundStep($0) }
        for (step, wanted) in zip(steps, [1, 1, 2, 5, 10, 0.05]) {
            #expect((step - wanted).magnitude < 1e-12)
        }
    }

    @Test(arguments: [(0.0, 1.0), (-3, 900), (5, 5), (1e-6, 2e-6), (-1e9, 1e12)])
    func ticksLieWithinTheAxis(low: Double, high: Double) {
        let axis = Axis(low...high, ticks: 6)
        #expect((2...13).contains(axis.ticks.count), "\(axis.ticks)")
        #expect(axis.ticks.allSatisfy { (0...1).contains(axis.place(of: $0)) })
        #expect(axis.place(of: low) >= 0 && axis.place(of: high) <= 1)
        #expect(Set(axis.ticks.map { axis.label(of: $0) }).count == axis.ticks.count)
    }

    /// A recording's model may hold any number.
    @Test(arguments: [
        (-1e308, 7e307), (-1.7e308, 1.7e308), (0, .leastNonzeroMagnitude), (1e300, 1e300),
        (1e15, 1e15 + 0.25),
        (-1e30, 1), (9_007_199_254_740_992, 9_007_199_254_740_994),
    ])
    func hugeAndTinyRangesHaveFiniteAxes(low: Double, high: Double) {
        for isTight in [false, true] {
            let axis = Axis(low...high, ticks: 7, isTight: isTight)
            #expect(axis.least < axis.most && axis.step.isFinite && axis.step > 0)
            #expect((1...15).contains(axis.ticks.count), "\(axis.ticks)")
            #expect(axis.ticks.allSatisfy { !axis.label(of: $0).isEmpty })
        }
    }

    @Test func labelsHaveTheDecimalsOfTheStep() {
        let axis = Axis(0...1, ticks: 5)
        #expect(axis.label(of: 0.2 + 0.4) == "0.6" && axis.label(of: 0) == "0")
    }
}
