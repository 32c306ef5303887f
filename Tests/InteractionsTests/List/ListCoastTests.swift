import Foundation
import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// A list under raw contacts: twenty rows of 70 in a viewport of 568, so 0…832.
@Suite struct ListCoastTests {
    @Test func itListensToSwipesTapsAndVerticalPans() {
        #expect(listStage().machine.recognizers == [.swipe, .tap, .scroll])
    }

    /// d·(1 − 1/(1 + 0.55·x/d)) beyond an edge, d = 568.
    @Test func aDragMovesTheContentAndStretchesIt() throws {
        var stage = listStage()
        try stage.drag(.began, 0)
        #expect(stage.offset == 0 && !stage.needsPublish)
        try stage.drag(.changed, -200)
        #expect(stage.offset == 200 && stage.needsPublish && stage.phase == "closed")
        try stage.drag(.changed, 100)
        // Typed step by step: as one expression it takes the compiler 14 s.
        let pull: Double = 1 + 0.55 * 100 / 568
        let stretched: Double = 568 * (1 - 1 / pull)
        let above = try #require(stage.offset)
        #expect(abs(above + stretched) < 1e-9)
        try stage.drag(.changed, -932)
        let below = try #require(stage.offset)
        #expect(abs(below - 832 - stretched) < 1e-9)
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
        try stage.drag(.changed, -300)
        stage.step(50)
        try stage.drag(.ended, -300)
        #expect(stage.offset == 300 && !stage.machine.isMoving && stage.told.isEmpty)
    }

    /// position over dt ms: v·r·(1 − r^dt)/(1 − r), r = 0.998; it stops below 10 pt/s.
    /// (Events are dated in whole nanoseconds, so the velocity is 1,200 pt/s to seven digits.)
    @Test func aFlingCoastsWithoutAPhase() throws {
        var stage = listStage()
        try stage.fling()
        #expect(stage.offset == 100 && stage.phase == "closed" && stage.machine.isMoving)
        var steps = 0
        while stage.machine.isMoving {
            stage.step()
            steps += 1
            let way = 1.2 * 0.998 * (1 - pow(0.998, Double(steps) * 1_000 / 120)) / 0.002
            #expect(abs(try #require(stage.offset) - 100 - way) < 1e-4, "step \(steps)")
            #expect(stage.phase == "closed" && stage.menu == nil)
        }
        // 1,200 · 0.998^ms < 10 after 2,391.3 ms.
        #expect(steps == 287 && stage.told.isEmpty)
    }

    @Test(arguments: [(20, 832.0), (8, 0), (0, 0)])
    func beyondTheEndItBouncesBack(rows: Int, end: Double) throws {
        var stage = listStage(rows: rows)
        try stage.drag(.began, 0)
        stage.step()
        try stage.drag(.changed, -1_000)
        stage.step(30)
        try stage.drag(.ended, -1_000)
        #expect(stage.machine.isMoving)
        #expect(try #require(stage.offset) > end)
        _ = stage.steps { !$0.machine.isMoving }
        #expect(stage.offset == end)
    }

    @Test func aContactCatchesIt() throws {
        var stage = listStage()
        try stage.fling()
        stage.step(20)
        let offset = try #require(stage.offset)
        stage.touch(.down(middle))
        #expect(!stage.machine.isMoving && !stage.needsPublish)
        stage.step(30)
        #expect(stage.offset == offset)
        try stage.drag(.began, 0)
        #expect(stage.offset == offset)
        try stage.drag(.changed, 30)
        #expect(abs(try #require(stage.offset) - (offset - 30)) < 1e-9)
        try stage.drag(.cancelled, 30)
        stage.touch(.up)
        #expect(!stage.machine.isMoving)
    }

