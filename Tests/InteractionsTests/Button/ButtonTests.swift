import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// Contacts on a button, as the arena tells them: the tap of a lift comes before the lift.
@Suite struct ButtonTests {
    /// UIControl's: 70 points around it, in which it is highlighted again.
    @Test(arguments: [
        (170.0, 20.0, true), (171, 20, false), (-70, 20, true), (-71, 20, false), (50, 110, true),
        (50, 111, false), (50, -70, true), (50, -71, false),
    ])
    func aContactPressesWithin70Points(x: Double, y: Double, presses: Bool) throws {
        var stage = buttonStage()
        stage.touch(.down(Vector(50, 20)))
        #expect(stage.phase == "highlighted" && stage.needsPublish)
        stage.touch(.moved(Vector(x, y)))
        #expect(stage.phase == (presses ? "highlighted" : "resting"))
        #expect(stage.needsPublish == !presses)
        try stage.tap(x, y)
        stage.touch(.up)
        #expect(stage.phase == "resting")
        #expect(stage.heard == (presses ? ["0 tap off"] : []))
    }

    @Test func itIsHighlightedAgainWhenTheContactComesBack() throws {
        var stage = buttonStage()
        stage.touch(.down(Vector(50, 20)))
        stage.touch(.moved(Vector(300, 20)))
        stage.touch(.moved(Vector(60, 20)))
        #expect(stage.phase == "highlighted" && stage.needsPublish)
        try stage.tap(60, 20)
        #expect(stage.heard == ["0 tap off"])
    }

    /// A scroll of what holds it has won the contact.
    @Test func aLostContactTapsNothing() {
        var stage = buttonStage()
        stage.touch(.down(Vector(50, 20)))
        stage.touch(.up)
        #expect(stage.phase == "resting" && stage.needsPublish && stage.heard.isEmpty)
    }

    @Test func aToggleTellsItsNewState() throws {
        var stage = buttonStage { $0.isToggle = true }
        for _ in 0..<3 { try stage.tap(50, 20) }
        #expect(stage.heard == ["0 tap on", "0 tap off", "0 tap on"] && stage.isOn)
        try stage.turn(false)
        #expect(!stage.isOn && stage.needsPublish && stage.heard.count == 3)
        try stage.command("tap")
        #expect(stage.heard.last == "0 tap on" && stage.told.last?.hasSuffix("ended") == true)
    }

    @Test func afterALongPressTheLiftIsNoTap() throws {
        var stage = buttonStage()
        stage.touch(.down(Vector(50, 20)))
        stage.step(60)
        try stage.press(.began, Vector(50, 20), isOfContact: true)
        try stage.press(.changed, Vector(90, 20), isOfContact: true)
        stage.touch(.moved(Vector(90, 20)))
        #expect(stage.phase == "highlighted")
        try stage.press(.ended, Vector(90, 20), isOfContact: true)
        try stage.tap(90, 20)
        stage.touch(.up)
        #expect(stage.heard == ["60 long-press off"] && stage.phase == "resting")
    }

    @Test func aPublishersLongPressHolds() throws {
        var stage = buttonStage()
        #expect(throws: Rejection.self) { try stage.press(.changed) }
        try stage.press(.began)
        #expect(stage.phase == "highlighted" && stage.heard == ["0 long-press off"])
        try stage.press(.changed, Vector(400, 20))
        #expect(stage.phase == "resting")
        try stage.press(.changed)
        #expect(stage.phase == "resting", "without a place it is where it was")
        try stage.press(.changed, Vector(50, 20))
        stage.step(359)
        #expect(stage.phase == "highlighted")
        stage.step()
        #expect(stage.phase == "resting", "silent for 3 s")
        #expect(throws: Rejection.self) { try stage.press(.ended) }
    }

    /// 0.25 s are 30 steps.
    @Test func aHeldButtonRepeats() throws {
        var stage = buttonStage { $0.repeatSeconds = 0.25 }
        stage.touch(.down(Vector(50, 20)))
        stage.step(65)
        stage.touch(.moved(Vector(500, 20)))
        stage.step(60)
        stage.touch(.moved(Vector(50, 20)))
        stage.step(30)
        try stage.tap(50, 20)
        stage.touch(.up)
        stage.step(60)
        #expect(stage.heard == ["30 tap off", "60 tap off", "150 tap off"])
        // A short touch is a tap.
        stage.touch(.down(Vector(50, 20)))
        try stage.tap(50, 20)
        stage.touch(.up)
        #expect(stage.heard.count == 4)
    }

    @Test func itRepeatsAtMostTwentyTimesASecond() {
        var stage = buttonStage { $0.repeatSeconds = 0.001 }
        stage.touch(.down(Vector(50, 20)))
        stage.step(120)
        #expect(stage.heard.count == 20)
    }

    @Test func aDisabledButtonTakesNothing() throws {
        var stage = buttonStage { $0.isEnabled = false }
        #expect(stage.phase == "disabled")
        stage.touch(.down(Vector(50, 20)))
        // A contact does nothing there, and is no mistake; a publisher's tap is refused.
        try stage.tap(50, 20)
        stage.touch(.up)
        var code: RejectionCode?
        do throws(Rejection) { try stage.tap(50, 20) } catch { code = error.code }
        #expect(code == .busy && stage.heard.isEmpty)
        try stage.command("enable")
        #expect(stage.phase == "resting")
        try stage.tap(50, 20)
        #expect(stage.heard.count == 1)
    }

    @Test func aContactOnWhatIsDisabledMeanwhileDoesNothing() throws {
        var stage = buttonStage()
        stage.touch(.down(Vector(50, 20)))
        try stage.command("disable")
        #expect(stage.phase == "disabled")
        try stage.command("enable")
        #expect(stage.phase == "resting")
        try stage.tap(50, 20)
        stage.touch(.up)
        #expect(stage.heard.isEmpty)
        stage.touch(.down(Vector(50, 20)))
        #expect(stage.phase == "highlighted")
    }

    @Test func itKeepsItsStateInAnotherScene() throws {
        var stage = buttonStage { $0.isToggle = true }
        try stage.tap(50, 20)
        var other = stage.machine
        var effects = Effects(random: SplitMix64(seed: 1))
        var parameters = ButtonParameters(viewport: .phone)
        parameters.isToggle = true
        parameters.repeatSeconds = 1
        other.adapt(to: parameters, viewport: Size(200, 40), at: stage.now, into: &effects)
        let picture = Picture(other)
        #expect(picture.fields["on"] == .flag(true))
        #expect(picture.views["button"]?.size == Size(200, 40))
        #expect(picture.views["button"]?.cut == 1)
        parameters.isOn = true
        other.adapt(to: parameters, viewport: Size(200, 40), at: stage.now, into: &effects)
        parameters.isOn = false
        parameters.isEnabled = false
        other.adapt(to: parameters, viewport: Size(200, 40), at: stage.now, into: &effects)
        #expect(Picture(other).fields["on"] == .flag(false) && other.phase == "disabled")
        #expect(other.isSound(viewport: Size(200, 40), tracker: .uikit))
    }

    @Test func itComesBackAsItWas() throws {
        var stage = buttonStage { $0.isToggle = true }
        try stage.tap(50, 20)
        try stage.command("disable")
        let saved = try SavedState(Node(encoding: stage.machine.savedState))
        var other = buttonStage().machine
        var effects = Effects(random: SplitMix64(seed: 1))
        #expect(other.restore(saved, counts: BadgeCounts(), into: &effects))
        #expect(Picture(other).fields["on"] == .flag(true) && other.phase == "disabled")
    }
}
