import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// The sides that rows open to, and what their menus offer.
@Suite struct ListMenuTests {
    private func stage(_ change: (inout ListParameters) -> Void = { _ in }) throws -> ListStage {
        var stage = listStage {
            $0.menu = ["reply", "share", "delete"].map { ListParameters.Action(id: $0) }
            change(&$0)
        }
        try stage.swipe(.left, row: 3)
        stage.step(24)
        return stage
    }

    // MARK: Sides

    @Test(arguments: ListParameters.Sides.allCases, [Direction.left, .right])
    func rowsOpenToTheirSides(side: ListParameters.Sides, direction: Direction) throws {
        var stage = listStage { $0.side = side }
        let before = stage.machine
        let mayOpen = side == .both || side.rawValue == direction.rawValue
        let code = refusal { () throws(Rejection) in try stage.swipe(direction, row: 2) }
        #expect(code == (mayOpen ? nil : .badValue))
        #expect(stage.phase == (mayOpen ? "opening" : "closed"))
        if !mayOpen { #expect(stage.machine == before) }
    }

    /// Any swipe closes the open row; one that may not open another leaves it open.
    @Test func anySwipeClosesTheOpenRow() throws {
        var stage = try stage { $0.side = .left }
        let before = stage.machine
        #expect(refusal { () throws(Rejection) in try stage.swipe(.right, row: 5) } == .badValue)
        #expect(stage.machine == before)
        try stage.swipe(.right, row: 3)
        #expect(stage.phase == "closing")
    }

    // MARK: Actions

    @Test(
        arguments: [
            (0, "reply"), (106, "reply"), (107, "share"), (213, "share"), (214, "delete"),
            (320, "delete"),
        ])
    func aTapOnTheOpenMenuChoosesAnAction(x: Double, action: String) throws {
        var stage = try stage()
        let mark = stage.transitions.count
        try stage.tap(x, 230)
        #expect(stage.phase == "closing" && stage.selected == nil && stage.needsPublish)
        let told = stage.transitions.dropFirst(mark)
        let row = Transition.Row(3, action: action)
        #expect(
            Array(told) == [
                Transition("action", .began, row: row), Transition("action", .ended, row: row),
                Transition(
                    "close", .began, duration: 3 * 0.2,
                    row: Transition.Row(3, direction: "left")),
            ])
    }

    @Test func aTapOnAnotherRowChoosesNothing() throws {
        var stage = try stage()
        try stage.tap(10, 300)
        #expect(stage.phase == "closing" && stage.selected == 4)
        #expect(!stage.told.contains { $0.contains("action") })
    }

    @Test func aTapThatNamesTheRowOnlySelectsIt() throws {
        var stage = try stage()
        try stage.tap(row: 3)
        #expect(stage.selected == 3 && stage.phase == "closing")
        #expect(!stage.told.contains { $0.contains("action") })
    }

    @Test func whileARowOpensATapSelects() throws {
        var stage = listStage { $0.menu = [ListParameters.Action(id: "reply")] }
        try stage.swipe(.left, row: 3)
        stage.step(5)
        try stage.tap(10, 230)
        #expect(stage.selected == 3 && stage.phase == "opening")
    }

    @Test func theCommandTakesAnAction() throws {
        var stage = try stage()
        let before = stage.machine
        let unknown = objection { () throws(Rejection) in
            try stage.command("action", ["action": "like"])
        }
        #expect(
            unknown == "bad-value: key action: the menu has no action \"like\", "
                + "known ones are reply, share, delete")
        #expect(stage.machine == before)
        try stage.command("action", ["action": "share"])
        #expect(stage.transitions.dropFirst(2).first?.row == Transition.Row(3, action: "share"))
        stage.step(72)
        let closed = stage.machine
        let code = refusal { () throws(Rejection) in
            try stage.command("action", ["action": "share"])
        }
        #expect(code == .outOfOrder && stage.machine == closed)
    }

    @Test func theCommandWithoutAnActionOnlyCloses() throws {
        var stage = try stage()
        try stage.command("action")
        #expect(stage.lines(since: 2) == ["close began \(3 * 0.2)"])
    }

    @Test func openAndCloseTellRowAndSide() throws {
        var stage = listStage()
        try stage.swipe(.right, row: 7)
        stage.step(24)
        try stage.swipe(.right, row: 7)
        stage.step(72)
        #expect(stage.transitions.map(\.name) == ["open", "open", "close", "close"])
        #expect(
            stage.transitions.allSatisfy { $0.row == Transition.Row(7, direction: "right") })
    }
}

extension Stage<List> {
    fileprivate mutating func command(_ name: String, _ body: Sheet) throws(Rejection) {
        try command(name, members: body.members)
    }
}
