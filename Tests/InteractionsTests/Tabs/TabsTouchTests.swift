import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// The item that a contact highlights, and how the arrow runs.
@Suite struct TabsTouchTests {
    private func highlighted(_ stage: TabsStage) -> [Int] {
        (0..<5).filter { stage.field("items.\($0).highlighted") == .flag(true) }
    }

    /// Share is from x 128 to 192, the bar from y 524 to 568.
    @Test(
        arguments: [
            (200, 550, true), (262, 550, true), (263, 550, false), (58, 454, true),
            (58, 453, false), (57, 500, false), (160, 638, true), (160, 639, false),
        ])
    func theHighlightStaysWithItsItemWithin70Points(x: Double, y: Double, stays: Bool) {
        var stage = tabsStage()
        stage.touch(.down(Vector(160, 550)))
        #expect(highlighted(stage) == [2] && stage.needsPublish)
        stage.touch(.moved(Vector(x, y)))
        #expect(highlighted(stage) == (stays ? [2] : []) && stage.needsPublish == !stays)
        stage.touch(.moved(Vector(190, 530)))
        #expect(highlighted(stage) == [2])
        stage.touch(.up)
        #expect(highlighted(stage).isEmpty && stage.needsPublish)
    }

    @Test func aContactThatLandedElsewhereHighlightsNothing() {
        var stage = tabsStage()
        stage.touch(.down(Vector(160, 300)))
        stage.touch(.moved(Vector(160, 550)))
        #expect(highlighted(stage).isEmpty && !stage.needsPublish)
    }

    @Test(arguments: TimingCurve.allCases)
    func theArrowRunsByItsCurve(curve: TimingCurve) throws {
        var stage = tabsStage { $0.arrowCurve = curve }
        try stage.tap(4)
        for step in 0..<24 {
            let left = 22 + 256 * curve.value(at: Double(step) / 24)
            #expect(abs(stage.arrowLeft - left) < 1e-9, "step \(step)")
            stage.step()
        }
        #expect(stage.arrowLeft == 278)
        #expect(stage.transitions.allSatisfy { $0.curve == .timing(curve) })
    }

    @Test func theArrowsCurveIsEasedInAndOut() {
        #expect(TabsParameters(viewport: .phone).arrowCurve == .easeInOut)
    }
}
