import Geometry
import Gestures
import Interactions
import Motion
import TestSupport
import Testing

/// A finger draws the shown screen off the one below.
@Suite struct NavigationPopTests {
    private func way(_ stage: NavigationStage) -> Double? {
        stage.view("a").map { $0.center.x - 160 }
    }

    /// A pan from 10 points, so many points on, at rest.
    private func held(
        at distance: Double, _ change: (inout NavigationParameters) -> Void = { _ in }
    ) throws -> NavigationStage {
        var stage = try navigationStage(over: ["a"], change)
        try stage.pan(.began, 10, 300)
        stage.step(6)
        try stage.pan(.changed, 10 + distance, 300)
        // Samples are stale by now: the finger has no velocity.
        stage.step(30)
        return stage
    }

    @Test func theScreenFollowsTheFinger() throws {
        var stage = try navigationStage(over: ["a"])
        let mark = stage.told.count
        try stage.pan(.began, 19.9, 300)
        #expect(stage.phase == "transitioning" && stage.stack == ["dashboard", "a"])
        #expect(stage.lines(since: mark) == ["pop began a→dashboard 0.3"] && stage.needsPublish)
        for (x, shown) in [(19.9, 0.0), (50, 30.1), (19, 0), (-40, 0), (319.9, 300), (900, 320)] {
            try stage.pan(.changed, x, 100)
            let found = try #require(way(stage))
            #expect(abs(found - shown) < 1e-9, "at \(x)")
            #expect(stage.view("a")?.z == 1 && stage.view("dashboard") == screen(z: 0, cut: 1))
            #expect(stage.backTitle == "Back" && !stage.machine.isMoving)
        }
        try stage.pan(.changed, 900, 100)
        #expect(!stage.needsPublish, "nothing has changed")
    }

    /// At rest the half decides, and the very half does not do.
    @Test(arguments: [(160.0, false), (160.5, true), (0.5, false), (319, true)])
    func letGoAtRestItGoesToTheNearerSide(distance: Double, goes: Bool) throws {
        var stage = try held(at: distance)
        let mark = stage.told.count
        try stage.pan(.ended, 10 + distance, 300)
        var former = try #require(way(stage))
        #expect(abs(former - distance) < 1e-9)
        while stage.phase == "transitioning" {
            let now = try #require(way(stage))
            #expect(goes ? now >= former : now <= former)
            former = now
            stage.step()
        }
        let event = goes ? "ended" : "cancelled"
        #expect(stage.lines(since: mark) == ["pop \(event) a→dashboard 0.3"])
        #expect(stage.stack == (goes ? ["dashboard"] : ["dashboard", "a"]))
        // The dashboard left when `a` came, and again when the pop was cancelled.
        let shown = goes ? ["dashboard": screen(z: 0, cut: 1)] : ["a": screen(z: 0)]
        #expect(stage.picture.views == shown && !stage.machine.isMoving)
    }

