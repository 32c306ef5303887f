import Geometry
import Gestures
import Interactions
import Motion
import Notation
import TestSupport
import Testing

/// Screens that the scene describes: their titles, their ways out, and where they grow from.
@Suite struct NavigationScreenTests {
    private static var screens: [NavigationScreen] {
        var mail = NavigationScreen("mail", title: "Mail")
        mail.origin = Vector(60, 184)
        var alerts = NavigationScreen("alerts", title: "Alerts")
        alerts.back = .toBottom
        return [NavigationScreen("dashboard", title: "Today"), mail, alerts, .init("bare")]
    }

    private func stage(over screens: [String] = []) throws -> NavigationStage {
        try navigationStage(over: screens) { $0.screens = Self.screens }
    }

    private func titles(_ stage: NavigationStage, _ path: String = "") -> [String?] {
        ["title", "back_title"].map { name in
            if case .text(let text) = stage.field(path + name) { return text }
            return "nothing"
        }
    }

    @Test func theShownScreenTellsItsTitleAndThatOfTheScreenBelow() throws {
        #expect(titles(try stage()) == ["Today", nil])
        #expect(titles(try stage(over: ["mail"])) == ["Mail", "Today"])
        #expect(titles(try stage(over: ["mail", "alerts"])) == ["Alerts", "Mail"])
        #expect(titles(try stage(over: ["bare"])) == [nil, "Today"])
        #expect(titles(try stage(over: ["bare", "mail"])) == ["Mail", nil], "it has none")
        #expect(try navigationStage().field("screens.0.name") == nil, "no screens are described")
    }

