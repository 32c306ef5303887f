import Geometry
import Interactions
import TestSupport
import Testing

@Suite struct TabsGlowTests {
    private let glow = ViewState(
        center: Vector(64 * 4 + 32, 568 - 5), size: Size(40, 10), z: 3)

    /// The bottom center at the item's bottom center.
    @Test func aNotificationOfItsKindGlows() throws {
        var stage = tabsStage()
        stage.notify("mentions", count: 1)
        #expect(stage.needsPublish && stage.view("glow-4") == glow)
        #expect(stage.field("items.4.glow") == .flag(true))
        #expect(stage.picture.names == TabsStage.bar + ["glow-4", "arrow"])
        stage.notify("mentions", count: 2)
        #expect(!stage.needsPublish && stage.told.isEmpty)
    }

    @Test func anotherKindDoesNot() {
        var stage = tabsStage()
        stage.notify("comments", count: 1)
        stage.notify("other", count: 1)
        #expect(stage.view("glow-4") == nil && stage.view("glow-3") == nil)
        #expect(stage.field("items.4.glow") == .flag(false))
    }

    @Test func theSelectedItemDoesNotGlowByItself() throws {
        var stage = tabsStage()
        try stage.tap(4)
        stage.notify("mentions", count: 1)
        #expect(stage.view("glow-4") == nil)
        try stage.command("glow", index: 4)
        #expect(stage.view("glow-4")?.center == glow.center)
        try stage.command("unglow", index: 4)
        #expect(stage.view("glow-4") == nil)
    }

    @Test func selectingTakesTheGlowAlsoOfTheSelectedOne() throws {
        var stage = tabsStage()
        stage.notify("mentions", count: 1)
        try stage.tap(4)
        #expect(stage.view("glow-4") == nil)
        try stage.command("glow", index: 4)
        try stage.tap(4)
        #expect(stage.view("glow-4") == nil)
        // A glow's counts are no bubble's: they stay.
        #expect(stage.counts["mentions"] == 1)
    }

    @Test func commandsGlowWhateverIsSelected() throws {
        var stage = tabsStage()
        for index in 0..<5 {
            try stage.command("glow", index: index)
            #expect(stage.view("glow-\(index)")?.center == Vector(64 * Double(index) + 32, 563))
        }
        try stage.command("unglow", index: 2)
        let glows = stage.picture.names.filter { $0.hasPrefix("glow-") }
        #expect(glows == ["glow-0", "glow-1", "glow-3", "glow-4"])
    }

    /// One kind may make several items glow.
    @Test func anItemGlowsForAnyOfItsKinds() {
        for kind in ["a", "b", "c"] {
            var stage = tabsStage {
                $0.items[1].glow = ["a", "b"]; $0.items[2].glow = ["b", "c"]
            }
            stage.notify(kind, count: 1)
            #expect((stage.view("glow-1") != nil) == (kind != "c"))
            #expect((stage.view("glow-2") != nil) == (kind != "a"))
        }
    }
}
