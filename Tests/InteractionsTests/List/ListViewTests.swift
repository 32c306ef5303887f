import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Interactions

/// Which rows are views, where, and how often each was placed anew.
@Suite struct ListViewTests {
    private func rows(_ stage: ListStage) -> [String] {
        stage.picture.names.filter { $0.hasPrefix("row-") }
    }

    private func names(_ rows: Range<Int>) -> [String] { rows.map { "row-\($0)" } }

    private func cut(_ stage: ListStage, _ row: Int) -> Int? { stage.view("row-\(row)")?.cut }

    /// Those of 70 that overlap 0 … 568 at the offset.
    @Test(
        arguments: [
            (0, 0..<9), (62, 0..<9), (62.001, 0..<10), (69.999, 0..<10), (70, 1..<10),
            (832, 11..<20), (-567, 0..<1), (-568, 0..<0), (1_399, 19..<20), (1_400, 20..<20),
            (1_000_000, 20..<20), (-1_000_000, 0..<0),
        ] as [(Double, Range<Int>)])
    func aRowThatShowsIsAView(offset: Double, shown: Range<Int>) throws {
        var stage = listStage()
        try stage.scroll(.began, offset)
        #expect(rows(stage) == names(shown))
        for row in shown {
            let center = Vector(160, Double(row) * 70 - offset + 35)
            #expect(stage.view("row-\(row)")?.center == center)
            #expect(stage.view("row-\(row)")?.size == Size(320, 70))
            #expect(stage.view("row-\(row)")?.z == 1)
        }
    }

    @Test func aRowThatIsOutShowsWhereItsPlaceShows() throws {
        var stage = try ListStage.inPhase("open")
        #expect(rows(stage) == names(0..<9) && stage.rowX == -320)
        try stage.scroll(.began, 300)
        #expect(rows(stage) == names(4..<13) && stage.rowView == nil)
        #expect(stage.menu?.center.y == 245 - 300 && stage.picture.names.first == "menu")
    }

    @Test func ofManyRowsOnlyThoseOnScreenAreLookedAt() throws {
        var stage = listStage(rows: List.rowsMax)
        try stage.scroll(.began, 700_000)
        #expect(rows(stage) == names(10_000..<10_009))
        var fine = listStage(rows: List.rowsMax) { $0.rowHeight = 0.001 }
        #expect(rows(fine) == names(0..<List.shownRowsMax))
        try fine.scroll(.began, 1)
        #expect(rows(fine) == names(1_000..<1_000 + List.shownRowsMax))
        #expect(rows(listStage(rows: 0)) == [])
    }

    // MARK: Cuts

    @Test func aRowThatLeftComesBackWithALargerCut() throws {
        var stage = listStage()
        try stage.scroll(.began, 0)
        try stage.scroll(.changed, 140)
        #expect(stage.picture.views.values.allSatisfy { $0.cut == 0 })
        try stage.scroll(.changed, 100)
        #expect(cut(stage, 1) == 1 && cut(stage, 2) == 0 && cut(stage, 9) == 0)
        // Gone for less than a frame, too.
        try stage.scroll(.changed, 10_000)
        try stage.scroll(.changed, 100)
        #expect(cut(stage, 1) == 2 && cut(stage, 2) == 1 && cut(stage, 9) == 1)
        #expect(cut(stage, 0) == nil)
    }

    @Test func aFingerAndAFlingMoveWhatStays() throws {
        var stage = listStage(rows: 1_000)
        try stage.fling()
        #expect(stage.steps { !$0.machine.isMoving } != nil)
        let shown = rows(stage)
        #expect(shown.count >= 9 && shown.allSatisfy { stage.view($0)?.cut == 0 })
        try stage.fling(sign: 1)
        #expect(stage.steps { !$0.machine.isMoving } != nil)
        #expect(cut(stage, 0) == 1)
    }

    @Test func toTheTopPlacesEveryRowAnew() throws {
        var stage = listStage()
        try stage.scroll(.began, 35)
        try stage.scroll(.ended, 35)
        try stage.command("scroll-to-top")
        #expect((0..<9).map { cut(stage, $0) } == Array(repeating: 1, count: 9))
        // There already: nothing is placed anew.
        try stage.command("scroll-to-top")
        #expect(cut(stage, 0) == 1)
    }

    @Test func aRowThatIsClosedAtOnceIsPlacedAnewAndTheMenuToo() throws {
        var stage = listStage { $0.others = .atOnce }
        try stage.swipe(.left, row: 3)
        stage.step(24)
        #expect(stage.menu?.cut == 0 && cut(stage, 3) == 0)
        try stage.swipe(.right, row: 5)
        #expect(cut(stage, 3) == 1 && cut(stage, 5) == 0 && stage.menu?.cut == 1)
        stage.step(24)
        try stage.command("scroll-to-top")
        #expect(cut(stage, 5) == 1 && stage.menu == nil)
        try stage.swipe(.left, row: 5)
        #expect(cut(stage, 5) == 1 && stage.menu?.cut == 2)
    }

    @Test func openingAndClosingAreMotion() throws {
        var stage = try ListStage.inPhase("open")
        try stage.command("action")
        stage.step(72)
        #expect(stage.phase == "closed" && cut(stage, 3) == 0)
        // The menu was gone.
        try stage.swipe(.left, row: 3)
        #expect(cut(stage, 3) == 0 && stage.menu?.cut == 1)
    }

    @Test func cutsAreExported() throws {
        var stage = try ListStage.inPhase("open")
        try stage.scroll(.began, 500)
        try stage.scroll(.changed, 0)
        let parameters = ComponentParameters(ListParameters(rows: 20))
        let document = Node(encoding: stage.machine)
        let back = try parameters.machine(from: document, viewport: .phone, tracker: .uikit)
        #expect(AnyHashable(back) == AnyHashable(stage.machine))
        // A document without them is read as well.
        let former = Node(
            .object((document.members ?? []).filter { !$0.name.lowercased().contains("cuts") }))
        #expect(former != document)
        let older = try parameters.machine(from: former, viewport: .phone, tracker: .uikit)
        #expect(Picture(older).views["row-0"]?.cut == 0)
    }
}
