import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Fingers that come before there is a tip to hold, and fast ones.
@Suite struct TipsFingerTests {
    @Test func aFingerThatComesEarlyHoldsTheTipWhenItIsPlaced() throws {
        var stage = try TipsStage.inPhase("presenting")
        try stage.pan(.began, 100, 300)
        #expect(stage.phase == "presenting" && stage.tip == nil)
        stage.step(20)
        try stage.pan(.changed, 110, 300)
        stage.step(6)
        #expect(stage.phase == "dragging")
        let placed = try #require(stage.tip).center
        #expect(placed == Vector(660, 784))
        let rod = (placed - Vector(110, 300)).length
        // It follows the finger, at the length of its rod.
        for step in 1...60 {
            try stage.pan(.changed, 110 - Double(step), 300)
            stage.step()
        }
        stage.step(30)
        let tip = try #require(stage.tip)
        #expect(abs((tip.center - Vector(50, 300)).length - rod) < 1)
        #expect((tip.center - placed).length > 10)
        try stage.pan(.ended, 110, 300)
        stage.run(to: "resting")
        #expect(stage.tip?.center == middle && stage.index == .whole(0))
    }

    @Test(arguments: [Phase.ended, .cancelled])
    func aFingerThatLiftsEarlyHoldsNothing(end: Phase) throws {
        var stage = try TipsStage.inPhase("presenting")
        try stage.pan(.began, 100, 300)
        stage.step(5)
        try stage.pan(end, 100, 300)
        let code = refusal { () throws(Rejection) in try stage.pan(.changed, 100, 300) }
        #expect(code == .outOfOrder)
        stage.step(21)
        #expect(stage.phase == "entering")
    }

    /// A long fade: three seconds of silence lose the finger, and the tip comes in.
    @Test func aFingerThatIsSilentIsLostBeforeTheTipIsThere() throws {
        var stage = tipsStage { $0.fade = 5 }
        try stage.pan(.began, 100, 300)
        stage.step(359)
        try stage.pan(.changed, 101, 300)
        stage.step(240)
        #expect(stage.phase == "presenting")
        stage.step()
        #expect(stage.phase == "dragging")
        var silent = tipsStage { $0.fade = 5 }
        try silent.pan(.began, 100, 300)
        silent.step(600)
        #expect(silent.phase == "entering")
    }

    /// A tip that `present` brought back is held where it is once the fade has ended.
    @Test func aFingerHoldsTheTipThatIsBroughtBack() throws {
        var stage = try TipsStage.inPhase("dismissing")
        try stage.command("present")
        try stage.pan(.began, 150, 270)
        stage.step(36)
        #expect(stage.phase == "dragging" && stage.tip?.center == middle)
        try stage.command("dismiss")
        let code = refusal { () throws(Rejection) in try stage.pan(.changed, 100, 300) }
        #expect(code == .outOfOrder)
    }

    /// The exchange happens at once, and the finger holds the next one.
    @Test func twoQuickFlicksTurnTwoPages() throws {
        var stage = tipsStage()
        stage.run(to: "resting")
        let mark = stage.told.count
        for index in 0...1 {
            try stage.pan(.began, 250, 300)
            #expect(stage.phase == "dragging" && stage.index == .whole(index))
            stage.step(3)
            try stage.pan(.changed, 150, 300)
            stage.step(3)
            try stage.pan(.ended, 20, 300)
            #expect(stage.phase == "leaving")
            stage.step(10)
        }
        stage.run(to: "entering")
        #expect(stage.index == .whole(2))
        #expect(
            stage.lines(since: mark) == [
                "page began 0→1 0.4", "page ended 0→1 0.4", "page began 1→2 0.4",
                "page ended 1→2 0.4",
            ])
    }

    @Test func behindTheLastTipThereIsNothingToHold() throws {
        var stage = tipsStage(1)
        stage.run(to: "resting")
        try stage.release(at: -140)
        let before = stage.machine
        let code = refusal { () throws(Rejection) in try stage.pan(.began, 100, 300) }
        #expect(code == .busy && stage.machine == before)
    }

    // MARK: Resistance

    /// Where the tip hangs on a finger that moves at `speed` points a second to x = 220.
    private func reach(_ resistance: Double, speed: Double) throws -> (TipsStage, Double) {
        var stage = tipsStage { ($0.resistance, $0.threshold) = (resistance, 50) }
        stage.run(to: "resting")
        try stage.pan(.began, middle.x, middle.y)
        let way = speed / 120
        var x = middle.x
        while x < 220 {
            stage.step()
            x = min(220, x + way)
            try stage.pan(.changed, x, middle.y)
        }
        stage.step()
        return (stage, (try #require(stage.tip)).center.x - middle.x)
    }

    @Test func aFastFingerPullsLess() throws {
        let (_, free) = try reach(0, speed: 600)
        let (_, fast) = try reach(2, speed: 600)
        let (_, slow) = try reach(2, speed: 60)
        // The distance is divided by 1 + 2 · 0.6 and by 1 + 2 · 0.06.
        #expect(abs(free / fast - 2.2) < 0.15, "\(free) \(fast)")
        #expect(abs(free / slow - 1.12) < 0.05, "\(free) \(slow)")
    }

    /// A finger that has stopped has no speed; the tip comes up to it, in some frames.
    @Test func theTipComesUpToAFingerThatStops() throws {
        var (stage, reach) = try reach(2, speed: 600)
        for _ in 1...12 {
            let before = try #require(stage.tip).center.x
            stage.step()
            let way = (try #require(stage.tip)).center.x - before
            #expect(way > -1 && way < 14, "\(way)")
        }
        let caughtUp = try #require(stage.tip).center.x - middle.x
        #expect(caughtUp > reach * 1.8)
        stage.step(60)
        let still = try #require(stage.tip).center
        stage.step(10)
        #expect(((try #require(stage.tip)).center - still).length < 0.01)
    }

    /// 60 points away, and 60 / 2.2 at 600 pt/s: too near to leave by a threshold of 50.
    @Test func theReleaseCountsTheResistance() throws {
        for (resistance, phase) in [(0.0, "leaving"), (2, "returning")] {
            var (stage, _) = try reach(resistance, speed: 600)
            try stage.pan(.ended, 220, middle.y, velocity: Vector(600, 0))
            #expect(stage.phase == phase)
            var (still, _) = try reach(resistance, speed: 600)
            try still.pan(.ended, 220, middle.y, velocity: .zero)
            #expect(still.phase == "leaving")
        }
    }
}
