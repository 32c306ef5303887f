import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// How the open row makes way while another one opens.
@Suite struct ListOthersTests {
    /// The open row is 320 to the left; it closes to 5, to 10 and home, each in 24 steps.
    private func bounce(_ step: Int) -> Double {
        let share = Double(step % 24) / 24
        switch step / 24 {
        case 0: return -(320 + (5 - 320) * TimingCurve.easeInOut.value(at: share))
        case 1: return -(5 + 5 * share)
        case 2: return -(10 - 10 * share)
        default: return 0
        }
    }

    @Test func theOpenRowClosesWithItsBounceWhileTheOtherOpens() throws {
        var stage = try ListStage.inPhase("open")
        let mark = stage.told.count
        try stage.swipe(.right, row: 5)
        #expect(stage.phase == "opening" && stage.row == 5 && stage.needsPublish)
        for step in 0..<80 {
            let x = 320 * TimingCurve.easeInOut.value(at: min(1, Double(step) / 24))
            #expect(abs(stage.rowX - x) < 1e-9, "step \(step)")
            let other = try #require(stage.view("row-3"))
            #expect(abs(other.center.x - 160 - bounce(step)) < 1e-9, "step \(step)")
            #expect(other.cut == 0 && stage.phase == (step < 24 ? "opening" : "open"))
            stage.step()
        }
        #expect(!stage.machine.isMoving && stage.view("menu-3") == nil)
        // The menu is the other row's now.
        #expect(stage.menu?.center.y == 385 && stage.menu?.cut == 1)
        #expect(
            stage.lines(since: mark) == [
                "close began \(3 * 0.2)", "open began 0.2 ease-in-out",
                "open ended 0.2 ease-in-out", "close ended \(3 * 0.2)",
            ])
        #expect(stage.transitions.suffix(4).map(\.row?.number) == [3, 5, 5, 3])
    }

    /// Nothing is blank behind a row that closes, in both styles and to both sides.
    @Test(arguments: ListParameters.Style.allCases, [Direction.left, .right])
    func aMenuGoesWithTheRowThatMakesWay(style: ListParameters.Style, direction: Direction) throws {
        var stage = try ListStage.inPhase("open", direction, style: style)
        let menu = try #require(stage.menu)
        try stage.swipe(direction == .left ? .right : .left, row: 5)
        let own = try #require(stage.view("menu-3"))
        #expect(own.center == menu.center && own.size == menu.size && own.z == 0)
        for step in 0..<72 {
            let row = try #require(stage.view("row-3")).center
            let own = try #require(stage.view("menu-3"), "step \(step)")
            let side: Double = direction == .left ? -1 : 1
            let beside = style == .push ? row.x - side * 320 : 160
            let gap = own.center - Vector(beside, row.y)
            #expect(gap.length < 1e-9 && own.cut == 0, "step \(step)")
            #expect(stage.menu?.center.y == 385)
            stage.step()
        }
        #expect(stage.view("menu-3") == nil)
        // It was gone, so it is cut when it comes again; it names its row.
        try stage.swipe(.left, row: 3)
        stage.step(24)
        try stage.swipe(.left, row: 0)
        #expect(stage.view("menu-3")?.cut == 1 && stage.view("menu-5")?.cut == 0)
    }

    /// Each of several has its own, and one that opens again gives it back.
    @Test func everyRowThatMakesWayHasAMenu() throws {
        var stage = listStage()
        for row in 0..<4 {
            try stage.swipe(.left, row: row)
            stage.step(24)
        }
        let menus = { (stage: ListStage) in stage.picture.names.filter { $0.hasPrefix("menu") } }
        #expect(menus(stage) == ["menu", "menu-1", "menu-2"])
        try stage.swipe(.left, row: 2)
        #expect(menus(stage) == ["menu", "menu-1", "menu-3"])
        #expect(stage.menu?.center.y == 175.0)
        try stage.scroll(.began, 10)
        #expect(stage.view("menu-3")?.center.y == 235.0)
    }

    @Test func atOnceThereIsNoSecondMenu() throws {
        var stage = listStage { $0.others = .atOnce }
        try stage.swipe(.left, row: 3)
        stage.step(24)
        try stage.swipe(.left, row: 5)
        #expect(stage.picture.names.filter { $0.hasPrefix("menu") } == ["menu"])
    }

    @Test func aRowThatMakesWayOpensFromWhereItIs() throws {
        var stage = try ListStage.inPhase("open")
        try stage.swipe(.left, row: 5)
        stage.step(30)
        let mark = stage.told.count
        try stage.swipe(.right, row: 3)
        #expect(stage.row == 3 && abs(stage.rowX - bounce(30)) < 1e-9 && stage.rowView?.cut == 0)
        stage.step(24)
        #expect(stage.phase == "open" && stage.rowX == 320)
        #expect(
            stage.lines(since: mark) == [
                "close began \(3 * 0.2)", "close cancelled \(3 * 0.2)",
                "open began 0.2 ease-in-out", "open ended 0.2 ease-in-out",
            ])
        #expect(stage.transitions.suffix(4).map(\.row?.number) == [5, 3, 3, 3])
    }

    /// One row after the other: three bounce while a fourth opens, and all come home.
    @Test func severalMakeWay() throws {
        var stage = listStage()
        for row in 0..<8 {
            try stage.swipe(.left, row: row)
            let out = (0..<8).filter { stage.view("row-\($0)")?.center.x != 160 }
            #expect(out.count <= 4 && (row < 3 || out.count == 3), "\(row): \(out)")
            #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit))
            stage.step(24)
        }
        try stage.command("action")
        stage.step(72)
        #expect(stage.phase == "closed" && !stage.machine.isMoving)
        #expect((0..<8).allSatisfy { stage.view("row-\($0)")?.center.x == 160 })
        #expect(stage.told.count == 32)
    }

    @Test func toTheTopTheyAreHomeAtOnce() throws {
        var stage = try ListStage.inPhase("open")
        try stage.swipe(.left, row: 5)
        stage.step(24)
        let mark = stage.told.count
        try stage.command("scroll-to-top")
        #expect(stage.phase == "closed" && !stage.machine.isMoving)
        #expect(stage.view("row-3")?.center.x == 160 && stage.view("row-3")?.cut == 1)
        #expect(
            stage.lines(since: mark) == ["close began", "close ended", "close ended \(3 * 0.2)"])
    }

    @Test func aRowThatIsGoneMakesNoWay() throws {
        var stage = try ListStage.inPhase("open")
        try stage.swipe(.left, row: 1)
        stage.step(5)
        stage.adapt(to: ListParameters(rows: 3))
        #expect(stage.told.last == "29 close ended \(3 * 0.2)" && stage.row == 1)
        #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit))
    }
}
