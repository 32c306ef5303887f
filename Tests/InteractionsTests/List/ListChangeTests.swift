import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// How much stays of a list when its scene changes.
@Suite struct ListChangeTests {
    private func rows(
        _ count: Int, _ change: (inout ListParameters) -> Void = { _ in }
    ) -> ListParameters {
        var parameters = ListParameters(rows: count)
        change(&parameters)
        return parameters
    }

    @Test func whatIsOpenStays() throws {
        var stage = try ListStage.inPhase("open")
        stage.adapt(to: rows(4))
        #expect(stage.phase == "open" && stage.row == 3 && stage.needsPublish)
        #expect(stage.rowX == -320 && stage.rowView?.cut == 0 && stage.menu?.cut == 0)
        #expect(stage.told.count == 2)
    }

    /// A row that is gone takes its menu along, at once.
    @Test(
        arguments: [
            ("opening", ["open cancelled 0.2 ease-in-out", "close began", "close ended"]),
            ("open", ["close began", "close ended"]), ("closing", ["close ended \(3 * 0.2)"]),
        ])
    func aRowThatIsGoneClosesAtOnce(phase: String, told: [String]) throws {
        var stage = try ListStage.inPhase(phase)
        let mark = stage.told.count
        stage.adapt(to: rows(3))
        #expect(stage.phase == "closed" && stage.row == nil && stage.menu == nil)
        #expect(stage.lines(since: mark) == told)
        stage.adapt(to: rows(4))
        #expect(stage.view("row-3")?.cut == 1 && stage.rowX == 1_000)
        try stage.swipe(.left, row: 3)
        #expect(stage.menu?.cut == 1)
    }

    @Test func aSelectedRowThatIsGoneIsSelectedNoMore() throws {
        var stage = listStage()
        try stage.tap(row: 5)
        stage.adapt(to: rows(6))
        #expect(stage.selected == 5)
        stage.adapt(to: rows(5))
        #expect(stage.selected == nil)
    }

    /// Rows may come while a finger drags, and the finger can drag to them.
    @Test func rowsComeWhileAFingerDrags() throws {
        var stage = listStage(rows: 9)
        stage.touch(.down(Vector(160, 300)))
        try stage.drag(.began, 0)
        try stage.drag(.changed, -200)
        let offset = try #require(stage.offset)
        // 62 pt of rows are below, and the rubber band gave 75 of the rest.
        #expect(offset > 62 && offset < 200)
        stage.adapt(to: rows(20))
        #expect(stage.offset == offset && stage.view("row-1")?.cut == 0)
        try stage.drag(.changed, -230)
        #expect(abs((stage.offset ?? 0) - (offset + 30)) < 1e-9)
    }

    /// An offset beyond the new end springs back as a scroll does, without a cut.
    @Test func anOffsetBeyondTheEndGoesTheScrollsOwnWayBack() throws {
        var stage = listStage()
        try stage.scroll(.began, 800)
        try stage.scroll(.ended, 800)
        stage.adapt(to: rows(15))
        #expect(stage.offset == 800 && stage.machine.isMoving)
        var last = 800.0
        while stage.machine.isMoving {
            stage.step()
            let offset = try #require(stage.offset)
            #expect(offset <= last && last - offset < 60)
            last = offset
        }
        #expect(stage.offset == 15 * 70 - 568 && stage.view("row-10")?.cut == 0)
    }

    /// The client that scrolls decides where the content is.
    @Test func aClientsOpenScrollGoesOn() throws {
        var stage = listStage()
        try stage.scroll(.began, 800)
        stage.adapt(to: rows(10))
        #expect(stage.offset == 800 && !stage.machine.isMoving)
        try stage.scroll(.changed, 790)
        #expect(stage.offset == 790)
    }

    /// A row slides on to the edge of another frame. All rows are elsewhere: they are cut.
    @Test func aRowSlidesOnInAWiderFrame() throws {
        var stage = try ListStage.inPhase("opening")
        let x = stage.rowX
        stage.adapt(to: rows(20), viewport: Size(400, 568))
        #expect(abs((stage.rowView?.center.x ?? 0) - 200 - x) < 1e-9)
        for row in 0..<9 { #expect(stage.view("row-\(row)")?.cut == 1) }
        #expect(stage.menu?.cut == 1 && stage.menu?.size == Size(400, 70))
        stage.step(14)
        #expect(stage.phase == "open" && stage.rowView?.center.x == 200 - 400)
        #expect(stage.told.last == "24 open ended 0.2 ease-in-out")
    }

    @Test func theSameSceneChangesNothing() throws {
        var stage = try ListStage.inPhase("closing")
        let before = stage.machine
        stage.adapt(to: rows(20))
        #expect(stage.machine == before && !stage.needsPublish)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverComesNothingJumps(seed: UInt64) throws {
        var storm = ChangeStorm(listStage(), try Tables.list().events, seed: seed)
        try storm.run(changes: 25, reach: 160) { random in
            func pick<Element>(_ elements: [Element]) -> Element {
                elements[random.whole(in: 0...elements.count - 1)]
            }
            let parameters = rows(pick([0, 4, 5, 20, 21, 1_000])) {
                $0.rowHeight = pick([70, 70, 70, 30, 150])
                $0.style = pick([.reveal, .push])
                $0.duration = pick([0, 0.2, 0.2, 1])
                $0.bounce = pick([5, 5, 20])
                $0.spring = pick([nil, nil, .bouncing])
            }
            return (parameters, Size(pick([320, 320, 200, 700]), pick([568, 568, 100, 900])))
        }
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
        #expect(storm.cuts > 0 && storm.kept > 0)
    }
}
