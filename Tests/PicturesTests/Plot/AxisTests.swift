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

    @Test func labelsHaveTheDecimalsOfTheStep() {
        let axis = Axis(0...1, ticks: 5)
        #expect(axis.label(of: 0.2 + 0.4) == "0.6" && axis.label(of: 0) == "0")
    }
}
