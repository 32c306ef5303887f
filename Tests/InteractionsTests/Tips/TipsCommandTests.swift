import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Every command and every pan in every phase.
@Suite struct TipsCommandTests {
    private static let presentBegan = "present began 0.3 ease-in-out"
    private static let dismissBegan = "dismiss began 0.3 ease-in-out"

    @Test(
        arguments: [
            ("dismissed", "dismissed", []),
            ("presenting", "dismissing", ["present cancelled 0.3 ease-in-out", dismissBegan]),
            ("entering", "dismissing", [dismissBegan]),
            ("resting", "dismissing", [dismissBegan]),
            ("dragging", "dismissing", [dismissBegan]),
            ("returning", "dismissing", [dismissBegan]),
            ("leaving", "dismissing", ["page cancelled 0→1 0.4", dismissBegan]),
            ("dismissing", "dismissing", []),
        ] as [(String, String, [String])])
    func dismissFadesFromEveryPhase(phase: String, after: String, told: [String]) throws {
        var stage = try TipsStage.inPhase(phase)
        let before = stage.picture
        let mark = stage.told.count
        try stage.command("dismiss")
        #expect(stage.phase == after)
        #expect(stage.lines(since: mark) == told)
        // The views do not jump.
        #expect(stage.picture.views == before.views)
        let steps = stage.run(to: "dismissed")
        if !told.isEmpty { #expect(steps == 36) }
        #expect(stage.picture.views.isEmpty)
    }

    @Test(
        arguments: [
            ("dismissed", "presenting", [presentBegan]),
            ("presenting", "presenting", []), ("entering", "entering", []),
            ("resting", "resting", []), ("dragging", "dragging", []),
            ("returning", "returning", []), ("leaving", "leaving", []),
            ("dismissing", "presenting", ["dismiss cancelled 0.3 ease-in-out", presentBegan]),
        ] as [(String, String, [String])])
    func presentDoesNothingWhileShown(phase: String, after: String, told: [String]) throws {
        var stage = try TipsStage.inPhase(phase)
        let before = stage
        let mark = stage.told.count
        try stage.command("present")
        #expect(stage.phase == after)
        #expect(stage.lines(since: mark) == told)
        if told.isEmpty { #expect(stage.machine == before.machine) }
        if phase != "dismissed" { #expect(stage.picture.views == before.picture.views) }
    }

    @Test(
        arguments: [
            ("dismissed", RejectionCode.busy), ("presenting", nil), ("leaving", nil),
            ("dismissing", .busy), ("entering", nil), ("resting", nil), ("dragging", nil),
            ("returning", nil),
        ] as [(String, RejectionCode?)])
    func aPanIsTakenWhereATipIsOrComes(phase: String, code: RejectionCode?) throws {
        var stage = try TipsStage.inPhase(phase)
        let before = stage.machine
        let shown = stage.picture.views
        #expect(refusal { () throws(Rejection) in try stage.pan(.began, 170, 290) } == code)
        // One that leaves makes room for the next one.
        if phase != "leaving" { #expect(stage.picture.views == shown) }
        if code != nil { #expect(stage.machine == before) }
        if code == nil {
            #expect(stage.phase == (phase == "presenting" ? phase : "dragging"))
        }
    }

    @Test(
        arguments: TipsStage.phases.filter { $0 != "dragging" },
        [Phase.changed, .ended, .cancelled])
    func nothingGoesOnThatDidNotBegin(phase: String, sample: Phase) throws {
        var stage = try TipsStage.inPhase(phase)
        let before = stage.machine
        let code = refusal { () throws(Rejection) in try stage.pan(sample, 170, 290) }
        #expect(code == .outOfOrder)
        #expect(stage.machine == before)
    }

    @Test func dismissEndsAnOpenGesture() throws {
        var stage = try TipsStage.inPhase("dragging")
        try stage.command("dismiss")
        #expect(refusal { () throws(Rejection) in try stage.pan(.ended, 0, 0) } == .outOfOrder)
    }

    @Test(arguments: TipsStage.phases)
    func unknownCommandsAndGesturesAreRefusedInEveryPhase(phase: String) throws {
        var stage = try TipsStage.inPhase(phase)
        let before = stage.machine
        #expect(refusal { () throws(Rejection) in try stage.command("reset") } == .unknownCommand)
        for gesture: Gesture in [
            .swipe(Swipe(direction: .left, target: .point(middle))),
            .scroll(Scroll(phase: .began, offset: 3)),
        ] {
            let code = refusal { () throws(Rejection) in try stage.gesture(gesture) }
            #expect(code == .unknownGesture)
        }
        #expect(stage.machine == before)
    }
}
