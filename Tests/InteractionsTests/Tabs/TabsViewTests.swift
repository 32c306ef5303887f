import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// The page, the bar and its items, and how often each view was placed anew.
@Suite struct TabsViewTests {
    @Test func thePageLiesUnderTheBarAndItsItems() throws {
        var stage = tabsStage()
        #expect(
            stage.view("page-home") == ViewState(center: Vector(160, 284), size: .phone, z: 0))
        #expect(
            stage.view("bar")
                == ViewState(center: Vector(160, 546), size: Size(320, 44), z: 1))
        for (index, id) in ["home", "popular", "share", "news", "profile"].enumerated() {
            let center = Vector(64 * Double(index) + 32, 546)
            #expect(
                stage.view("item-\(id)") == ViewState(center: center, size: Size(64, 44), z: 2))
            #expect(stage.field("items.\(index).id") == .text(id))
        }
        stage.notify("likes", count: 1)
        #expect(stage.bubble?.z == 5 && stage.arrow?.z == 4)
        try stage.tap(2)
        #expect(stage.view("page-home") == nil && stage.view("page-share")?.z == 0)
    }

    @Test func everyParameterCounts() {
        let stage = tabsStage { ($0.width, $0.height, $0.windowHeight) = (500, 50, 700) }
        #expect(stage.view("page-home")?.center == Vector(250, 350))
        #expect(stage.view("page-home")?.size == Size(500, 700))
        #expect(stage.view("bar")?.center == Vector(250, 675))
        #expect(stage.view("bar")?.size == Size(500, 50))
        #expect(stage.view("item-share")?.center == Vector(250, 675))
        #expect(stage.view("item-share")?.size == Size(100, 50))
    }

    // MARK: Cuts

    @Test func aPageThatComesBackHasALargerCut() throws {
        var stage = tabsStage()
        try stage.tap(1)
        #expect(stage.view("page-popular")?.cut == 0)
        try stage.tap(0)
        #expect(stage.view("page-home")?.cut == 1)
        try stage.tap(0)
        #expect(stage.view("page-home")?.cut == 1)
        try stage.tap(1)
        #expect(stage.view("page-popular")?.cut == 1)
        stage.step(24)
        // The arrow ran, and the bar stood.
        #expect(stage.arrow?.cut == 0 && stage.view("bar")?.cut == 0)
    }

    @Test func aGlowThatComesBackHasALargerCut() throws {
        var stage = tabsStage()
        for cut in 0..<3 {
            try stage.command("glow", index: 4)
            try stage.command("glow", index: 3)
            #expect(stage.view("glow-4")?.cut == cut && stage.view("glow-3")?.cut == 0)
            try stage.command("unglow", index: 4)
        }
    }

    @Test func aBubbleIsCutWhereItMovesAtOnceAndWhereItWasGone() throws {
        var stage = tabsStage { $0.items[4].bubble = ["mentions"] }
        stage.notify("likes", count: 1)
        stage.step(30)
        stage.notify("likes", count: 2)
        #expect(stage.bubble?.cut == 0)
        stage.notify("mentions", count: 1)
        #expect(stage.bubble?.cut == 1 && stage.bubble?.center.x == 260)
        try stage.command("hide")
        stage.step(30)
        // It fades in again from where it is.
        stage.notify("mentions", count: 2)
        #expect(stage.bubble?.cut == 1)
        try stage.command("hide")
        stage.step(30)
        stage.notify("likes", count: 3)
        #expect(stage.bubble?.cut == 2 && stage.bubble?.center.x == 224)
        try stage.command("hide")
        stage.step(60)
        #expect(stage.bubble == nil)
        stage.notify("likes", count: 4)
        #expect(stage.bubble?.cut == 3)
    }

    @Test func withoutADurationTheArrowIsPlacedAnew() throws {
        var stage = tabsStage { $0.arrowDuration = 0 }
        try stage.tap(2)
        #expect(stage.arrowLeft == 150 && stage.arrow?.cut == 1)
    }

    @Test func aBarThatDoesNotCoverLeavesPagesTheHeightAboveIt() {
        let stage = tabsStage { $0.barCovers = false }
        let page = stage.picture.views.first { $0.key.hasPrefix("page-") }?.value
        #expect(page?.size == Size(320, 524) && page?.center == Vector(160, 262))
    }
}
