import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// Hits are searched in exact reverse of painting.
@Suite struct HitTests {
    @Test func theLastComponentIsInFront() {
        let theater = Theater(
            NestedScene().with("back", ListParameters(rows: 3), frame: Rect(0, 0, 200, 200))
                .with("front", ListParameters(rows: 3), frame: Rect(100, 100, 200, 200)).scene)
        #expect(theater.hit(at: 50, 50) == "back/row-0")
        #expect(theater.hit(at: 150, 150) == "front/row-0")
        #expect(theater.hit(at: 100, 100) == "front/row-0")
        #expect(theater.hit(at: 300, 150) == "nothing")
        #expect(theater.hit(at: 150, 299) == "front/row-2")
    }

    /// The edges on the left and at the top belong to a view.
    @Test func theFrameOfAListIsHitWhereItHasNoRow() {
        let theater = Theater(
            NestedScene().with("list", ListParameters(rows: 1), frame: Rect(10, 20, 100, 200))
                .scene)
        #expect(theater.hit(at: 10, 20) == "list/row-0")
        #expect(theater.hit(at: 10, 19) == "nothing" && theater.hit(at: 110, 30) == "nothing")
        #expect(theater.hit(at: 50, 150) == "list")
        #expect(theater.hit(at: 50, 220) == "nothing")
    }

    @Test func tipsAreModalUntilTheyAreDismissed() {
        var theater = Theater(
            NestedScene().with("list", ListParameters(rows: 20))
                .with("tips", TipsParameters.counting(1)).scene)
        theater.step(400)
        #expect(theater.hit(at: 160, 284) == "tips/tip")
        #expect(theater.hit(at: 2, 2) == "tips/backdrop")
        theater.command("tips", "dismiss")
        theater.step(60)
        #expect(theater.hit(at: 2, 2) == "list/row-0")
    }

    /// A sheet that leaves is out of the way long before its spring comes to its end.
    @Test func whatLiesBehindASheetThatLeavesIsHit() {
        var parameters = PanelParameters(viewport: .phone)
        parameters.size = Size(320, 268)
        parameters.anchors = [.init("closed", .points(568)), .init("open", .points(300))]
        parameters.start = "open"
        parameters.backdropAlpha = 0.4
        var theater = Theater(
            NestedScene().with("list", ListParameters(rows: 20)).with("sheet", parameters).scene)
        #expect(theater.hit(at: 160, 100) == "sheet/backdrop")
        let close = ComponentCommand("go", [.init("to", .init(.string("closed")))])
        #expect(theater.receive(.command(component: "sheet", close)) == .applied)
        var steps = 0
        while theater.hit(at: 160, 100) == "sheet/backdrop", steps < 600 {
            theater.step()
            steps += 1
        }
        let alpha = theater.picture("sheet").views["backdrop"]?.alpha ?? 0
        #expect((50..<60).contains(steps) && alpha > 0 && alpha < 0.01)
        theater.touch(.began, 160, 100)
        theater.step(7)
        theater.touch(.ended, 160, 100)
        #expect(theater.hit == "list/row-1" && theater.picture("sheet").phase == "settling")
        #expect(theater.picture("list").fields["selected"] != .null)
    }

    @Test func aRunningTransitionTakesEverything() {
        var theater = Theater(
            NestedScene().with("navigation", NavigationParameters(root: "home"))
                .with("list", ListParameters(rows: 20), in: "navigation/home").scene)
        #expect(theater.hit(at: 5, 5) == "list/row-0")
        let present = ComponentCommand(
            "present",
            [
                .init("screen", .init(.string("more"))),
                .init("transition", .init(.string("in-from-bottom"))),
            ])
        #expect(theater.receive(.command(component: "navigation", present)) == .applied)
        theater.step(2)
        #expect(theater.hit(at: 5, 5).hasPrefix("navigation"))
        theater.step(60)
        #expect(theater.hit(at: 5, 5) == "navigation/more")
    }

    @Test func anEmptyPageLetsTheHitThrough() {
        let theater = Theater(
            NestedScene().with("list", ListParameters(rows: 20))
                .with("tabs", TabsParameters.five).scene)
        #expect(theater.hit(at: 160, 100) == "list/row-1")
        #expect(theater.hit(at: 10, 560) == "tabs/item-home")
    }

    @Test func aPageThatHoldsSomethingIsHitBesideIt() {
        let theater = Theater(
            NestedScene().with("tabs", TabsParameters.five)
                .with("toss", TossParameters(viewport: .phone), in: "tabs/page-home").scene)
        #expect(theater.hit(at: 160, 223) == "toss/item")
        #expect(theater.hit(at: 5, 5) == "tabs/page-home")
    }

    /// A component in a slot turns and grows with the slot's view.
    @Test func aHitGoesThroughRotation() throws {
        var theater = Theater(
            NestedScene().with("toss", TossParameters(viewport: .phone))
                .with(
                    "list", ListParameters(rows: 20), in: "toss/item",
                    frame: Rect(0, 0, 254, 70)
                ).scene)
        #expect(theater.hit(at: 40, 140) == "list/row-0")
        theater.drag(from: Vector(280, 300), to: Vector(280, 420))
        let view = try #require(theater.picture("toss").views["item"])
        #expect(view.rotation.magnitude > 0.01)
        let (sine, cosine) = Angle.sineCosine(view.rotation)
        let inside = view.center + Vector(-120, -80).rotated(sine: sine, cosine: cosine)
        #expect(theater.hit(at: inside.x, inside.y) == "list/row-0")
        let below = view.center + Vector(-120, 0).rotated(sine: sine, cosine: cosine)
        #expect(theater.hit(at: below.x, below.y) == "toss/item")
    }

    @Test func whatIsClippedIsNotHit() {
        func theater(clips: Bool) -> Theater {
            Theater(
                NestedScene().with(
                    "profile", ProfileParameters(viewport: .phone), frame: Rect(0, 0, 100, 50),
                    clips: clips
                ).scene)
        }
        #expect(theater(clips: true).hit(at: 50, 60) == "nothing")
        #expect(theater(clips: false).hit(at: 50, 60) != "nothing")
    }
}
