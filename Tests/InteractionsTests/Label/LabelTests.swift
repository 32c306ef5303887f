import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

typealias LabelStage = Stage<Label>

/// A label of 100 by 40 with a text.
func labelStage(_ change: (inout LabelParameters) -> Void = { _ in }) -> LabelStage {
    var parameters = LabelParameters(viewport: .phone)
    parameters.text = "one"
    change(&parameters)
    return Stage(Label(parameters, viewport: Size(100, 40), tracker: .uikit))
}

extension Stage<Label> {
    /// Another scene gives it another text.
    mutating func write(_ text: String, fade: Double = 0.2) {
        var parameters = LabelParameters(viewport: .phone)
        (parameters.text, parameters.fade) = (SceneText(text), fade)
        adapt(to: parameters, viewport: Size(100, 40))
    }

    func alpha(_ name: String) -> Double? { view(name)?.alpha }
}

/// How a label fades. 0.2 s are 24 steps.
@Suite struct LabelTests {
    @Test func itFadesOutAndIn() throws {
        var stage = labelStage()
        #expect(stage.phase == "shown" && stage.alpha("label") == 1)
        try stage.command("hide")
        #expect(stage.phase == "hiding" && stage.needsPublish)
        stage.step(12)
        #expect(try abs(#require(stage.alpha("label")) - 0.5) < 1e-9)
        stage.step(12)
        #expect(stage.phase == "hidden" && stage.picture.views.isEmpty)
        try stage.command("show")
        stage.step(24)
        #expect(stage.phase == "shown" && stage.alpha("label") == 1)
        #expect(
            stage.lines(since: 0) == [
                "hide began 0.2 ease-in-out", "hide ended 0.2 ease-in-out",
                "show began 0.2 ease-in-out", "show ended 0.2 ease-in-out",
            ])
    }

    /// It goes back from the alpha that it has.
    @Test func showingIsTurnedAround() throws {
        var stage = labelStage { $0.isShown = false }
        try stage.command("show")
        stage.step(12)
        let alpha = try #require(stage.alpha("label"))
        try stage.command("hide")
        #expect(stage.alpha("label") == alpha && stage.phase == "hiding")
        #expect(stage.lines(since: 1).first == "show cancelled 0.2 ease-in-out")
        try stage.command("hide")
        stage.step(24)
        #expect(stage.phase == "hidden" && stage.told.count == 4)
    }

    @Test func aNewTextFadesInOverTheFormerOne() throws {
        var stage = labelStage()
        stage.write("two")
        #expect(stage.field("text") == .text("two") && stage.field("former_text") == .text("one"))
        #expect(stage.alpha("former") == 1 && stage.alpha("label") == 0)
        #expect(stage.view("label")?.cut == 1)
        stage.step(12)
        #expect(try abs(#require(stage.alpha("former")) - 0.5) < 1e-9)
        #expect(try abs(#require(stage.alpha("label")) - 0.5) < 1e-9)
        stage.step(12)
        #expect(stage.view("former") == nil && stage.alpha("label") == 1)
        #expect(stage.field("former_text") == .text(nil))
        #expect(
            stage.lines(since: 0) == [
                "change began 0.2 ease-in-out", "change ended 0.2 ease-in-out",
            ])
    }

    @Test func aTextThatComesMeanwhileTakesOver() throws {
        var stage = labelStage()
        stage.write("two")
        stage.step(18)
        let alpha = try #require(stage.alpha("label"))
        stage.write("three")
        #expect(stage.field("former_text") == .text("two") && stage.alpha("former") == alpha)
        #expect(stage.view("former")?.cut == 1 && stage.view("label")?.cut == 2)
        stage.step(24)
        #expect(stage.view("former") == nil && stage.alpha("label") == 1)
    }

    @Test func aHiddenLabelTakesATextAtOnce() throws {
        var stage = labelStage { $0.isShown = false }
        var parameters = LabelParameters(viewport: .phone)
        (parameters.text, parameters.isShown) = ("two", false)
        stage.adapt(to: parameters, viewport: Size(100, 40))
        #expect(stage.field("text") == .text("two") && stage.told.isEmpty)
        #expect(!stage.machine.isMoving)
    }

    @Test func withoutAFadeAllIsAtOnce() throws {
        var stage = labelStage { $0.fade = 0 }
        stage.write("two", fade: 0)
        #expect(stage.view("former") == nil && stage.alpha("label") == 1)
        try stage.command("hide")
        #expect(stage.phase == "hidden" && !stage.machine.isMoving)
        try stage.command("show")
        #expect(stage.phase == "shown")
        #expect(stage.told.count == 6)
    }

    /// A text that changes while the label goes is gone with it.
    @Test func whatIsHiddenChangesNoMore() throws {
        var stage = labelStage()
        try stage.command("hide")
        stage.step(20)
        stage.write("two")
        stage.step(4)
        #expect(stage.phase == "hidden" && !stage.machine.isMoving)
        #expect(stage.machine.isSound(viewport: Size(100, 40), tracker: .uikit))
        #expect(stage.lines(since: 2).contains("change cancelled 0.2 ease-in-out"))
    }

    @Test func itComesBackShownOrHidden() throws {
        var stage = labelStage()
        try stage.command("hide")
        let saved = try SavedState(Node(encoding: stage.machine.savedState))
        var other = labelStage().machine
        var effects = Effects(random: SplitMix64(seed: 1))
        #expect(other.restore(saved, counts: BadgeCounts(), into: &effects))
        #expect(other.phase == "hidden" && !other.isMoving)
    }
}
