import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Which pages are shown, and how often each view was placed anew.
@Suite struct ReaderViewTests {
    private func cuts(_ stage: ReaderStage) -> [String: Int] {
        stage.picture.views.mapValues(\.cut).filter { $0.value != 0 }
    }

    @Test func theModelNamesThePagesThatShow() throws {
        var stage = readerStage()
        #expect(stage.field("page") == .whole(4) && stage.field("incoming") == .null)
        try stage.command("previous")
        #expect(stage.field("page") == .whole(4) && stage.field("incoming") == .whole(3))
        #expect(stage.view("incoming") != nil)
        stage.step(24)
        #expect(stage.field("page") == .whole(3) && stage.field("incoming") == .null)
    }

    /// The page and the bar that ran with it are back in their places; the other bar stood.
    @Test func thePageThatBecomesAnotherIsPlacedAnew() throws {
        var stage = readerStage()
        try stage.command("next")
        stage.step(23)
        #expect(stage.phase == "paging" && cuts(stage).isEmpty)
        stage.step()
        #expect(stage.phase == "resting")
        #expect(cuts(stage) == ["page": 1, "footer": 1, "footer_arrow": 1])
        try stage.command("previous")
        // The page that comes in was gone.
        #expect(
            cuts(stage) == ["page": 1, "footer": 1, "footer_arrow": 1, "incoming": 1])
        stage.step(24)
        #expect(
            cuts(stage)
                == ["page": 2, "header": 1, "header_arrow": 1, "footer": 1, "footer_arrow": 1])
    }

    @Test func aBarThatWasGoneComesBackWithALargerCut() throws {
        var stage = readerStage(start: 8)
        try stage.command("next")
        stage.step(24)
        #expect(stage.view("footer") == nil && stage.view("footer_arrow") == nil)
        try stage.command("previous")
        stage.step(24)
        #expect(stage.view("footer")?.cut == 1 && stage.view("footer_arrow")?.cut == 1)
    }

    @Test func pullsAndReturnsAreMotion() throws {
        var stage = readerStage()
        try stage.pull(to: 80)
        try stage.scroll(.changed, -80)
        try stage.scroll(.cancelled, -80)
        #expect(stage.steps { $0.phase == "resting" && !$0.machine.isMoving } != nil)
        #expect(cuts(stage).isEmpty)
    }

    @Test func withoutADurationAllIsPlacedAnew() throws {
        var stage = readerStage { $0.duration = 0 }
        try stage.scroll(.began, 80)
        #expect(cuts(stage) == ["footer_arrow": 1])
        try stage.scroll(.ended, 80)
        #expect(stage.phase == "resting" && stage.field("page") == .whole(5))
        #expect(Set(cuts(stage).keys) == Set(stage.picture.names))
    }
}
