import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// Another scene says something else of the navigation.
@Suite struct NavigationChangeTests {
    private static let large = Size(400, 800)

    private func parameters(
        root: String = "dashboard", _ change: (inout NavigationParameters) -> Void = { _ in }
    ) -> NavigationParameters {
        var parameters = NavigationParameters(root: root)
        change(&parameters)
        return parameters
    }

    @Test func theStackStaysInANewFrame() throws {
        var stage = try navigationStage(over: ["a", "b"])
        stage.adapt(to: parameters(), viewport: Self.large)
        #expect(stage.stack == ["dashboard", "a", "b"] && stage.phase == "resting")
        let view = ViewState(center: Vector(200, 400), size: Self.large, z: 0, cut: 1)
        #expect(stage.picture.views == ["b": view])
    }

    /// The transition ends when it would have ended, in the new frame.
    @Test(arguments: ["in-from-right", "in-from-bottom", "out-to-left", "in-via-scale"])
    func aRunningTransitionGoesOnInTheNewFrame(transition: String) throws {
        var stage = try navigationStage(over: ["a"])
        var alike = Stage(Navigation(parameters(), viewport: Self.large, tracker: .uikit))
        try alike.present("a", "in-via-scale")
        alike.step(36)
        for end in [0, 1] {
            if end == 0 { try stage.present("b", transition) }
            if end == 0 { try alike.present("b", transition) }
            stage.step(12)
            alike.step(12)
            if end == 0 { stage.adapt(to: parameters(), viewport: Self.large) }
            let view = try #require(stage.view("b")), other = try #require(alike.view("b"))
            #expect((view.center - other.center).length < 1e-9 && view.size == other.size)
            #expect(abs(view.scale - other.scale) < 1e-12 && view.cut == 1)
        }
        #expect(stage.told.last?.contains(" began ") == true)
        stage.step(12)
        #expect(stage.phase == "resting" && stage.stack == ["dashboard", "a", "b"])
    }

