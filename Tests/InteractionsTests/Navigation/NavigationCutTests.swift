import Geometry
import Gestures
import Interactions
import TestSupport
import Testing

@Suite struct NavigationCutTests {
    private func rest(_ stage: inout NavigationStage) {
        _ = stage.steps { $0.phase == "resting" }
    }

    @Test(arguments: NavigationStage.transitions)
    func aScreenThatLeftReturnsWithAnotherCut(transition: String) throws {
        var stage = try navigationStage()
        for round in 0..<3 {
            for (screen, other) in [("posts", "dashboard"), ("dashboard", "posts")] {
                try stage.present(screen, transition)
                let cuts = stage.picture.views.mapValues(\.cut)
                // The dashboard was there first: it leaves before it comes.
                let left = screen == "dashboard" ? round + 1 : round
                #expect(cuts == [screen: left, other: round], "round \(round)")
                rest(&stage)
                #expect(stage.picture.views.mapValues(\.cut) == [screen: left])
            }
        }
    }

    /// The screens come and go in the steps in which transitions end, and are never absent in a
    /// state that a client sees.
    @Test func aScreenIsCutThoughItIsBackAtOnce() throws {
        var stage = try navigationStage()
        try stage.present("posts", "in-via-scale")
        try stage.present("dashboard", "in-from-bottom")
        try stage.present("posts", "out-to-bottom")
        #expect(stage.view("dashboard")?.cut == 0)
        stage.step(36)
        #expect(stage.picture.views.mapValues(\.cut) == ["posts": 0, "dashboard": 1])
        stage.step(36)
        #expect(stage.picture.views.mapValues(\.cut) == ["posts": 1, "dashboard": 1])
    }

    @Test func aWayOfNoTimeIsACut() throws {
        var stage = try navigationStage(over: ["posts"]) {
            ($0.duration, $0.removalLead) = (0, 0)
        }
        #expect(stage.view("posts")?.cut == 0)
        try stage.present("dashboard", "out-to-bottom")
        rest(&stage)
        try stage.present("posts", "in-from-bottom")
        #expect(stage.view("posts")?.cut == 2)
    }
}
