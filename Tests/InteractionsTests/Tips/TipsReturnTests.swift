import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Dismissed and brought back before they were gone.
@Suite struct TipsReturnTests {
    /// The same index, fading to 1, and no second entrance.
    @Test func presentBringsBackTheTipThatFades() throws {
        var stage = try TipsStage.inPhase("resting")
        try stage.release(at: -130)
        stage.run(to: "resting")
        #expect(stage.index == .whole(1))
        let cut = try #require(stage.tip).cut
        try stage.command("dismiss")
        stage.step(18)
        let mark = stage.told.count
        try stage.command("present")
        #expect(stage.phase == "presenting" && stage.index == .whole(1))
        #expect(abs(try #require(stage.backdrop).alpha - 0.25) < 1e-9)
        #expect(abs(try #require(stage.tip).alpha - 0.5) < 1e-9)
        stage.step(18)
        #expect(abs(try #require(stage.backdrop).alpha - 0.375) < 1e-9)
        #expect(abs(try #require(stage.tip).alpha - 0.75) < 1e-9)
        stage.step(18)
        #expect(stage.phase == "resting" && stage.index == .whole(1))
        let tip = try #require(stage.tip)
        #expect(tip.center == middle && tip.alpha == 1 && tip.cut == cut)
        #expect(
            stage.lines(since: mark) == [
                "dismiss cancelled 0.3 ease-in-out", "present began 0.3 ease-in-out",
                "present ended 0.3 ease-in-out",
            ])
    }

    /// A twin that nobody dismisses swings the same way, to the last bit.
    @Test(arguments: ["entering", "returning"])
    func aDismissedTipSwingsOnWhileItFades(phase: String) throws {
        var stage = try TipsStage.inPhase(phase)
        var twin = stage
        try stage.command("dismiss")
        for _ in 1...18 {
            stage.step()
            twin.step()
            #expect(stage.tip?.center == twin.tip?.center)
            #expect(stage.tip?.rotation == twin.tip?.rotation)
        }
        #expect(try #require(stage.tip).alpha < 1)
        try stage.command("present")
        for _ in 1...36 {
            stage.step()
            twin.step()
            #expect(stage.tip?.center == twin.tip?.center)
        }
        #expect(stage.phase == "entering" && stage.tip?.alpha == 1 && stage.tip?.cut == 0)
        stage.run(to: "resting")
        #expect(stage.tip?.center == middle)
    }

    @Test func aTipThatIsHeldSwingsBackWhileItFades() throws {
        var stage = try TipsStage.inPhase("dragging")
        for step in 1...30 {
            stage.step()
            try stage.pan(.changed, 150 + Double(step) * 2, 270)
        }
        let away = try #require(stage.tip).center
        try stage.command("dismiss")
        stage.step(12)
        let tip = try #require(stage.tip)
        #expect((tip.center - middle).length < (away - middle).length / 2)
        #expect(tip.cut == 0)
    }

    /// It goes on to its exit while it fades; brought back, it turns round, with its index.
    @Test func aTipThatLeavesComesBack() throws {
        var stage = try TipsStage.inPhase("leaving")
        var twin = stage
        try stage.command("dismiss")
        stage.step(20)
        twin.step(20)
        #expect(stage.tip?.center == twin.tip?.center)
        let away = try #require(stage.tip)
        #expect(away.rotation < -0.5)
        try stage.command("present")
        #expect(stage.tip?.center == away.center && stage.index == .whole(0))
        stage.step(36)
        #expect(stage.phase == "entering" && stage.index == .whole(0))
        stage.run(to: "resting")
        let tip = try #require(stage.tip)
        #expect(tip.center == middle && tip.cut == 0 && stage.index == .whole(0))
    }

    /// Behind the last one everything fades; `present` brings the last one back.
    @Test func theLastTipComesBack() throws {
        var stage = tipsStage(2)
        for _ in 1...2 {
            stage.run(to: "resting")
            try stage.release(at: -140)
            stage.step(60)
        }
        #expect(stage.phase == "dismissing" && stage.index == .whole(1))
        let cut = try #require(stage.tip).cut
        try stage.command("present")
        stage.run(to: "resting")
        #expect(stage.index == .whole(1) && stage.tip?.center == middle)
        #expect(stage.tip?.cut == cut)
        try stage.command("dismiss")
        stage.run(to: "dismissed")
        try stage.command("present")
        #expect(stage.index == .whole(0))
    }

    /// No tip was there yet: it comes in as it would have.
    @Test func presentBringsBackABackdropAlone() throws {
        var stage = try TipsStage.inPhase("presenting")
        try stage.command("dismiss")
        stage.step(5)
        try stage.command("present")
        #expect(stage.tip == nil)
        stage.step(36)
        #expect(stage.phase == "entering" && stage.tip?.center == Vector(660, 784))
    }
}
