import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Each column is 12 steps, 0.1 s. Phases: `p`resenting, `e`ntering, `r`esting, `D`ragging,
/// `b`ack (returning), `l`eaving, `x` dismissing, `.` dismissed.
@Suite struct TipsTimelineTests {
    /// Plays `b`egan in the middle, `m`oved a little, `s`hort and `l`eft and `r`ight releases,
    /// `c`ancelled, `P`resent, `D`ismiss.
    private func expect(
        _ script: String, _ phases: String, tips: Int = 3, presented: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var stage = tipsStage(tips) { $0.presented = presented }
        let found = try stage.timeline(script, column: 12, letters: tipsLetters) {
            (letter, stage) throws(Rejection) in
            switch letter {
            case "b": try stage.pan(.began, middle.x, middle.y)
            case "m": try stage.pan(.changed, middle.x + 20, middle.y)
            case "s": try stage.pan(.ended, middle.x + 20, middle.y)
            case "l": try stage.pan(.ended, middle.x - 130, middle.y)
            case "r": try stage.pan(.ended, middle.x + 130, middle.y)
            case "c": try stage.pan(.cancelled, middle.x + 20, middle.y)
            case "P": try stage.command("present")
            default: try stage.command("dismiss")
            }
        }
        #expect(found == phases, sourceLocation: sourceLocation)
    }

    /// The fade lasts 0.3 s; then the tip swings in until it sleeps.
    @Test func atOpeningTheFirstTipSwingsIn() throws {
        try expect(
            "----------------------",
            "pppeeeeeeeeeeeeeerrrrr")
    }

    @Test func unlessItIsNotPresented() throws {
        try expect("------P---------", "......pppeeeeeee", presented: false)
        try expect("-----", ".....", tips: 0)
    }

    @Test func aFingerHoldsTheTipAndLetsItSwingBack() throws {
        try expect(
            "-------------------b-m-s-----------",
            "pppeeeeeeeeeeeeeerrDDDDbbbbbbbbbbrr")
        try expect(
            "-------------------b-m-c-----------",
            "pppeeeeeeeeeeeeeerrDDDDbbbbbbbbbbrr")
    }

    @Test func aFingerCatchesTheTipOnItsWay() throws {
        try expect("-----b-s-b-s---", "pppeeDDbbDDbbbb")
    }

    /// 0.4 s after it was let go at the side the next one swings in.
    @Test func releasedAtTheSideItLeaves() throws {
        try expect("-----b-l--------", "pppeeDDlllleeeee")
        try expect("-----b-r--------", "pppeeDDlllleeeee")
    }

    @Test func pastTheLastTheTipsAreDismissed() throws {
        try expect("-----b-l------", "pppeeDDllllxxx", tips: 1)
        try expect("-----b-l--------", "pppeeDDllllxxx..", tips: 1)
    }

    @Test func dismissedTipsFadeAndCanBePresentedAgain() throws {
        try expect("-----D------P------", "pppeexxx....pppeeee")
        try expect("-----D-P-----", "pppeexxpppeee")
        try expect("-D-----", "pxxx...")
    }
}
