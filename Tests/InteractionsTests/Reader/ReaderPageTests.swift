import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// How one page follows the other.
@Suite struct ReaderPageTests {
    /// Next: from h + o to 0; the page from 0 to −(h + 55), the footer from h to −55; o → 0. All in
    /// 0.2 s, all less the offset.
    @Test func theNextPageRunsInFromBelow() throws {
        var stage = readerStage()
        try stage.pull(to: 80)
        try stage.scroll(.ended, 80)
        #expect(stage.phase == "paging")
        for step in 0..<24 {
            let p = TimingCurve.easeInOut.value(at: Double(step) / 24)
            let offset = 80 * (1 - p)
            #expect(isNear(stage.offset, offset))
            #expect(isNear(stage.top("incoming"), (568 + 80) * (1 - p) - offset), "step \(step)")
            #expect(isNear(stage.top("page"), -(568 + 55) * p - offset), "step \(step)")
            #expect(isNear(stage.top("footer"), 568 - (568 + 55) * p - offset), "step \(step)")
            #expect(isNear(stage.top("header"), -55 - offset), "step \(step)")
            #expect(stage.field("index") == .whole(4) && stage.machine.isMoving)
            #expect(stage.field("page") == .whole(4) && stage.field("incoming") == .whole(5))
            stage.step()
        }
        #expect(stage.phase == "resting" && stage.field("index") == .whole(5))
        #expect(stage.field("page") == .whole(5) && stage.field("incoming") == .null)
        #expect(stage.offset == 0 && stage.top("page") == 0 && stage.view("incoming") == nil)
        #expect(stage.top("header") == -55 && stage.top("footer") == 568)
    }

    /// Previous: from −h + o to 0; the page from 0 to h + 55, the header from −55 to h; o → 0.
    @Test func thePreviousPageRunsInFromAbove() throws {
        var stage = readerStage()
        try stage.pull(to: -80)
        try stage.scroll(.ended, -80)
        for step in 0..<24 {
            let p = TimingCurve.easeInOut.value(at: Double(step) / 24)
            let offset = -80 * (1 - p)
            #expect(isNear(stage.offset, offset))
            #expect(isNear(stage.top("incoming"), (-568 - 80) * (1 - p) - offset))
            #expect(isNear(stage.top("page"), (568 + 55) * p - offset), "step \(step)")
            #expect(isNear(stage.top("header"), -55 + (568 + 55) * p - offset), "step \(step)")
            #expect(isNear(stage.top("footer"), 568 - offset), "step \(step)")
            stage.step()
        }
        #expect(stage.phase == "resting" && stage.field("index") == .whole(3))
        #expect(stage.top("header") == -55 && stage.top("footer") == 568)
    }

    @Test func theIncomingPageIsOneInFront() throws {
        let stage = try ReaderStage.inPlace("paging")
        let incoming = try #require(stage.view("incoming"))
        #expect(incoming.size == .phone && incoming.z == 2 && incoming.center.x == 160)
        #expect(
            stage.picture.names
                == ["page", "header", "footer", "incoming", "header_arrow", "footer_arrow"])
    }

    /// Loaded until the index changes; then the arrow turns back in 0.2 s while it rests.
    @Test(arguments: [("footer", 60.0, "4→5"), ("header", -60.0, "4→3")])
    func afterwardsTheBarUnloads(bar: String, offset: Double, pages: String) throws {
        var stage = readerStage()
        try stage.pull(to: offset)
        try stage.scroll(.ended, offset)
        stage.step(23)
        #expect(stage.field(bar) == .text("loaded"))
        let angle = try #require(stage.view("\(bar)_arrow")).rotation
        stage.step()
        #expect(stage.field(bar) == .text("unloaded") && stage.phase == "resting")
        #expect(stage.view("\(bar)_arrow")?.rotation == angle && stage.machine.isMoving)
        stage.step(12)
        #expect(isNear(stage.view("\(bar)_arrow")?.rotation, Double.pi / 2))
        stage.step(12)
        #expect(isNear(stage.view("\(bar)_arrow")?.rotation, Double.pi - angle))
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
        #expect(
            stage.told == [
                "1 \(bar)-loaded began 0.2 ease-in-out", "25 \(bar)-loaded ended 0.2 ease-in-out",
                "25 page began \(pages) 0.2 ease-in-out", "49 page ended \(pages) 0.2 ease-in-out",
                "49 \(bar)-unloaded began 0.2 ease-in-out",
                "73 \(bar)-unloaded ended 0.2 ease-in-out",
            ])
    }

    /// The footer is hidden on the last page, the header on the first, and so are their arrows.
    @Test(arguments: [(8, "footer", 60.0), (1, "header", -60.0)])
    func atTheEndsABarIsHidden(start: Int, bar: String, offset: Double) throws {
        var stage = readerStage(start: start)
        try stage.pull(to: offset)
        try stage.scroll(.ended, offset)
        stage.step(23)
        #expect(stage.view(bar) != nil && stage.view("\(bar)_arrow") != nil)
        stage.step()
        #expect(stage.field(bar) == .text("hidden"))
        #expect(stage.view(bar) == nil && stage.view("\(bar)_arrow") == nil)
    }

    /// From rest the same motion with o = 0; nothing was loaded, so nothing unloads.
    @Test(arguments: [("next", "4→5", 5), ("previous", "4→3", 3)])
    func aCommandPages(name: String, pages: String, index: Int) throws {
        var stage = readerStage()
        try stage.command(name)
        #expect(stage.phase == "paging" && stage.needsPublish)
        #expect(stage.top("incoming") == (name == "next" ? 568 : -568))
        stage.step(24)
        #expect(stage.phase == "resting" && stage.field("index") == .whole(index))
        #expect(
            stage.told == [
                "0 page began \(pages) 0.2 ease-in-out", "24 page ended \(pages) 0.2 ease-in-out",
            ])
    }

    /// On its way back it pages from the shown offset, by a touch held or not.
    @Test(arguments: ["returning", "held"])
    func aCommandPagesFromTheShownOffset(place: String) throws {
        var stage = try ReaderStage.inPlace(place)
        let (offset, page) = (stage.offset, stage.top("page"))
        #expect(offset > 1)
        try stage.command("previous")
        #expect(stage.offset == offset && stage.top("page") == page)
        #expect(isNear(stage.top("incoming"), -568))
        stage.touch(.up)
        stage.step(24)
        #expect(stage.phase == "resting" && stage.field("index") == .whole(3))
    }

    @Test(arguments: [(0, "previous"), (9, "next")])
    func atAnEndThereIsNoPage(start: Int, name: String) throws {
        for place in ["resting", "turning", "returning", "held"] {
            var stage = try ReaderStage.inPlace(place, start: start)
            let before = stage.machine
            let code = refusal { () throws(Rejection) in try stage.command(name) }
            #expect(code == .badValue && stage.machine == before, "\(place)")
        }
    }

    @Test func withoutADurationItIsThereAtOnce() throws {
        var stage = readerStage { $0.duration = 0 }
        try stage.scroll(.began, 0)
        try stage.scroll(.ended, 60)
        #expect(stage.phase == "resting" && stage.field("index") == .whole(5))
        #expect(
            stage.lines(since: 0) == [
                "footer-loaded began ease-in-out", "page began 4→5 ease-in-out",
                "footer-loaded ended ease-in-out", "page ended 4→5 ease-in-out",
                "footer-unloaded began ease-in-out", "footer-unloaded ended ease-in-out",
            ])
    }
}