    /// A transition that runs keeps its time; one that waits takes the new scene's.
    @Test func durationsCountFromTheNextTransition() throws {
        var stage = try navigationStage()
        try stage.present("a", "in-from-left")
        try stage.present("b", "in-from-left")
        stage.adapt(to: parameters { $0.duration = 1 }, viewport: .phone)
        stage.step(36)
        #expect(
            stage.told.suffix(2) == [
                "36 in-from-left ended dashboard→a 0.3 ease-in-out",
                "36 in-from-left began a→b 1.0 ease-in-out",
            ])
        stage.step(120)
        #expect(stage.phase == "resting" && stage.view("b")?.cut == 0)
    }

    @Test func aShorterQueueDropsWhatCameLast() throws {
        var stage = try navigationStage()
        for screen in ["a", "b", "c", "d"] { try stage.present(screen, "in-from-left") }
        stage.adapt(to: parameters { $0.queue = 1 }, viewport: .phone)
        #expect(stage.machine.isSound(viewport: .phone, tracker: .uikit))
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == ["dashboard", "a", "b"])
    }

    // MARK: A finger

    @Test func theFingerHoldsTheScreenInTheNewFrame() throws {
        var stage = try navigationStage(over: ["a"])
        try stage.pan(.began, 5, 100)
        try stage.pan(.changed, 205, 100)
        stage.adapt(to: parameters(), viewport: Self.large)
        #expect(stage.view("a")?.center == Vector(400, 400) && stage.view("a")?.cut == 1)
        try stage.pan(.changed, 215, 100)
        #expect(stage.view("a")?.center == Vector(410, 400) && stage.view("a")?.cut == 1)
        stage.step(30)
        try stage.pan(.ended, 215, 100)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == ["dashboard"])
    }

    @Test func aFlightEndsAtTheNewSide() throws {
        var stage = try navigationStage(over: ["a"])
        try stage.pan(.began, 5, 100)
        try stage.pan(.changed, 205, 100)
        stage.step(30)
        try stage.pan(.ended, 205, 100)
        stage.step(12)
        let share = ((stage.view("a")?.center.x ?? 0) - 160) / 320
        stage.adapt(to: parameters(), viewport: Self.large)
        #expect(abs((stage.view("a")?.center.x ?? 0) - 200 - share * 400) < 1e-9)
        stage.step(24)
        #expect(stage.phase == "resting" && stage.stack == ["dashboard"])
    }

    // MARK: Another root

    @Test(
        arguments: [
            ("home", ["home", "a", "b"]), ("a", ["a", "b"]), ("b", ["b"]),
        ] as [(String, [String])])
    func theNewRootIsAtTheBottom(root: String, stack: [String]) throws {
        var stage = try navigationStage(over: ["a", "b"])
        stage.adapt(to: parameters(root: root), viewport: .phone)
        #expect(stage.stack == stack && stage.view("b") == screen(z: 0))
    }

    @Test func aShownRootLeavesWithItsCut() throws {
        var stage = try navigationStage()
        stage.adapt(to: parameters(root: "home"), viewport: .phone)
        #expect(stage.picture.views == ["home": screen(z: 0)])
        stage.adapt(to: parameters(), viewport: .phone)
        #expect(stage.picture.views == ["dashboard": screen(z: 0, cut: 1)])
    }

    /// A transition to the former root leads to the new one, unless it comes from there.
    @Test func theNewRootTakesThePlaceOfTheFormer() throws {
        var stage = try navigationStage(over: ["a"])
        try stage.back()
        var other = stage
        stage.adapt(to: parameters(root: "home"), viewport: .phone)
        #expect(Set(stage.picture.names) == ["a", "home"])
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == ["home"] && stage.picture.names == ["home"])
        other.adapt(to: parameters(root: "a"), viewport: .phone)
        _ = other.steps { $0.phase == "resting" }
        #expect(other.stack == ["a"] && other.picture.names == ["a"])
    }

    @Test func aPopToAFormerRootPopsToTheNewOne() throws {
        var stage = try navigationStage(over: ["a"])
        try stage.pan(.began, 5, 100)
        try stage.pan(.changed, 305, 100)
        stage.step(30)
        var other = stage
        stage.adapt(to: parameters(root: "home"), viewport: .phone)
        #expect(Set(stage.picture.names) == ["a", "home"])
        try stage.pan(.ended, 305, 100)
        _ = stage.steps { $0.phase == "resting" }
        #expect(stage.stack == ["home"])
        // The shown screen is the root now: there is nothing to pop.
        other.adapt(to: parameters(root: "a"), viewport: .phone)
        #expect(other.phase == "resting" && other.told.last?.contains("pop cancelled") == true)
        #expect(other.view("a") == screen(z: 0, cut: 1))
    }

    @Test func theSameSceneChangesNothing() throws {
        var stage = try navigationStage(over: ["a"])
        try stage.back()
        stage.step(5)
        let before = stage.machine
        stage.adapt(to: parameters(), viewport: .phone)
        #expect(stage.machine == before && !stage.needsPublish)
    }

    /// A step moves a screen at most as the fastest slide of the largest frame does.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverComesNothingJumps(seed: UInt64) throws {
        var storm = ChangeStorm(
            try navigationStage(over: ["posts"]), try Tables.navigation().events, seed: seed)
        try storm.run(changes: 25, reach: 100) { random in
            let numbers = (0..<5).map { _ in random.whole(in: 0...3) }
            let parameters = parameters(
                root: ["dashboard", "dashboard", "posts", "new"][numbers[0]]
            ) {
                $0.duration = [0.3, 0.3, 1, 0][numbers[1]]
                $0.removalLead = min($0.removalLead, $0.duration)
                $0.queue = [8, 8, 1, 0][numbers[2]]
                $0.spring = [nil, nil, .bouncing][random.whole(in: 0...2)]
                $0.popEdge = [20, 320, 320, 0][numbers[3]]
            }
            return (parameters, [.phone, .phone, Self.large, Size(100, 50)][numbers[4]])
        }
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
        #expect(storm.cuts > 0)
    }
}