    /// Two screens show meanwhile, and each keeps its titles.
    @Test func bothScreensOfATransitionTellTheirTitles() throws {
        var stage = try stage(over: ["mail"])
        #expect(
            stage.field("screens.0.name") == .text("mail") && stage.field("screens.1.name") == nil)
        try stage.present("alerts", "in-from-bottom")
        #expect(stage.field("screens.0.name") == .text("mail"))
        #expect(stage.field("screens.1.name") == .text("alerts"))
        #expect(titles(stage, "screens.0.") == ["Mail", "Today"])
        #expect(titles(stage, "screens.1.") == ["Alerts", "Mail"])
        #expect(titles(stage) == ["Mail", "Today"], "it is not on the stack yet")
        stage.step(36)
        try stage.present("dashboard", "out-to-left")
        #expect(titles(stage) == ["Today", nil])
        #expect(titles(stage, "screens.0.") == ["Alerts", "Mail"], "as it was when it left")
        #expect(titles(stage, "screens.1.") == ["Today", nil])
    }

    @Test func aFingerThatPopsShowsTheTitlesOfBoth() throws {
        var stage = try stage(over: ["mail"])
        try stage.pan(.began, 5, 100)
        try stage.pan(.changed, 100, 100)
        #expect(titles(stage, "screens.0.") == ["Mail", "Today"])
        #expect(titles(stage, "screens.1.") == ["Today", nil])
    }

    // MARK: The way out

    @Test(arguments: [
        (["mail"], "out-via-scale", "mail→dashboard"),
        (["alerts"], "out-to-bottom", "alerts→dashboard"),
        (["mail", "alerts"], "out-to-bottom", "alerts→mail"),
    ])
    func backLeadsOutAsTheScreenSays(over: [String], name: String, ends: String) throws {
        var stage = try stage(over: over)
        let mark = stage.told.count
        try stage.back()
        #expect(stage.lines(since: mark).first?.hasPrefix("\(name) began \(ends)") == true)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == ["dashboard"] + over.dropLast())
    }

    @Test func backTakesATransitionOfItsOwn() throws {
        var stage = try stage(over: ["alerts"])
        try stage.command("back", transition: "out-to-left")
        #expect(
            stage.told.last?.contains("out-to-left began alerts→dashboard ")
                == true)
        for wrong in ["in-via-scale", "pop", ""] {
            #expect(
                refusal { () throws(Rejection) in try stage.command("back", transition: wrong) }
                    == .badValue)
        }
    }

    /// The screen that shows when its turn comes says how it goes.
    @Test func aBackThatWaitsIsDecidedWhenItsTurnComes() throws {
        var stage = try stage()
        try stage.present("alerts", "in-via-scale")
        try stage.back()
        stage.step(36)
        #expect(stage.told.last?.contains("out-to-bottom began alerts→dashboard") == true)
    }

    // MARK: The place that it grows from

    @Test func aScreenGrowsOutOfItsOriginAndShrinksBackToIt() throws {
        var stage = try stage()
        try stage.present("mail", "in-via-scale")
        #expect(stage.view("mail")?.center == Vector(60, 184))
        stage.step(18)
        let scale = try #require(stage.view("mail")).scale
        let share = (1 - scale) / 0.9
        let place = Vector(160, 284) + share * (Vector(60, 184) - Vector(160, 284))
        #expect((try #require(stage.view("mail")).center - place).length < 1e-9)
        stage.step(18)
        #expect(stage.view("mail") == screen(z: 0))
        try stage.back()
        #expect(stage.view("mail")?.center == Vector(160, 284))
        stage.step(33)
        let last = try #require(stage.view("mail"))
        let rest = (1 - last.scale) / 0.99
        #expect(last.scale < 0.4 && last.scale > 0.01)
        let near = Vector(160, 284) + rest * (Vector(60, 184) - Vector(160, 284))
        #expect((last.center - near).length < 1e-9)
    }

    /// A spring beyond its target turns the screen neither inside out nor to the other side.
    @Test func aSpringKeepsItBetweenItsOriginAndItsPlace() throws {
        var stage = try navigationStage {
            $0.screens = Self.screens
            $0.spring = SpringParameters(duration: 0.4, bounce: 0.5)
        }
        try stage.present("mail", "in-via-scale")
        while stage.phase != "resting" {
            let center = try #require(stage.view("mail")).center
            #expect((60.0...160).contains(center.x) && (184.0...284).contains(center.y))
            stage.step()
        }
    }

    @Test func oneThatSlidesDoesNotGrow() throws {
        var stage = try stage()
        try stage.present("mail", "in-from-left")
        #expect(stage.view("mail")?.center == Vector(-160, 284))
    }

    // MARK: Unknown screens

    @Test func anUnknownScreenIsRefusedWithThoseThatAre() throws {
        var stage = try stage()
        let error = #expect(throws: Rejection.self) { try stage.present("mial", "in-via-scale") }
        #expect(error?.code == .badValue)
        #expect(
            error?.message.hasSuffix(
                "unknown screen \"mial\", known ones are mail, dashboard, alerts, bare") == true)
        #expect(stage.phase == "resting")
    }

    private func adapted(_ stage: inout NavigationStage, without names: String...) {
        var parameters = NavigationParameters(root: "dashboard")
        parameters.screens = Self.screens.filter { !names.contains($0.name) }
        stage.adapt(to: parameters)
        #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit))
    }

    @Test func aScreenThatTheSceneLosesLeavesTheStack() throws {
        var stage = try stage(over: ["mail", "alerts"])
        adapted(&stage, without: "alerts")
        #expect(stage.stack == ["dashboard", "mail"] && stage.phase == "resting")
        #expect(Array(stage.picture.views.keys) == ["mail"])
        adapted(&stage, without: "mail", "alerts")
        #expect(stage.stack == ["dashboard"])
    }

    @Test func aTransitionWithSuchAScreenIsOverAtOnce() throws {
        var coming = try stage()
        try coming.present("mail", "in-via-scale")
        try coming.present("alerts", "in-via-scale")
        coming.step(6)
        adapted(&coming, without: "mail")
        #expect(coming.stack == ["dashboard"] && coming.phase == "transitioning")
        #expect(
            coming.told.suffix(2).first?.contains("in-via-scale cancelled dashboard→mail") == true)

        var leaving = try stage(over: ["mail"])
        try leaving.back()
        leaving.step(6)
        adapted(&leaving, without: "mail")
        #expect(leaving.stack == ["dashboard"] && leaving.phase == "resting")
        #expect(leaving.told.last?.contains("out-via-scale ended mail→dashboard") == true)

        var over = try stage(over: ["mail"])
        try over.present("alerts", "in-from-top")
        over.step(6)
        adapted(&over, without: "mail")
        #expect(over.stack == ["dashboard", "alerts"] && over.phase == "resting")
    }

    @Test func aFingerKeepsItsScreenWhereTheOneBelowIsLost() throws {
        var stage = try stage(over: ["mail", "alerts"])
        try stage.pan(.began, 5, 100)
        try stage.pan(.changed, 205, 100)
        adapted(&stage, without: "mail")
        #expect(stage.phase == "transitioning" && stage.stack == ["dashboard", "alerts"])
        adapted(&stage, without: "mail", "alerts")
        #expect(stage.phase == "resting" && stage.stack == ["dashboard"])
        #expect(stage.told.last?.contains("pop cancelled") == true)
    }

    @Test func aStoredStackKeepsTheScreensThatThereAre() throws {
        var effects = Effects(random: SplitMix64(seed: 1))
        for (stored, kept) in [
            (["dashboard", "mail", "posts"], ["dashboard", "mail"]), (["posts"], ["dashboard"]),
        ] {
            var parameters = NavigationParameters(root: "dashboard")
            parameters.screens = Self.screens
            var machine = Navigation(parameters, viewport: .phone, tracker: .uikit)
            machine.restore(.init(stack: stored), counts: BadgeCounts(), into: &effects)
            #expect(machine.saved.stack == kept)
            #expect(machine.isSound(viewport: .phone, tracker: .uikit))
        }
    }
}
