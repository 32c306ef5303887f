import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

/// A tap or a command that selects a row, and what is told of it.
@Suite struct ListSelectTests {
    private func selected(_ stage: ListStage) -> [Int] {
        stage.transitions.filter { $0.name == "select" && $0.event == .began }
            .compactMap { $0.row?.number }
    }

    @Test func eachTapIsATransition() throws {
        var stage = listStage()
        try stage.gesture(.tap(.row(2)))
        #expect(stage.field("selected") == .whole(2) && stage.needsPublish)
        try stage.gesture(.tap(.row(2)))
        try stage.gesture(.tap(.point(Vector(100, 100))))
        #expect(selected(stage) == [2, 2, 1])
        #expect(stage.lines(since: 0).prefix(2) == ["select began", "select ended"])
    }

    @Test func aCommandSelects() throws {
        var stage = listStage()
        try stage.swipe(.left, row: 3)
        try stage.command("select", members: [.init("row", Node(.integer(5)))])
        #expect(stage.field("selected") == .whole(5) && selected(stage) == [5])
        #expect(stage.phase == "opening", "an open row stays")
        #expect(throws: Rejection.self) {
            try stage.command("select", members: [.init("row", Node(.integer(20)))])
        }
        #expect(throws: Rejection.self) { try stage.command("select") }
        #expect(selected(stage) == [5])
    }

    /// The next guest finds nothing selected.
    @Test func aCommandDeselects() throws {
        var stage = listStage()
        try stage.gesture(.tap(.row(2)))
        try stage.command("deselect")
        #expect(stage.field("selected") == .null && stage.needsPublish)
        try stage.command("deselect")
        #expect(selected(stage) == [2], "it has no transition")
    }

    /// A list without menus, whose rows have nothing to show when they open.
    @Test func rowsThatDoNotOpenAreTapped() throws {
        var stage = listStage { $0.side = .none }
        #expect(stage.machine.recognizers == [.tap, .scroll])
        for direction in [Direction.left, .right] {
            #expect(throws: Rejection.self) { try stage.swipe(direction, row: 3) }
        }
        try stage.gesture(.tap(.row(3)))
        #expect(selected(stage) == [3] && stage.phase == "closed")
    }

    /// The action of an open row's menu selects nothing.
    @Test func anActionIsNoSelection() throws {
        var stage = listStage { $0.menu = [.init(id: "keep"), .init(id: "drop")] }
        try stage.swipe(.left, row: 0)
        stage.step(40)
        try stage.gesture(.tap(.point(Vector(10, 10))))
        #expect(selected(stage).isEmpty && stage.field("selected") == .null)
    }
}
