import Geometry
import Interactions
import Motion
import TestSupport
import Testing

/// The four transitions, step by step.
@Suite struct NavigationTransitionTests {
    private static let leaving = 0.3 - 0.02

    private func expect(_ found: ViewState?, _ screen: ViewState, _ step: Int) throws {
        let found = try #require(found, "step \(step)")
        #expect(abs(found.scale - screen.scale) < 1e-12, "step \(step)")
        #expect((found.center - screen.center).length < 1e-9, "step \(step)")
        #expect(found.z == screen.z && found.size == screen.size && found.alpha == 1)
    }

    @Test func atFirstTheRootIsShownAlone() throws {
        let stage = try navigationStage()
        #expect(stage.phase == "resting" && stage.stack == ["dashboard"])
        #expect(stage.field("title") == .null && stage.backTitle == nil)
        #expect(stage.picture.views == ["dashboard": screen(z: 0)])
        #expect(stage.told.isEmpty && stage.machine.nextTimer == nil && !stage.machine.isMoving)
    }

    /// From scale 0.1 to 1 in 0.3 s, eased out; then it goes onto the stack.
    @Test func aScreenComesInByItsScale() throws {
        var stage = try navigationStage()
        stage.step(7)
        try stage.present("posts", "in-via-scale")
        #expect(stage.needsPublish)
        for step in 0..<36 {
            let scale = 0.1 + 0.9 * TimingCurve.easeOut.value(at: Double(step) / 36)
            try expect(stage.view("posts"), screen(scale: scale, z: 1), step)
            #expect(stage.view("dashboard") == screen(z: 0))
            #expect(stage.phase == "transitioning" && stage.stack == ["dashboard"])
            #expect(stage.backTitle == nil)
            stage.step()
        }
        #expect(stage.phase == "resting" && stage.stack == ["dashboard", "posts"])
        #expect(stage.backTitle == "Back" && stage.field("title") == .null)
        #expect(stage.picture.views == ["posts": screen(z: 0)])
        #expect(
            stage.told == [
                "7 in-via-scale began dashboard→posts 0.3 ease-out",
                "43 in-via-scale ended dashboard→posts 0.3 ease-out",
            ])
    }

    /// The stack changes at once; from 0.02 s on it shrinks towards 0.01, eased in over 0.3 s, and
    /// is removed at 0.28 s, which is step 33.6.
    @Test func aScreenGoesByItsScale() throws {
        var stage = try navigationStage(over: ["posts"])
        let mark = stage.told.count
        try stage.present("dashboard", "out-via-scale")
        #expect(stage.needsPublish)
        for step in 0..<34 {
            let elapsed = Double(step) / 120 - 0.02
            let scale = 1 - 0.99 * TimingCurve.easeIn.value(at: elapsed / 0.3)
            if step <= 2 { #expect(scale == 1) }
            try expect(stage.view("posts"), screen(scale: scale, z: 1), step)
            #expect(stage.view("dashboard") == screen(z: 0, cut: 1))
            #expect(stage.phase == "transitioning" && stage.stack == ["dashboard"])
            #expect(stage.backTitle == nil)
            stage.step()
        }
        #expect(stage.phase == "resting")
        #expect(stage.picture.views == ["dashboard": screen(z: 0, cut: 1)])
        #expect(
            stage.lines(since: mark) == [
                "out-via-scale began posts→dashboard \(Self.leaving) ease-in",
                "out-via-scale ended posts→dashboard \(Self.leaving) ease-in",
            ])
    }

    /// From one height below in 0.3 s, eased in and out; then it goes onto the stack.
    @Test func aScreenComesInFromTheBottom() throws {
        var stage = try navigationStage()
        try stage.present("posts", "in-from-bottom")
        for step in 0..<36 {
            let below = 568 * (1 - TimingCurve.easeInOut.value(at: Double(step) / 36))
            try expect(stage.view("posts"), screen(below: below, z: 1), step)
            #expect(stage.view("dashboard") == screen(z: 0) && stage.stack == ["dashboard"])
            stage.step()
        }
        #expect(stage.phase == "resting" && stage.stack == ["dashboard", "posts"])
        #expect(stage.picture.views == ["posts": screen(z: 0)])
        #expect(
            stage.told == [
                "0 in-from-bottom began dashboard→posts 0.3 ease-in-out",
                "36 in-from-bottom ended dashboard→posts 0.3 ease-in-out",
            ])
    }

    /// The stack changes at once; it slides one height down over 0.3 s, eased in and out, and is
    /// removed at 0.28 s.
    @Test func aScreenGoesToTheBottom() throws {
        var stage = try navigationStage(over: ["posts"])
        let mark = stage.told.count
        try stage.present("dashboard", "out-to-bottom")
        for step in 0..<34 {
            let below = 568 * TimingCurve.easeInOut.value(at: Double(step) / 36)
            try expect(stage.view("posts"), screen(below: below, z: 1), step)
            #expect(stage.view("dashboard") == screen(z: 0, cut: 1))
            #expect(stage.stack == ["dashboard"])
            #expect(stage.phase == "transitioning")
            stage.step()
        }
        #expect(stage.phase == "resting")
        #expect(stage.picture.views == ["dashboard": screen(z: 0, cut: 1)])
        #expect(
            stage.lines(since: mark) == [
                "out-to-bottom began posts→dashboard \(Self.leaving) ease-in-out",
                "out-to-bottom ended posts→dashboard \(Self.leaving) ease-in-out",
            ])
    }

    /// Where a screen slides from or to: its name, and its side of the frame.
    private static let sides: [(name: String, side: Vector)] = [
        ("bottom", Vector(0, 568)), ("top", Vector(0, -568)), ("left", Vector(-320, 0)),
        ("right", Vector(320, 0)),
    ]

    /// A whole width or height in 0.3 s, eased in and out.
    @Test(arguments: sides)
    func aScreenSlidesFromEachSide(name: String, side: Vector) throws {
        var stage = try navigationStage()
        try stage.present("posts", "in-from-\(name)")
        for step in 0..<36 {
            let way = 1 - TimingCurve.easeInOut.value(at: Double(step) / 36)
            let place = screen(right: side.x * way, below: side.y * way, z: 1)
            try expect(stage.view("posts"), place, step)
            #expect(stage.view("dashboard") == screen(z: 0) && stage.stack == ["dashboard"])
            stage.step()
        }
        #expect(stage.picture.views == ["posts": screen(z: 0)])
        #expect(stage.stack == ["dashboard", "posts"])
        #expect(
            stage.told == [
                "0 in-from-\(name) began dashboard→posts 0.3 ease-in-out",
                "36 in-from-\(name) ended dashboard→posts 0.3 ease-in-out",
            ])
    }

    @Test(arguments: sides)
    func aScreenSlidesToEachSide(name: String, side: Vector) throws {
        var stage = try navigationStage(over: ["posts"])
        let mark = stage.told.count
        try stage.present("dashboard", "out-to-\(name)")
        for step in 0..<34 {
            let way = TimingCurve.easeInOut.value(at: Double(step) / 36)
            let place = screen(right: side.x * way, below: side.y * way, z: 1)
            try expect(stage.view("posts"), place, step)
            #expect(stage.view("dashboard") == screen(z: 0, cut: 1))
            #expect(stage.stack == ["dashboard"])
            stage.step()
        }
        #expect(stage.picture.views == ["dashboard": screen(z: 0, cut: 1)])
        #expect(
            stage.lines(since: mark) == [
                "out-to-\(name) began posts→dashboard \(Self.leaving) ease-in-out",
                "out-to-\(name) ended posts→dashboard \(Self.leaving) ease-in-out",
            ])
    }

    // MARK: Durations of commands

    @Test(arguments: NavigationStage.transitions)
    func aCommandsOwnDurationCounts(transition: String) throws {
        var stage = try navigationStage()
        try stage.command("present", screen: "a", transition: transition, lasting: 1)
        // A leaving screen is removed 0.02 s before.
        let steps = transition.hasPrefix("in") ? 120 : 118
        let found = stage.steps { $0.phase == "resting" }
        #expect(found == steps && stage.stack == ["dashboard", "a"])
        let told = stage.told[0].split(separator: " ")
        #expect(Double(told[4]) == (transition.hasPrefix("in") ? 1 : 1 - 0.02))
        // The next one lasts as long as the scene says.
        try stage.present("b", "in-from-left")
        #expect(stage.steps { $0.phase == "resting" } == 36)
    }

    /// Also one that waits keeps its own.
    @Test func backTakesADurationToo() throws {
        var stage = try navigationStage(over: ["a", "b"])
        let mark = stage.told.count
        try stage.command("back", lasting: 0.5)
        try stage.command("back", lasting: 0)
        #expect(stage.steps { $0.phase == "resting" } == 58)
        #expect(
            stage.lines(since: mark) == [
                "out-via-scale began b→a \(0.5 - 0.02) ease-in",
                "out-via-scale ended b→a \(0.5 - 0.02) ease-in",
                "out-via-scale began a→dashboard ease-in",
                "out-via-scale ended a→dashboard ease-in",
            ])
    }

    @Test(arguments: [-0.001, 3_600.5, .infinity, .nan])
    func aDurationBeyondAllBoundsIsRefused(seconds: Double) throws {
        var stage = try navigationStage(over: ["a"])
        let before = stage.machine
        for name in ["present", "back"] {
            let code = refusal { () throws(Rejection) in
                try stage.command(
                    name, screen: "b", transition: "in-via-scale", lasting: seconds)
            }
            #expect(code == .badValue && stage.machine == before)
        }
    }

    @Test func everyParameterCounts() throws {
        func stage(over screens: [String]) throws -> NavigationStage {
            try navigationStage(over: screens) {
                $0.root = "home"
                ($0.duration, $0.startDelay, $0.removalLead) = (0.5, 0.1, 0.25)
                ($0.scaleInFrom, $0.scaleOutTo, $0.queue) = (0.5, 0.2, 1)
            }
        }
        var arriving = try stage(over: [])
        try arriving.present("posts", "in-via-scale")
        #expect(arriving.view("posts")?.scale == 0.5 && arriving.view("home") != nil)
        try arriving.back()
        #expect(refusal { () throws(Rejection) in try arriving.back() } == .busy)
        arriving.step(59)
        #expect(arriving.stack == ["home"])
        arriving.step(1)
        #expect(arriving.stack == ["home"] && arriving.view("posts")?.scale == 1)
        #expect(arriving.lines(since: 2) == ["out-via-scale began posts→home 0.25 ease-in"])

        var leaving = try stage(over: ["posts"])
        try leaving.back()
        leaving.step(12)
        #expect(leaving.view("posts")?.scale == 1)
        leaving.step(17)
        let share = TimingCurve.easeIn.value(at: (29.0 / 120 - 0.1) / 0.5)
        try expect(leaving.view("posts"), screen(scale: 1 - 0.8 * share, z: 1), 29)
        leaving.step(1)
        #expect(leaving.phase == "resting")
    }

    @Test(arguments: NavigationStage.transitions)
    func withoutADurationItIsOverAtOnce(transition: String) throws {
        var stage = try navigationStage { ($0.duration, $0.removalLead) = (0, 0) }
        try stage.present("posts", transition)
        #expect(stage.phase == "resting" && stage.stack == ["dashboard", "posts"])
        #expect(stage.picture.views == ["posts": screen(z: 0)])
        #expect(stage.told.map { $0.split(separator: " ")[2] } == ["began", "ended"])
    }
}
