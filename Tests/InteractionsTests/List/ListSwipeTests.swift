import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// How a row opens and closes, step by step.
@Suite struct ListSwipeTests {
    private static let closing = "close began \(3 * 0.2)"
    private static let closed = "close ended \(3 * 0.2)"

    @Test func atFirstEveryRowIsInItsPlace() {
        let stage = listStage()
        #expect(stage.phase == "closed" && stage.menu == nil && stage.told.isEmpty)
        #expect(stage.field("row") == .null && stage.direction == nil)
        #expect(stage.field("selected") == .null && stage.offset == 0)
        #expect(!stage.machine.isMoving && stage.machine.nextTimer == nil)
    }

    /// x from 0 to ±320 in 0.2 s, eased in and out; the menu at 0, or from ∓320 to 0 in step.
    @Test(
        arguments: [Direction.left, .right], ListParameters.Style.allCases)
    func aSwipeOpensARow(direction: Direction, style: ListParameters.Style) throws {
        var stage = listStage { $0.style = style }
        let sign = direction == .left ? -1.0 : 1
        stage.step(5)
        try stage.swipe(direction, 100, 260)
        #expect(stage.needsPublish)
        for step in 0..<24 {
            let x = sign * 320 * TimingCurve.easeInOut.value(at: Double(step) / 24)
            #expect(abs(stage.rowX - x) < 1e-9, "step \(step)")
            #expect(abs(stage.menuX - (style == .push ? x - sign * 320 : 0)) < 1e-9)
            #expect(stage.phase == "opening" && stage.row == 3)
            #expect(stage.direction == direction.rawValue)
            stage.step()
        }
        #expect(stage.phase == "open" && stage.row == 3 && stage.direction == direction.rawValue)
        let size = Size(320, 70)
        #expect(
            stage.rowView == ViewState(center: Vector(160 + sign * 320, 245), size: size, z: 1))
        #expect(stage.menu == ViewState(center: Vector(160, 245), size: size, z: 0))
        #expect(stage.picture.names == ["menu"] + (0..<9).map { "row-\($0)" })
        #expect(
            stage.told == ["5 open began 0.2 ease-in-out", "29 open ended 0.2 ease-in-out"])
    }

    /// Three steps of 0.2 s: to ±5 (eased), to ±10 (linear), to 0 (linear); a menu that pushes
    /// stays beside the row.
    @Test(
        arguments: [Direction.left, .right], ListParameters.Style.allCases)
    func aClosingRowBounces(direction: Direction, style: ListParameters.Style) throws {
        var stage = try ListStage.inPhase("open", direction, style: style)
        let sign = direction == .left ? -1.0 : 1
        let mark = stage.told.count
        try stage.swipe(.left, row: 3)
        #expect(stage.needsPublish)
        for step in 0..<72 {
            let share = Double(step % 24) / 24
            let x =
                switch step / 24 {
                case 0: 320 + (5 - 320) * TimingCurve.easeInOut.value(at: share)
                case 1: 5 + 5 * share
                default: 10 - 10 * share
                }
            #expect(abs(stage.rowX - sign * x) < 1e-9, "step \(step)")
            let menu = style == .push ? sign * (x - 320) : 0
            #expect(abs(stage.menuX - menu) < 1e-9, "step \(step)")
            #expect(stage.phase == "closing" && stage.row == 3)
            #expect(stage.direction == direction.rawValue)
            stage.step()
        }
        #expect(stage.phase == "closed" && stage.menu == nil)
        #expect(stage.field("row") == .null && stage.direction == nil)
        #expect(stage.lines(since: mark) == [Self.closing, Self.closed])
    }

    /// Each column is 6 steps, 0.05 s. Phases: `.` closed, `o`pening, `O`pen, `c`losing. Plays
    /// swipes on row 3 (`l`eft, `r`ight) and on row 4 (`x`), `t`aps, `a`ction, the `T`op, and a
    /// scroll's `b`eginning, `m`ove and `e`nd.
    private func expect(
        _ script: String, _ phases: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var stage = listStage()
        let found = try stage.timeline(script, column: 6, letters: listLetters) {
            (letter, stage) throws(Rejection) in
            switch letter {
            case "l": try stage.swipe(.left, row: 3)
            case "r": try stage.swipe(.right, row: 3)
            case "x": try stage.swipe(.left, row: 4)
            case "t": try stage.tap(row: 9)
            case "a": try stage.command("action")
            case "T": try stage.command("scroll-to-top")
            case "b": try stage.scroll(.began, 10)
            case "m": try stage.scroll(.changed, 20)
            default: try stage.scroll(.ended, 30)
            }
        }
        #expect(found == phases, sourceLocation: sourceLocation)
    }

    @Test func swipesTapsScrollsAndCommandsCloseARow() throws {
        try expect("-l------l--------------", ".ooooOOOcccccccccccc...")
        try expect("-l------r--------------", ".ooooOOOcccccccccccc...")
        try expect("-r------t--------------", ".ooooOOOcccccccccccc...")
        try expect("-r------a--------------", ".ooooOOOcccccccccccc...")
        try expect("-l------bm-e-----------", ".ooooOOOcccccccccccc...")
        try expect("-l------T--------------", ".ooooOOO...............")
        try expect("-l------x----------l---", ".ooooOOOooooOOOOOOOoooo")
    }

    @Test func whileAnimatingTapsAndScrollsDoNotClose() throws {
        try expect("-lt-bme---t------------", ".ooooOOOOOcccccccccccc.")
        try expect("-l----a-t--bme-------l-", ".ooooOcccccccccccc...oo")
    }

    @Test func withNothingOpenNothingCloses() throws {
        try expect("-t-a-T-bmet", "...........")
        var stage = listStage()
        try stage.command("action")
        try stage.command("scroll-to-top")
        #expect(stage.machine == listStage().machine && stage.told.isEmpty)
    }

    /// The open one is closed at once, without animation, and the other opens.
    @Test func aSwipeOnAnotherRowOpensThatAtOnce() throws {
        var stage = listStage { $0.others = .atOnce }
        try stage.swipe(.left, row: 3)
        stage.step(24)
        let mark = stage.told.count
        try stage.swipe(.right, row: 5)
        #expect(stage.phase == "opening" && stage.row == 5 && stage.direction == "right")
        #expect(stage.rowView?.center == Vector(160, 385) && stage.needsPublish)
        stage.step(24)
        #expect(stage.phase == "open" && stage.rowX == 320)
        #expect(
            stage.lines(since: mark) == [
                "close began", "close ended", "open began 0.2 ease-in-out",
                "open ended 0.2 ease-in-out",
            ])
    }

    @Test func toTheTopClosesAtOnce() throws {
        var stage = try ListStage.inPhase("open")
        try stage.scroll(.began, 33)
        stage.step(72)
        try stage.swipe(.left, row: 3)
        stage.step(24)
        let mark = stage.told.count
        try stage.command("scroll-to-top")
        #expect(stage.phase == "closed" && stage.offset == 0 && stage.needsPublish)
        #expect(stage.menu == nil && stage.field("row") == .null)
        #expect(stage.lines(since: mark) == ["close began", "close ended"])
    }

    @Test(arguments: ["opening", "closing"])
    func anAnimatingListIsBusy(phase: String) throws {
        var stage = try ListStage.inPhase(phase)
        let before = stage.machine
        for row in [3, 4] {
            for direction in [Direction.left, .right] {
                let code = refusal { () throws(Rejection) in try stage.swipe(direction, row: row) }
                #expect(code == .busy)
            }
        }
        for name in ["action", "scroll-to-top"] {
            #expect(refusal { () throws(Rejection) in try stage.command(name) } == .busy)
        }
        #expect(stage.machine == before)
    }

    @Test func everyParameterCounts() throws {
        var stage = listStage(rows: 7) {
            ($0.rowHeight, $0.style, $0.duration, $0.bounce) = (50, .push, 0.11, 8)
        }
        try stage.swipe(.right, row: 6)
        #expect(stage.rowView?.center == Vector(160, 325) && stage.rowView?.size == Size(320, 50))
        #expect(stage.menuX == -320)
        // 0.11 s are 13.2 steps.
        stage.step(13)
        #expect(stage.phase == "opening" && stage.rowX < 320)
        stage.step()
        #expect(stage.phase == "open" && stage.rowX == 320 && stage.menuX == 0)
        try stage.command("action")
        stage.step(13)
        let share = TimingCurve.easeInOut.value(at: 13.0 / 120 / 0.11)
        #expect(abs(stage.rowX - (320 - 312 * share)) < 1e-9)
        stage.step()
        #expect(abs(stage.rowX - (8 + 8 * (14.0 / 120 - 0.11) / 0.11)) < 1e-9)
        // 0.33 s are 39.6 steps.
        stage.step(25)
        #expect(abs(stage.rowX - 16 * (0.33 - 39.0 / 120) / 0.11) < 1e-9)
        stage.step()
        #expect(stage.phase == "closed")
        #expect(
            stage.lines(since: 0) == [
                "open began 0.11 ease-in-out", "open ended 0.11 ease-in-out",
                "close began \(3 * 0.11)", "close ended \(3 * 0.11)",
            ])
    }

    @Test(arguments: ListParameters.Style.allCases)
    func withoutADurationItIsOverAtOnce(style: ListParameters.Style) throws {
        var stage = listStage { ($0.duration, $0.style) = (0, style) }
        try stage.swipe(.left, row: 0)
        #expect(stage.phase == "open" && stage.rowX == -320 && stage.menuX == 0)
        // It jumped out, and jumps back.
        #expect(stage.view("row-0")?.cut == 1)
        try stage.tap(row: 1)
        #expect(stage.view("row-0")?.cut == 2 && stage.view("row-1")?.cut == 0)
        #expect(stage.phase == "closed" && stage.selected == 1)
        #expect(
            stage.lines(since: 0) == [
                "open began ease-in-out", "open ended ease-in-out", "select began",
                "select ended", "close began", "close ended",
            ])
    }

    /// The founding walk-through's row: it goes to the right whichever way it is swiped.
    @Test(arguments: [Direction.left, .right], ListParameters.Opens.allCases)
    func rowsOpenToTheirSideWhicheverWayTheyAreSwiped(
        direction: Direction, opens: ListParameters.Opens
    ) throws {
        var stage = listStage { $0.opens = opens }
        try stage.swipe(direction, 100, 260)
        stage.step(30)
        #expect(stage.phase == "open" && stage.direction == opens.rawValue)
        #expect(stage.rowX == (opens == .left ? -320 : 320))
        // `side` still says which swipes count.
        var other = listStage {
            $0.opens = opens
            $0.side = .left
        }
        let code = refusal { () throws(Rejection) in try other.swipe(.right, 100, 260) }
        #expect(code == .badValue)
    }
}
