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

    /// The tip on a finger that goes by `way` at `speed` points a second, and is still down.
    private func drawn(
        _ resistance: Double, by way: Double, speed: Double,
        each: (TipsStage) throws -> Void = { _ in }
    ) throws -> TipsStage {
        var stage = tipsStage { $0.resistance = resistance }
        stage.run(to: "resting")
        try stage.pan(.began, middle.x, middle.y)
        let samples = max(1, Int((way.magnitude / speed * 60).rounded()))
        for sample in 1...samples {
            stage.step(2)
            try stage.pan(
                .changed, middle.x + way * Double(sample) / Double(samples), middle.y)
            try each(stage)
        }
        stage.step(2)
        return stage
    }

    /// The tip goes where its finger goes, at any speed and with any resistance.
    @Test(arguments: [0, 0.5, 2, 10, 1_000, 1e6] as [Double], [-1.0, 1])
    func theTipFollowsItsFingerWhateverResists(resistance: Double, sign: Double) throws {
        for speed in [60.0, 600, 2_400, 6_000] {
            let free = try drawn(0, by: sign * 140, speed: speed)
            var former = middle.x
            let stage = try drawn(resistance, by: sign * 140, speed: speed) { stage in
                let x = try #require(stage.tip).center.x
                #expect((x - former) * sign > -0.5, "\(speed): from \(former) to \(x)")
                former = x
            }
            let (tip, other) = (try #require(stage.tip), try #require(free.tip))
            #expect((tip.center - other.center).length < 1, "\(speed)")
        }
    }

    @Test(arguments: [0.5, 2, 10, 1_000])
    func everyStrokePagesWhateverResists(resistance: Double) throws {
        for (way, index) in [(-140.0, 1), (140, 0)] {
            var stage = try drawn(resistance, by: way, speed: 2_400)
            try stage.pan(.ended, middle.x + way, middle.y)
            #expect(stage.phase == "leaving")
            stage.run(to: "resting")
            #expect(stage.index == .whole(index))
        }
    }

    /// The farthest that the tip swings to the other side after it was let go.
    private func swing(_ resistance: Double, rest: Int = 0) throws -> Double {
        var stage = try drawn(resistance, by: -80, speed: 600)
        for _ in 0..<rest {
            try stage.pan(.changed, middle.x - 80, middle.y)
            stage.step(2)
        }
        try stage.pan(.ended, middle.x - 80, middle.y)
        #expect(stage.phase == "returning")
        var farthest = 0.0
        _ = stage.steps { stage in
            farthest = max(farthest, (stage.tip?.center.x ?? 0) - middle.x)
            return stage.phase == "resting"
        }
        #expect(stage.phase == "resting" && stage.tip?.center == middle)
        return farthest
    }

    @Test func theFasterThePanTheLessTheTipSwings() throws {
        let (free, some, much) = (try swing(0), try swing(10), try swing(50))
        #expect(free > 2 && some < free * 0.9 && much < some * 0.9, "\(free) \(some) \(much)")
        // It comes home however much resists.
        #expect(try swing(1e6) <= much)
    }

    /// A finger that has stopped has no speed, whether it is silent or repeats its place.
    @Test func nothingResistsAfterAFingerThatStopped() throws {
        let (resisting, other) = (try swing(50, rest: 15), try swing(0, rest: 15))
        #expect(abs(resisting - other) < 0.01)
        var (stage, free) = (
            try drawn(50, by: -80, speed: 600), try drawn(0, by: -80, speed: 600)
        )
        stage.step(40)
        free.step(40)
        try stage.command("dismiss")
        try free.command("dismiss")
        stage.step(20)
        free.step(20)
        let (tip, twin) = (try #require(stage.tip), try #require(free.tip))
        #expect((tip.center - twin.center).length < 0.01)
    }

    @Test func whatResistsIsEncodedAndGoesOn() throws {
        var stage = try drawn(20, by: -80, speed: 600)
        for phase in ["dragging", "returning"] {
            if phase == "returning" { try stage.pan(.ended, middle.x - 80, middle.y) }
            #expect(stage.phase == phase)
            var parameters = TipsParameters.counting(3)
            parameters.resistance = 20
            #expect(try comesBackAlike(stage.machine, of: parameters, viewport: .phone))
        }
    }
}
