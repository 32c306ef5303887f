import Geometry
import Gestures
import Interactions
import Motion
import Notation
import TestSupport
import Testing

/// Loading while a finger pulls.
@Suite struct ReaderLoadTests {
    /// The header beyond −55, the footer beyond 55, at the very boundary neither.
    @Test(
        arguments: [
            (0, "unloaded", "unloaded"), (-55, "unloaded", "unloaded"),
            (-55.001, "loaded", "unloaded"), (-300, "loaded", "unloaded"),
            (55, "unloaded", "unloaded"), (55.001, "unloaded", "loaded"),
            (300, "unloaded", "loaded"),
        ] as [(Double, String, String)])
    func beyondItsHeightABarIsLoaded(offset: Double, header: String, footer: String) throws {
        var stage = readerStage()
        try stage.scroll(.began, 0)
        try stage.scroll(.changed, offset)
        #expect(stage.field("header") == .text(header))
        #expect(stage.field("footer") == .text(footer))
        #expect(stage.phase == "dragging" && stage.field("offset") == .points(offset))
    }

    /// Without a page there is nothing to load: header hidden on the first, footer on the last.
    @Test(arguments: [(0, "header", -200.0), (9, "footer", 200.0)])
    func withoutANeighbourABarIsHidden(start: Int, bar: String, offset: Double) throws {
        var stage = readerStage(start: start)
        try stage.scroll(.began, offset)
        #expect(stage.field(bar) == .text("hidden") && stage.told.isEmpty)
        #expect(stage.view(bar) == nil && stage.view("\(bar)_arrow") == nil)
        try stage.scroll(.ended, offset)
        #expect(stage.phase == "returning" && stage.told.isEmpty)
    }

    /// The first page has no header and the last no footer: the bar that has paged is gone there,
    /// and its arrow, which nobody sees, does not turn back.
    @Test(arguments: [(1, -60.0, "header", 0), (8, 60, "footer", 9)])
    func nothingIsPublishedOfABarThatIsHidden(
        start: Int, offset: Double, bar: String, index: Int
    ) throws {
        var stage = readerStage(start: start)
        try stage.pull(to: offset)
        try stage.scroll(.ended, offset)
        stage.step(24)
        #expect(stage.phase == "resting" && stage.field("index") == .whole(index))
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
        stage.step(60)
        #expect(stage.told.last?.contains("page ended") == true)
        #expect(stage.field(bar) == .text("hidden") && stage.view("\(bar)_arrow") == nil)
        // Back on the page before, the bar is there as ever.
        try stage.command(index == 0 ? "next" : "previous")
        stage.step(24)
        #expect(stage.field(bar) == .text("unloaded") && !stage.machine.isMoving)
        #expect(stage.view("\(bar)_arrow")?.rotation == (bar == "header" ? Double.pi : 0))
    }

