import Testing

@testable import Pictures

@Suite struct AxisTests {
    @Test func stepsAreRound() {
        #expect([0.9, 1.0, 1.1, 2.3, 7, 0.03].map { Axis.roundStep($0) } == [1, 1, 2, 5, 10, 0.05])
    }
}
