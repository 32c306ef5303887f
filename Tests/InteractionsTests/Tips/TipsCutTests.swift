import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// A renderer that interpolates begins anew where a tip was placed instead of moved.
@Suite struct TipsCutTests {
    /// The cuts of backdrop and tip; nil: there is no such view.
    private func cuts(_ stage: TipsStage) -> [Int?] { [stage.backdrop?.cut, stage.tip?.cut] }

    @Test func aTipThatComesAndRestsIsMoved() throws {
        var stage = tipsStage()
        #expect(cuts(stage) == [0, nil])
        stage.run(to: "entering")
        #expect(cuts(stage) == [0, 0])
        stage.run(to: "resting")
        try stage.release(at: 40)
        stage.run(to: "resting")
        #expect(cuts(stage) == [0, 0])
    }

    @Test func eachExchangePlacesTheTipAnew() throws {
        var stage = tipsStage()
        for (cut, offset) in zip(1..., [-140.0, -140, 140, 140, 140]) {
            stage.run(to: "resting")
            try stage.release(at: offset)
            stage.step(47)
            #expect(cuts(stage) == [0, cut - 1])
            stage.step()
            #expect(stage.phase == "entering" && cuts(stage) == [0, cut])
        }
    }

    /// Behind the last tip all fade where they are, and are other views when they come again.
    @Test func whatWasGoneReturnsWithAnotherCut() throws {
        var stage = tipsStage(1)
        stage.run(to: "resting")
        try stage.release(at: -140)
        stage.run(to: "dismissing")
        #expect(cuts(stage) == [0, 0])
        stage.run(to: "dismissed")
        try stage.command("present")
        #expect(cuts(stage) == [1, nil])
        stage.run(to: "entering")
        #expect(cuts(stage) == [1, 1])
        // No tip was there when this one is dismissed, so only the backdrop leaves.
        try stage.command("dismiss")
        stage.run(to: "dismissed")
        try stage.command("present")
        #expect(cuts(stage) == [2, nil])
        try stage.command("dismiss")
        stage.run(to: "dismissed")
        try stage.command("present")
        stage.run(to: "entering")
        #expect(cuts(stage) == [3, 2])
    }

    @Test func aTipThatStillFadesIsNotPlacedAnew() throws {
        var stage = try TipsStage.inPhase("dismissing")
        try stage.command("present")
        #expect(cuts(stage) == [0, 0])
        stage.run(to: "resting")
        #expect(cuts(stage) == [0, 0])
    }

    @Test func aFadeOfNoTimeIsACut() throws {
        var stage = tipsStage { $0.fade = 0 }
        #expect(cuts(stage) == [0, nil])
        stage.run(to: "resting")
        #expect(cuts(stage) == [0, 0])
        try stage.command("dismiss")
        #expect(stage.phase == "dismissed")
        try stage.command("present")
        let cuts = cuts(stage).map { $0 ?? 0 }
        #expect(cuts.allSatisfy { $0 > 0 })
    }
}
