import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// How the page springs back to 0.
@Suite struct ReaderReturnTests {
    /// As a scroll view's beyond its edge: the law from the release on, then exactly 0.
    private func expectLaw(_ stage: inout ReaderStage, velocity: Double) {
        var coast = ScrollPhysics.Coast(offset: stage.offset, velocity: velocity)
        for step in 1...1_200 {
            let isMoving = ScrollPhysics.normal.advance(&coast, within: 0...0)
            stage.step()
            #expect(isNear(stage.offset, coast.offset, within: 1e-6), "step \(step)")
            #expect(stage.phase == (isMoving ? "returning" : "resting"))
            if !isMoving { return }
        }
        Issue.record("it never came back")
    }

    @Test(arguments: [54, -54, 3, -0.4] as [Double])
    func withNothingLoadedItSpringsBack(offset: Double) throws {
        var stage = readerStage()
        try stage.pull(to: offset)
        try stage.scroll(.ended, offset)
        #expect(stage.phase == "returning" && stage.needsPublish && stage.told.isEmpty)
        expectLaw(&stage, velocity: 0)
    }

    /// 0.75 · previous + 0.25 · latest, of samples a step apart: 0.75 · 240 + 0.25 · 480 = 300.
    @Test(arguments: [Phase.ended, .cancelled])
    func theStartingVelocityIsTheSamples(phase: Phase) throws {
        var stage = readerStage()
        try stage.scroll(.began, 20)
        stage.step()
        try stage.scroll(.changed, 22)
        stage.step()
        try stage.scroll(phase, 26)
        expectLaw(&stage, velocity: 300)
    }

    /// Below 250 pt/s it starts from rest: 0.75 · 240 + 0.25 · 240.
    @Test func aSlowReleaseStartsFromRest() throws {
        var stage = readerStage()
        try stage.scroll(.began, 20)
        stage.step()
        try stage.scroll(.changed, 22)
        stage.step()
        try stage.scroll(.ended, 24)
        expectLaw(&stage, velocity: 0)
    }

    /// 0 when the last sample is more than 40 ms older than the end: 4 steps are 33 ms.
    @Test(arguments: [(4, true), (5, false)])
    func aFingerThatRestedHasNoVelocity(pause: Int, flings: Bool) throws {
        var stage = readerStage()
        try stage.scroll(.began, 10)
        stage.step()
        try stage.scroll(.changed, 20)
        stage.step(pause)
        try stage.scroll(.ended, 20)
        stage.step()
        #expect((stage.offset > 20) == flings)
    }

    @Test func releasedAtZeroItRests() throws {
        var stage = readerStage()
        try stage.pull(to: 0)
        try stage.scroll(.ended, 0)
        #expect(stage.phase == "resting" && !stage.machine.isMoving)
    }

    /// A loaded page is unloaded and does not come in; the event's offset counts.
    @Test func aCancelledPullSpringsBackUnloaded() throws {
        var stage = readerStage()
        try stage.pull(to: -80)
        stage.step(24)
        let mark = stage.told.count
        try stage.scroll(.cancelled, -90)
        #expect(stage.phase == "returning" && stage.field("header") == .text("unloaded"))
        #expect(stage.offset == -90)
        #expect(stage.lines(since: mark) == ["header-unloaded began 0.2 ease-in-out"])
        stage.step(12)
        #expect(isNear(stage.view("header_arrow")?.rotation, Double.pi / 2))
        let steps = stage.steps { $0.phase == "resting" }
        #expect(steps != nil && stage.field("index") == .whole(4))
    }

    /// Swinging or lying far out, nothing loads before a finger is on it again.
    @Test func whileItReturnsNothingLoads() throws {
        var stage = readerStage()
        try stage.scroll(.began, 0)
        try stage.scroll(.cancelled, 400)
        stage.step(10)
        #expect(stage.offset > 100 && stage.field("footer") == .text("unloaded"))
        #expect(stage.told.isEmpty)
        try stage.scroll(.began, stage.offset)
        #expect(stage.field("footer") == .text("loaded") && stage.phase == "dragging")
    }

    /// `began` while returning takes the event's offset.
    @Test func aBeganCatchesItAtTheEventsOffset() throws {
        var stage = try ReaderStage.inPlace("returning")
        try stage.scroll(.began, 31)
        #expect(stage.phase == "dragging" && stage.offset == 31)
        stage.step(30)
        #expect(stage.offset == 31)
    }

    /// A second `began` starts anew: the samples before it do not count.
    @Test func aSecondBeganCancelsTheFirst() throws {
        var stage = readerStage()
        try stage.scroll(.began, 0)
        stage.step()
        try stage.scroll(.changed, 40)
        try stage.scroll(.began, 20)
        #expect(stage.phase == "dragging" && stage.offset == 20)
        try stage.scroll(.ended, 20)
        stage.step()
        #expect(stage.offset < 20)
    }

    /// A scroll that is silent for 3 s, 360 steps, is cancelled.
    @Test func threeSecondsOfSilenceCancelIt() throws {
        var stage = readerStage()
        try stage.pull(to: 70)
        try stage.scroll(.changed, 70)
        stage.step(359)
        #expect(stage.phase == "dragging" && stage.field("footer") == .text("loaded"))
        stage.step()
        #expect(stage.phase == "returning" && stage.offset == 70)
        #expect(stage.field("footer") == .text("unloaded"))
        let code = refusal { () throws(Rejection) in try stage.scroll(.ended, 70) }
        #expect(code == .outOfOrder)
    }

    /// Each column is 4 steps. `b`egan, `e`nded, `x` cancelled at −50, `n`ext.
    @Test func aTimelineOfPhases() throws {
        var stage = readerStage()
        let phases = try stage.timeline(
            "-b--x---b--e-n------n------", column: 4, letters: readerLetters
        ) { (letter, stage) throws(Rejection) in
            switch letter {
            case "b": try stage.scroll(.began, -50)
            case "x": try stage.scroll(.cancelled, -50)
            case "e": try stage.scroll(.ended, -50)
            default: try stage.command("next")
            }
        }
        #expect(phases == ".dddrrrrdddrrpppppp.pppppp.")
    }
}