    @Test func theOffsetsOfBeganAndEndedCountToo() throws {
        var began = readerStage()
        try began.scroll(.began, -60)
        #expect(began.lines(since: 0) == ["header-loaded began 0.2 ease-in-out"])
        var ended = readerStage()
        try ended.scroll(.began, 0)
        try ended.scroll(.ended, 60)
        #expect(
            ended.lines(since: 0) == [
                "footer-loaded began 0.2 ease-in-out", "page began 4→5 0.2 ease-in-out",
            ])
        var unloaded = readerStage()
        try unloaded.pull(to: 60)
        let mark = unloaded.told.count
        try unloaded.scroll(.ended, 55)
        #expect(unloaded.lines(since: mark) == ["footer-unloaded began 0.2 ease-in-out"])
        #expect(unloaded.phase == "returning")
    }

    /// Header π → 0 when loaded and back, footer 0 → π and back, in 0.2 s: 24 steps.
    @Test(arguments: [("header", -60.0, Double.pi, 0.0), ("footer", 60.0, 0.0, Double.pi)])
    func theArrowTurnsNumerically(bar: String, offset: Double, from: Double, to: Double) throws {
        var stage = readerStage()
        let arrow = "\(bar)_arrow"
        #expect(stage.view(arrow)?.rotation == from)
        try stage.scroll(.began, offset)
        for step in 0...24 {
            let angle = from + (to - from) * TimingCurve.easeInOut.value(at: Double(step) / 24)
            #expect(isNear(stage.view(arrow)?.rotation, angle), "step \(step)")
            #expect(stage.machine.isMoving == (step < 24))
            stage.step()
        }
        #expect(stage.told.last == "24 \(bar)-loaded ended 0.2 ease-in-out")
        try stage.scroll(.changed, 0)
        stage.step(12)
        #expect(isNear(stage.view(arrow)?.rotation, Double.pi / 2))
        stage.step(12)
        #expect(stage.view(arrow)?.rotation == from)
        #expect(stage.lines(since: 2).first == "\(bar)-unloaded began 0.2 ease-in-out")
        #expect(stage.lines(since: 2).last == "\(bar)-unloaded ended 0.2 ease-in-out")
    }

    /// A turn that is interrupted is cancelled, and the next starts from the angle shown.
    @Test func aTurnIsInterruptedWithoutAJump() throws {
        var stage = readerStage()
        try stage.scroll(.began, 60)
        stage.step(7)
        let shown = try #require(stage.view("footer_arrow")).rotation
        try stage.scroll(.changed, 50)
        #expect(stage.view("footer_arrow")?.rotation == shown)
        stage.step(3)
        let back = try #require(stage.view("footer_arrow")).rotation
        #expect(back < shown && isNear(back, shown * (1 - TimingCurve.easeInOut.value(at: 0.125))))
        stage.step(21)
        #expect(
            stage.told == [
                "0 footer-loaded began 0.2 ease-in-out",
                "7 footer-loaded cancelled 0.2 ease-in-out",
                "7 footer-unloaded began 0.2 ease-in-out",
                "31 footer-unloaded ended 0.2 ease-in-out",
            ])
    }

    /// Page at 0, header above and footer below it, the arrow's [13, 4, 21, 39] in each: content
    /// coordinates less the offset.
    @Test(arguments: [-80, 0, 33.5] as [Double])
    func everythingScrollsWithTheContent(offset: Double) throws {
        var stage = readerStage()
        try stage.scroll(.began, offset)
        let middle = Vector(160, 284 - offset)
        #expect(stage.view("page") == ViewState(center: middle, size: .phone, z: 0))
        #expect(isNear(stage.top("header"), -55 - offset))
        #expect(isNear(stage.top("footer"), 568 - offset))
        let header = try #require(stage.view("header"))
        #expect(header.size == Size(320, 55) && header.center.x == 160 && header.z == 1)
        #expect(stage.view("footer")?.size == Size(320, 55) && stage.view("footer")?.z == 1)
        for (arrow, top) in [("header_arrow", -55.0), ("footer_arrow", 568)] {
            let view = try #require(stage.view(arrow))
            #expect(view.center.x == 23.5 && isNear(view.center.y, top + 23.5 - offset))
            #expect(view.size == Size(21, 39) && view.z == 3)
        }
        #expect(stage.view("incoming") == nil)
    }

    @Test func theModelNamesTheNeighbours() throws {
        let middle = readerStage()
        #expect(middle.field("index") == .whole(4) && middle.field("count") == .whole(10))
        #expect(middle.field("title") == .text("Page 5"))
        #expect(middle.field("previous_title") == .text("Page 4"))
        #expect(middle.field("next_title") == .text("Page 6"))
        #expect(middle.field("preload") == .wholes([3, 5]))
        let first = readerStage(pages: .titles(["One", "Two"]), start: 0)
        #expect(first.field("title") == .text("One") && first.field("count") == .whole(2))
        #expect(first.field("previous_title") == .text(nil))
        #expect(first.field("next_title") == .text("Two"))
        #expect(first.field("preload") == .wholes([1]))
        #expect(first.field("header") == .text("hidden"))
        let only = readerStage(pages: .count(1), start: 0)
        #expect(only.field("preload") == .wholes([]))
        #expect(only.picture.names == ["page"])
    }

    @Test func everyParameterCounts() throws {
        var stage = readerStage {
            $0.size = Size(100, 200)
            $0.headerHeight = 20
            $0.footerHeight = 30
            $0.arrow = Rect(1, 2, 4, 6)
            $0.duration = 0.1
        }
        #expect(stage.view("page")?.center == Vector(50, 100))
        #expect(stage.top("header") == -20 && stage.top("footer") == 200)
        #expect(stage.view("footer")?.size == Size(100, 30))
        #expect(stage.view("header_arrow")?.center == Vector(3, -15))
        try stage.scroll(.began, -20)
        try stage.scroll(.changed, 30)
        #expect(stage.told.isEmpty)
        try stage.scroll(.changed, 30.1)
        #expect(stage.told == ["0 footer-loaded began 0.1 ease-in-out"])
        try stage.scroll(.ended, 30.1)
        stage.step(12)
        #expect(stage.phase == "resting" && stage.field("index") == .whole(5))
    }
}