    /// A velocity carries 0.499 s far, as content that decelerates.
    @Test(arguments: [
        (20.0, 300.0, true), (20.0, 270, false), (300, -290, false), (300, -270, true),
        (159, 3, true), (0, 5_000, true), (310, -5_000, false),
    ])
    func theVelocityIsCountedIn(distance: Double, velocity: Double, goes: Bool) throws {
        var stage = try held(at: distance)
        try stage.pan(.ended, 10 + distance, 300, velocity: Vector(velocity, 900))
        let steps = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == (goes ? ["dashboard"] : ["dashboard", "a"]))
        #expect((steps ?? 999) <= 36, "\(steps ?? 999) steps")
    }

    /// It flies on as fast as the finger drew it, but no faster than a whole way in 0.1 s.
    @Test func itFliesOnWithTheFingersVelocity() throws {
        var stage = try held(at: 120)
        try stage.pan(.ended, 130, 300, velocity: Vector(1_500, 0))
        let seconds = 200 / (1_500 * 0.58)
        for step in 0..<27 {
            let share = TimingCurve.easeOut.value(at: Double(step) / 120 / seconds)
            let found = try #require(way(stage), "step \(step)")
            #expect(abs(found - (120 + 200 * share)) < 1e-9, "step \(step)")
            stage.step()
        }
        stage.step()
        #expect(stage.phase == "resting")
        var fast = try held(at: 120)
        try fast.pan(.ended, 130, 300, velocity: Vector(1_000_000, 0))
        #expect(fast.steps { $0.phase == "resting" } == 12)
    }

    @Test func aFlyingScreenIsCaughtByTheNextPan() throws {
        for velocity in [800.0, -800] {
            var stage = try held(at: 160)
            try stage.pan(.ended, 170, 300, velocity: Vector(velocity, 0))
            stage.step(8)
            let caught = try #require(way(stage))
            #expect(caught != 160 && caught > 0 && caught < 320)
            let mark = stage.told.count
            try stage.pan(.began, 200, 80)
            #expect(way(stage) == caught && !stage.machine.isMoving)
            try stage.pan(.changed, 190, 80)
            #expect(abs((way(stage) ?? 0) - (caught - 10)) < 1e-9)
            try stage.pan(.cancelled, 190, 80)
            _ = stage.steps { $0.phase == "resting" }
            #expect(stage.stack == ["dashboard", "a"])
            #expect(stage.lines(since: mark) == ["pop cancelled a→dashboard 0.3"])
        }
    }

    /// A contact that lands stops it at once, wherever it is, and lets it go when it lifts.
    @Test func aContactCatchesItAsSoonAsItLands() throws {
        var stage = try held(at: 200)
        try stage.pan(.ended, 210, 300)
        stage.step(5)
        stage.touch(.down(Vector(250, 80)))
        let caught = try #require(way(stage))
        #expect(!stage.machine.isMoving && stage.needsPublish)
        stage.step(50)
        #expect(way(stage) == caught)
        var moved = stage
        stage.touch(.up)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == ["dashboard"])
        // The recognizer's slop moves nothing.
        try moved.pan(.began, 232, 80)
        #expect(abs((way(moved) ?? 0) - (caught - 8)) < 1e-9)
        try moved.pan(.changed, 60, 80)
        moved.touch(.moved(Vector(60, 80)))
        try moved.pan(.ended, 60, 80, velocity: .zero)
        moved.touch(.up)
        _ = moved.steps { $0.phase == "resting" }
        #expect(moved.stack == ["dashboard", "a"])
    }

    @Test(arguments: [Phase.cancelled, nil])
    func aLostFingerLetsItGoBack(phase: Phase?) throws {
        var stage = try held(at: 300)
        if let phase { try stage.pan(phase, 310, 300) }
        // Silence of 3 s cancels; 30 steps have passed.
        let silent = phase == nil ? 330 : 0
        stage.step(max(0, silent - 1))
        #expect(!stage.machine.isMoving || phase != nil)
        stage.step(1 + 36)
        #expect(stage.phase == "resting" && stage.stack == ["dashboard", "a"])
    }

    // MARK: Where it begins

    @Test(arguments: [(19.999, true), (0, true), (20, false), (160, false)])
    func itBeginsAtTheLeftEdgeAlone(x: Double, begins: Bool) throws {
        var stage = try navigationStage(over: ["a"])
        let before = stage.machine
        #expect(stage.machine.takesLanding(at: Vector(x, 300)) == begins)
        let code = refusal { () throws(Rejection) in try stage.pan(.began, x, 300) }
        #expect(code == (begins ? nil : .badValue))
        if !begins { #expect(stage.machine == before) }
    }

    /// The contact's landing decides, not the place at which it was recognised.
    @Test func aContactCountsFromItsLanding() throws {
        var stage = try navigationStage(over: ["a"])
        stage.touch(.down(Vector(15, 300)))
        try stage.pan(.began, 95, 310)
        // 80 points without the slop.
        #expect(way(stage) == 70)
        var other = try navigationStage(over: ["a"])
        other.touch(.down(Vector(25, 300)))
        let code = refusal { () throws(Rejection) in try other.pan(.began, 12, 300) }
        #expect(code == .badValue && other.phase == "resting")
    }

    @Test func atTheRootThereIsNothingToPop() throws {
        var stage = try navigationStage()
        #expect(!stage.machine.takesLanding(at: Vector(5, 300)))
        let code = refusal { () throws(Rejection) in try stage.pan(.began, 5, 300) }
        #expect(code == .badValue && stage.phase == "resting")
    }

    @Test func theEdgeIsTheScenes() throws {
        var wide = try navigationStage(over: ["a"]) { $0.popEdge = 100 }
        try wide.pan(.began, 99, 300)
        var none = try navigationStage(over: ["a"]) { $0.popEdge = 0 }
        #expect(!none.machine.takesLanding(at: Vector(0, 300)))
        let code = refusal { () throws(Rejection) in try none.pan(.began, -5, 300) }
        #expect(wide.phase == "transitioning" && code == .badValue)
    }

    /// A command's transition is not the finger's.
    @Test func aTransitionThatRunsRefusesPans() throws {
        var stage = try navigationStage(over: ["a"])
        try stage.present("b", "in-from-right")
        let before = stage.machine
        #expect(!stage.machine.takesLanding(at: Vector(5, 300)))
        for phase in Phase.allCases {
            let code = refusal { () throws(Rejection) in try stage.pan(phase, 5, 300) }
            #expect(code == .busy && stage.machine == before)
        }
        var resting = try navigationStage(over: ["a"])
        for phase in [Phase.changed, .ended, .cancelled] {
            let code = refusal { () throws(Rejection) in try resting.pan(phase, 5, 300) }
            #expect(code == .outOfOrder)
        }
    }

    // MARK: Beside commands

    @Test func commandsWaitForThePop() throws {
        var stage = try held(at: 300) { $0.queue = 2 }
        let mark = stage.told.count
        try stage.back()
        try stage.present("b", "in-from-left")
        #expect(refusal { () throws(Rejection) in try stage.back() } == .busy)
        #expect(stage.told.count == mark && stage.machine.saved.stack == ["dashboard", "b"])
        try stage.pan(.ended, 310, 300)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == ["dashboard", "b"])
        // The root has nowhere to go back to.
        #expect(
            stage.lines(since: mark).map { $0.split(separator: " ")[0] } == [
                "pop", "in-from-left", "in-from-left",
            ])
    }

    /// A drag in flight is gone from what is saved; a screen that flies away is away.
    @Test func itIsSavedWhereItWouldSettle() throws {
        var stage = try held(at: 300)
        #expect(stage.machine.saved.stack == ["dashboard", "a"])
        try stage.pan(.ended, 310, 300)
        #expect(stage.machine.saved.stack == ["dashboard"])
        stage.touch(.down(Vector(5, 5)))
        #expect(stage.machine.saved.stack == ["dashboard"])
    }

    @Test func withoutADurationItIsThereAtOnce() throws {
        for distance in [100.0, 300] {
            var stage = try held(at: distance) { ($0.duration, $0.removalLead) = (0, 0) }
            try stage.pan(.ended, 10 + distance, 300)
            #expect(stage.phase == "resting")
            // A jump back to its place is a cut.
            let shown =
                distance > 160
                ? ["dashboard": screen(z: 0, cut: 1)] : ["a": screen(z: 0, cut: 1)]
            #expect(stage.picture.views == shown)
        }
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func whateverHandsDoItComesToRest(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var stage = try navigationStage(over: ["a", "b", "c"])
        for _ in 0..<100 {
            let before = stage.machine
            let place = Vector(random.unit() * 400 - 40, random.unit() * 568)
            let edge = Vector(random.unit() * 25, random.unit() * 568)
            let code = refusal { () throws(Rejection) in
                switch random.whole(in: 0...9) {
                case 0: try stage.present("d", "in-from-right")
                case 1: try stage.back()
                case 2, 3: try stage.pan(.began, edge.x, edge.y)
                case 4...6: try stage.pan(.changed, place.x, place.y)
                case 7: try stage.pan(.ended, place.x, place.y)
                case 8: stage.touch(.down(place))
                default: stage.touch(.up)
                }
            }
            if code != nil { #expect(stage.machine == before, "seed \(seed)") }
            stage.step(random.whole(in: 0...20))
            #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit), "seed \(seed)")
            #expect(stage.picture.views.count == (stage.phase == "resting" ? 1 : 2))
        }
        stage.touch(.up)
        let rest = stage.steps { $0.phase == "resting" && $0.machine.nextTimer == nil }
        #expect(rest != nil, "seed \(seed) never rests")
    }
}
