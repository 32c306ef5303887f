import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

/// How much stays of tabs when their scene changes.
@Suite struct TabsChangeTests {
    private func items(
        _ ids: [String], _ change: (inout TabsParameters) -> Void = { _ in }
    ) -> TabsParameters {
        var parameters = TabsParameters.five
        let known = parameters.items
        parameters.items = ids.map { id in
            known.first { $0.id == id } ?? TabsParameters.Item(id: id)
        }
        change(&parameters)
        return parameters
    }

    /// Selection, glow, bubble and highlight go with their items to other places.
    @Test func everythingStaysWithItsItem() throws {
        var stage = tabsStage()
        try stage.tap(1)
        try stage.command("glow", index: 4)
        stage.notify("likes", count: 2)
        stage.touch(.down(Vector(160, 550)))
        stage.step(100)
        let mark = stage.told.count
        stage.adapt(to: items(["profile", "new", "news", "share", "popular", "home"]))
        #expect(stage.selected == .whole(4) && stage.needsPublish)
        #expect(stage.view("page-popular")?.cut == 0)
        #expect(stage.field("items.3.highlighted") == .flag(true))
        #expect(stage.field("items.0.glow") == .flag(true) && stage.view("glow-0") != nil)
        #expect(stage.view("glow-4") == nil && stage.field("items.1.glow") == .flag(false))
        #expect(stage.field("bubble.index") == .whole(2))
        #expect(stage.field("bubble.counts.likes") == .whole(2))
        #expect(stage.bubble?.alpha == 1 && stage.bubble?.cut == 1)
        #expect(stage.arrow?.cut == 1 && stage.phase == "resting")
        #expect(abs(stage.arrowLeft - (320 / 6 * 4.5 - 10)) < 1e-9)
        #expect(stage.view("item-home")?.cut == 1 && stage.view("item-new")?.cut == 0)
        #expect(stage.view("bar")?.cut == 0 && stage.told.count == mark)
    }

    /// The arrow runs to the first item, whose news are seen.
    @Test func theFirstIsSelectedWhereTheSelectedIsGone() throws {
        var stage = tabsStage()
        try stage.tap(1)
        stage.step(60)
        stage.notify("likes", count: 2)
        try stage.command("glow", index: 3)
        stage.step(60)
        let mark = stage.told.count
        stage.adapt(to: items(["news", "share", "home"]))
        #expect(stage.selected == .whole(0) && stage.view("page-news") != nil)
        #expect(stage.arrowLeft == 86 && stage.arrow?.cut == 0 && stage.phase == "moving")
        #expect(stage.field("items.0.glow") == .flag(false) && stage.counts["likes"] == 0)
        stage.step(24)
        #expect(abs(stage.arrowLeft - (320 / 6 - 10)) < 1e-9)
        #expect(
            stage.lines(since: mark) == [
                "select began 1→0 0.2 ease-in-out", "bubble-hide began 0.5 ease-in-out",
                "select ended 1→0 0.2 ease-in-out",
            ])
    }

    @Test func theArrowOnItsWayGoesOnFromWhereItIs() throws {
        var stage = tabsStage()
        try stage.tap(4)
        stage.step(10)
        let left = stage.arrowLeft
        stage.adapt(to: items(["home", "popular", "profile"]))
        #expect(abs(stage.arrowLeft - left) < 1e-9 && stage.arrow?.cut == 0)
        stage.step(14)
        #expect(stage.phase == "resting")
        #expect(abs(stage.arrowLeft - (320 / 3 * 2.5 - 10)) < 1e-9)
        #expect(
            stage.lines(since: 0) == [
                "select began 0→4 0.2 ease-in-out", "select ended 0→2 0.2 ease-in-out",
            ])
    }

    /// So near its end the arrow would leap.
    @Test func anArrowThatIsNearlyThereIsThereAnew() throws {
        var stage = tabsStage()
        try stage.tap(4)
        stage.step(22)
        let missing = 278 - stage.arrowLeft
        stage.adapt(to: items(["home", "profile"]))
        #expect(stage.arrow?.cut == 1 && abs(stage.arrowLeft - (230 - missing)) < 1e-9)
    }

    @Test(
        arguments: [
            (
                20,
                ["bubble-show cancelled 0.5 ease-in-out", "bubble-hide began", "bubble-hide ended"]
            ),
            (80, ["bubble-hide began", "bubble-hide ended"]),
        ])
    func aBubbleGoesWithItsItem(step: Int, told: [String]) throws {
        var stage = tabsStage()
        stage.notify("likes", count: 1)
        stage.step(step)
        let mark = stage.told.count
        stage.adapt(to: items(["home", "popular"]))
        #expect(stage.bubble == nil && stage.field("bubble") == .null)
        #expect(stage.lines(since: mark) == told && stage.machine.nextTimer == nil)
        stage.adapt(to: items(["home", "news"]))
        stage.notify("likes", count: 2)
        #expect(stage.bubble?.cut == 1)
    }

    @Test func aWiderBarIsCutAsAWhole() throws {
        var stage = tabsStage()
        stage.adapt(to: items(["home", "popular", "share", "news", "profile"]) { $0.width = 400 })
        for view in TabsStage.bar { #expect(stage.view(view)?.cut == 1, "\(view)") }
        #expect(stage.arrow?.cut == 1 && stage.arrowLeft == 30)
    }

    @Test func theSameSceneChangesNothing() throws {
        var stage = tabsStage()
        try stage.tap(2)
        stage.step(5)
        let before = stage.machine
        stage.adapt(to: TabsParameters.five)
        #expect(stage.machine == before && !stage.needsPublish)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverComesNothingJumps(seed: UInt64) throws {
        var storm = ChangeStorm(tabsStage(), try Tables.tabs().events, seed: seed)
        try storm.run(changes: 25, reach: 200) { random in
            var ids = ["home", "popular", "share", "news", "profile", "more", "new"]
            for _ in 0..<random.whole(in: 0...6) {
                ids.remove(at: random.whole(in: 0...ids.count - 1))
            }
            if random.whole(in: 0...1) == 0 { ids.reverse() }
            let numbers = (0..<6).map { _ in random.whole(in: 0...2) }
            let parameters = items(ids) {
                $0.width = [320, 320, 700][numbers[0]]
                $0.windowHeight = [568, 568, 900][numbers[1]]
                $0.height = [44, 44, 80][numbers[2]]
                $0.arrowDuration = [0.2, 1, 0][numbers[3]]
                $0.bubbleFade = [0.5, 0.5, 0][numbers[4]]
                $0.bubbleTimeout = [0, 0.3, 2][numbers[5]]
                let springs = (0..<2).map { _ in random.whole(in: 0...2) }
                $0.spring = [nil, nil, .bouncing][springs[0]]
                $0.bubbleSpring = [nil, .bouncing, .bouncing][springs[1]]
            }
            return (parameters, .phone)
        }
        #expect(storm.faults.isEmpty, "seed \(seed): \(storm.faults.prefix(3))")
        #expect(storm.cuts > 0 && storm.kept > 0)
    }
}