    /// A contact that only holds it lets it bounce back when it lifts.
    @Test func heldBeyondTheEdgeItWaits() throws {
        var stage = listStage()
        try stage.hold()
        stage.touch(.moved(middle))
        let offset = try #require(stage.offset)
        stage.step(100)
        #expect(stage.offset == offset && offset < 0)
        stage.touch(.up)
        #expect(stage.machine.isMoving)
        _ = stage.steps { !$0.machine.isMoving }
        #expect(stage.offset == 0)
    }

    @Test func aClientsScrollStopsIt() throws {
        var stage = listStage()
        try stage.fling()
        stage.step(10)
        try stage.scroll(.began, 77)
        stage.step(10)
        #expect(stage.offset == 77 && !stage.machine.isMoving)
    }

    @Test func toTheTopStopsIt() throws {
        var stage = listStage()
        try stage.fling()
        stage.step(10)
        try stage.command("scroll-to-top")
        #expect(stage.offset == 0 && stage.needsPublish && !stage.machine.isMoving)
        // So does it where a contact drags: that drag is over.
        try stage.drag(.began, 0)
        try stage.drag(.changed, -50)
        try stage.command("scroll-to-top")
        for phase in [Phase.changed, .ended, .cancelled] {
            let code = refusal { () throws(Rejection) in try stage.drag(phase, -60) }
            #expect(code == .outOfOrder)
        }
        #expect(stage.offset == 0 && !stage.machine.isMoving)
    }

    /// A beginning cancels the gesture before it.
    @Test func aContactEndsAClientsScroll() throws {
        var stage = listStage()
        try stage.scroll(.began, 50)
        try stage.drag(.began, 0)
        #expect(stage.machine.nextTimer == nil)
        let before = stage.machine
        let code = refusal { () throws(Rejection) in try stage.scroll(.changed, 60) }
        #expect(code == .outOfOrder && stage.machine == before)
        try stage.drag(.changed, -5)
        #expect(stage.offset == 55)
    }

    /// A contact that does not drag leaves a client's scroll alone, also beyond an edge.
    @Test func aTouchLeavesAClientsScrollAlone() throws {
        var stage = listStage()
        try stage.scroll(.began, -40)
        let before = stage.machine
        stage.touch(.down(middle))
        stage.touch(.up)
        #expect(stage.machine == before && !stage.machine.isMoving)
        try stage.scroll(.changed, -30)
        #expect(stage.offset == -30)
    }

    @Test(
        arguments: [
            ("closed", "closed"), ("opening", "opening"), ("open", "closing"),
            ("closing", "closing"),
        ])
    func theBeginningOfADragClosesAsAScrollsDoes(phase: String, after: String) throws {
        var stage = try ListStage.inPhase(phase)
        let mark = stage.told.count
        stage.touch(.down(middle))
        #expect(stage.phase == phase)
        try stage.drag(.began, 0)
        #expect(stage.phase == after)
        let closing = phase == "open" ? ["close began \(3 * 0.2)"] : []
        #expect(stage.lines(since: mark) == closing)
        try stage.drag(.changed, -40)
        #expect(stage.phase == after && stage.offset == 40 && stage.needsPublish)
        if phase != "closed" { #expect(stage.rowView?.center.y == 205) }
    }

    /// A row that opens on a list that coasts moves with it, and is open while it still coasts.
    @Test func aRowMovesWithItsList() throws {
        var stage = listStage()
        try stage.fling()
        try stage.swipe(.left, row: 4)
        for step in 1...40 {
            stage.step()
            let place = 4 * 70 + 35 - (try #require(stage.offset))
            #expect(stage.menu?.center.y == place)
            #expect(stage.rowView?.center.y == (place > -35 ? place : nil))
            #expect(stage.phase == (step < 24 ? "opening" : "open") && stage.machine.isMoving)
        }
        let offset = try #require(stage.offset)
        try stage.tap(10, 20)
        #expect(stage.selected == Int((20 + offset) / 70) && stage.phase == "closing")
        stage.step(10)
        #expect(try #require(stage.offset) > offset)
    }
}
