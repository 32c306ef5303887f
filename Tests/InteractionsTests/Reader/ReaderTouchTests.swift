import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// Raw contacts: a vertical pan scrolls, with bounds 0…0 and the page's height.
@Suite struct ReaderTouchTests {
    private let finger = Vector(160, 300)

    /// The visible part of a pull, by d · (1 − 1/(1 + 0.55 · x/d)).
    private func band(_ x: Double, _ d: Double = 568) -> Double {
        d * (1 - 1 / (1 + 0.55 * x / d))
    }

    @Test func itListensForScrolls() {
        #expect(readerStage().machine.recognizers == [.scroll])
        #expect(!readerStage().machine.scrollsInAnyOrder)
    }

    @Test(arguments: [(568, 100.0), (568, 40.0), (100, 100.0)] as [(Double, Double)])
    func aContactPullsByTheRubberBand(height: Double, pull: Double) throws {
        var stage = readerStage { $0.size = Size(320, height) }
        stage.touch(.down(finger))
        #expect(stage.phase == "resting")
        try stage.drag(.began, 0)
        #expect(stage.phase == "dragging" && stage.offset == 0 && stage.needsPublish)
        try stage.drag(.changed, pull)
        #expect(isNear(stage.offset, -band(pull, height)) && stage.needsPublish)
        try stage.drag(.changed, -pull)
        #expect(isNear(stage.offset, band(pull, height)))
    }

    /// 55 pt show at a pull of 110.7: 110 do not load, 111 do, and the next page comes in.
    @Test func pulledFarEnoughItPages() throws {
        var stage = readerStage()
        stage.touch(.down(finger))
        try stage.drag(.began, 0)
        try stage.drag(.changed, -110)
        #expect(stage.field("footer") == .text("unloaded"))
        try stage.drag(.changed, -111)
        #expect(stage.field("footer") == .text("loaded"))
        let offset = stage.offset
        try stage.drag(.ended, -111)
        #expect(stage.phase == "paging" && stage.offset == offset)
        stage.touch(.up)
        stage.step(24)
        #expect(stage.phase == "resting" && stage.field("index") == .whole(5))
    }

    /// Ended or cancelled it springs back with the velocity of what was shown.
    @Test(arguments: [Phase.ended, .cancelled])
    func releasedItSpringsBack(phase: Phase) throws {
        var stage = readerStage()
        try stage.drag(.began, 0)
        for pull in [10.0, 20] {
            stage.step()
            try stage.drag(.changed, pull)
        }
        stage.step()
        try stage.drag(phase, 30)
        let (a, b, c) = (band(10), band(20), band(30))
        let velocity = -120 * (0.75 * (b - a) + 0.25 * (c - b))
        var coast = ScrollPhysics.Coast(offset: -c, velocity: velocity)
        stage.touch(.up)
        for _ in 0..<10 {
            _ = ScrollPhysics.normal.advance(&coast, within: 0...0)
            stage.step()
            #expect(stage.phase == "returning" && isNear(stage.offset, coast.offset, within: 1e-5))
        }
    }

    @Test func aLoadedHeaderIsUnloadedWhenTheContactIsLost() throws {
        var stage = readerStage()
        try stage.drag(.began, 0)
        try stage.drag(.changed, 200)
        #expect(stage.field("header") == .text("loaded"))
        try stage.drag(.cancelled, 200)
        #expect(stage.phase == "returning" && stage.field("header") == .text("unloaded"))
    }

    /// A touch catches it where it is; lifting without a drag lets it return.
    @Test func aTouchHoldsItOnItsWay() throws {
        var stage = try ReaderStage.inPlace("returning")
        let offset = stage.offset
        #expect(offset > 1)
        stage.touch(.down(finger))
        #expect(stage.offset == offset && !stage.machine.isMoving)
        stage.step(60)
        stage.touch(.moved(finger + Vector(3, 3)))
        #expect(stage.offset == offset && stage.phase == "returning")
        stage.touch(.up)
        #expect(stage.machine.isMoving && stage.offset == offset)
        let steps = stage.steps { $0.phase == "resting" }
        #expect(steps != nil && stage.offset == 0)
    }

    /// Held or flying, a drag takes it up without a jump: the rubber band inverted.
    @Test(arguments: ["returning", "held"])
    func aDragTakesItUpInFlight(place: String) throws {
        var stage = try ReaderStage.inPlace(place)
        let offset = stage.offset
        try stage.drag(.began, 0)
        #expect(stage.phase == "dragging" && stage.offset == offset)
        try stage.drag(.changed, 8)
        #expect(stage.offset < offset && stage.offset > offset - 8)
        try stage.drag(.changed, 0)
        #expect(isNear(stage.offset, offset))
    }

    /// Held at an offset that loads, it loads with the drag and not with the touch.
    @Test func aTouchLoadsNothing() throws {
        var stage = readerStage()
        try stage.scroll(.began, 0)
        try stage.scroll(.cancelled, 200)
        stage.touch(.down(finger))
        #expect(stage.field("footer") == .text("unloaded"))
        try stage.drag(.began, 0)
        #expect(stage.field("footer") == .text("loaded"))
    }

    /// The last to begin leads: a contact takes over from the client, and the other way.
    @Test func clientsAndContactsTakeOver() throws {
        var stage = readerStage()
        try stage.pull(to: 40)
        try stage.drag(.began, 0)
        #expect(stage.phase == "dragging" && stage.offset == 40)
        let scroll = refusal { () throws(Rejection) in try stage.scroll(.changed, 10) }
        #expect(scroll == .outOfOrder && stage.offset == 40)
        // A contact has no silence of its own: whoever follows it cancels it.
        #expect(stage.machine.nextTimer == nil)
        try stage.scroll(.began, 12)
        #expect(stage.phase == "dragging" && stage.offset == 12)
        let drag = refusal { () throws(Rejection) in try stage.drag(.changed, 30) }
        #expect(drag == .outOfOrder && stage.offset == 12)
        stage.touch(.up)
        #expect(stage.phase == "dragging" && stage.offset == 12)
    }
}
