import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Each column is 6 steps, 0.05 s. Phases: `.` resting, `D`ragging, `t`hrown, `r`eturning.
@Suite struct TossTimelineTests {
    /// Plays `b`egan, `m`oved, `s`lowly and `f`ast released, `c`ancelled, `R`eset.
    private func expect(
        _ script: String, _ phases: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var stage = tossStage()
        let found = try stage.timeline(
            script, column: 6, letters: ["resting": ".", "dragging": "D"]
        ) { (letter, stage) throws(Rejection) in
            switch letter {
            case "b": try stage.pan(.began, 150, 200)
            case "m": try stage.pan(.changed, 170, 220)
            case "s": try stage.pan(.ended, 170, 220, velocity: .zero)
            case "f": try stage.pan(.ended, 170, 220, velocity: Vector(1_200, -800))
            case "c": try stage.pan(.cancelled, 170, 220, velocity: Vector(5_000, 0))
            default: try stage.command("reset")
            }
        }
        #expect(found == phases, sourceLocation: sourceLocation)
    }

    /// 0.4 s of flight, 0.45 s of return.
    @Test func thrownItFliesAndReturns() throws {
        try expect("-b-f------------------", ".DDttttttttrrrrrrrrr..")
    }

    @Test func slowOrCancelledItReturnsAtOnce() throws {
        try expect("-b-ms---------", ".DDDrrrrrrrrr.")
        try expect("-b-mc---------", ".DDDrrrrrrrrr.")
    }

    @Test func aFingerCatchesItInFlightAndOnItsWayBack() throws {
        try expect("bf--b-s----b-s----------", "DtttDDrrrrrDDrrrrrrrrr..")
        try expect("bf-b-f----------------------", "DttDDttttttttrrrrrrrrr......")
    }

    @Test func resetReturnsItFromEveryPhase() throws {
        try expect("--R--", ".....")
        try expect("b-R----------", "DDrrrrrrrrr..")
        try expect("bf--R----------", "Dtttrrrrrrrrr..")
        try expect("bs--R------------", "Drrrrrrrrrrrr....")
    }
}

@Suite struct TossReturnTests {
    @Test func theReturnEndsExactlyInTheFrame() throws {
        var stage = try TossStage.inPhase("returning")
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.item?.center == tossHome && stage.item?.rotation == 0)
        #expect(stage.item?.size == Size(254, 172) && stage.item?.z == 0)
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
        #expect(stage.field("frame") == .frame(Rect(33, 137, 254, 172)))
    }

    /// A spin of 9 turns it by more than a half; it goes on to the full turn, never back.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func itReturnsTheShortWayRound(seed: UInt64) throws {
        var stage = tossStage(seed: seed)
        try stage.fling(Vector(0, 1_500))
        stage.step(47)
        var last = try #require(stage.item).rotation
        stage.step()
        #expect(stage.phase == "returning")
        let start = try #require(stage.item).rotation
        #expect(turn(from: start, to: last) < 0.1, "seed \(seed) jumps")
        #expect(start > -Double.pi && start <= Double.pi)
        last = start
        for _ in 0..<54 {
            stage.step()
            let rotation = try #require(stage.item).rotation
            #expect(abs(rotation) <= abs(last) && rotation * start >= 0, "seed \(seed)")
            last = rotation
        }
        #expect(last == 0 && stage.phase == "resting")
    }

    @Test func itEasesInAndOut() throws {
        var stage = try TossStage.inPhase("dragging")
        try stage.command("reset")
        let start = try #require(stage.item).center
        stage.step(27)
        let half = try #require(stage.item).center
        #expect((half - (start + tossHome) / 2).length < 1e-9)
        stage.step(26)
        #expect(stage.phase == "returning")
        stage.step()
        #expect(stage.phase == "resting")
    }

    @Test(arguments: [
        ("dragging", ["return began 0.45 ease-in-out"]),
        ("thrown", ["toss cancelled 0.4", "return began 0.45 ease-in-out"]),
        (
            "returning",
            ["return cancelled 0.45 ease-in-out", "return began 0.45 ease-in-out"]
        ),
    ])
    func aResetCancelsTheRunningTransition(phase: String, told: [String]) throws {
        var stage = try TossStage.inPhase(phase)
        let mark = stage.told.count
        let place = stage.item
        try stage.command("reset")
        #expect(stage.phase == "returning" && stage.needsPublish)
        #expect(stage.lines(since: mark) == told)
        #expect(stage.item?.center == place?.center)
        let code = refusal { () throws(Rejection) in try stage.pan(.changed, 0, 0) }
        #expect(code == .outOfOrder)
    }

    @Test func aThrowReportsEachTransitionUntilItsReturn() throws {
        var stage = tossStage()
        stage.step(3)
        try stage.fling(Vector(1_500, 0))
        stage.step(120)
        #expect(
            stage.told == [
                "3 toss began 0.4", "51 toss ended 0.4", "51 return began 0.45 ease-in-out",
                "105 return ended 0.45 ease-in-out",
            ])
    }

    @Test(
        arguments: TossStage.phases.filter { $0 != "dragging" },
        [Phase.changed, .ended, .cancelled])
    func nothingGoesOnThatDidNotBegin(phase: String, sample: Phase) throws {
        var stage = try TossStage.inPhase(phase)
        let before = stage.machine
        let code = refusal { () throws(Rejection) in try stage.pan(sample, 170, 290) }
        #expect(code == .outOfOrder && stage.machine == before)
        let other = refusal { () throws(Rejection) in try stage.command("present") }
        #expect(other == .unknownCommand && stage.machine == before)
    }
}
