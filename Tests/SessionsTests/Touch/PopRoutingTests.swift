import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// Contacts at the left edge of a navigation that holds a list: who gets them.
@Suite struct PopRoutingTests {
    /// A list in the screen `more` above the root, in a frame at (20, 100) of 280×400.
    private func theater(above isAbove: Bool = true) -> Theater {
        var theater = Theater(
            NestedScene().with(
                "navigation", NavigationParameters(root: "home"), frame: Rect(20, 100, 280, 400)
            )
            .with("list", ListParameters(rows: 20), in: "navigation/more")
            .with("rows", ListParameters(rows: 20), in: "navigation/home").scene)
        if isAbove {
            theater.receive(.command(component: "navigation", present))
            theater.step(40)
        }
        return theater
    }

    private var present: ComponentCommand {
        ComponentCommand(
            "present",
            [
                .init("screen", .init(.string("more"))),
                .init("transition", .init(.string("in-from-right"))),
            ])
    }

    private func phase(_ component: String, _ theater: Theater) -> String {
        theater.picture(component).phase
    }

    /// How far the screen is drawn off its place.
    private func way(_ theater: Theater) -> Double? {
        theater.picture("navigation").views["more"].map { $0.center.x - 140 }
    }

    private func stack(_ theater: Theater) -> Picture.Value? {
        theater.picture("navigation").fields["stack"]
    }

    @Test func aPanFromTheEdgePops() throws {
        var theater = theater()
        // The navigation's edge, whose frame begins at 20.
        theater.drag(from: Vector(39, 300), to: Vector(239, 300))
        #expect(theater.hit == "list/row-2")
        let found = try #require(way(theater))
        // 200 points without the slop.
        #expect(abs(found - 190) < 1e-9 && phase("navigation", theater) == "transitioning")
        #expect(theater.picture("navigation").views["home"] != nil, "both screens are there")
        #expect(theater.picture("navigation").fields["recognizer"] == .text("pan"))
        #expect(phase("list", theater) == "closed")
        #expect(theater.picture("list").fields["recognizer"] == nil)
        theater.touch(.ended, 239, 300)
        theater.step(60)
        #expect(stack(theater) == .texts(["home"]) && phase("navigation", theater) == "resting")
        #expect(phase("list", theater) == "closed")
    }

    @Test func elsewhereTheListHasIt() {
        for x in [40.0, 200] {
            var theater = theater()
            theater.drag(from: Vector(x, 300), to: Vector(x + 70, 300))
            #expect(phase("navigation", theater) == "resting")
            theater.touch(.ended, x + 70, 300)
            #expect(phase("list", theater) == "opening", "at \(x)")
        }
    }

    /// Up and down the list scrolls, also at the edge.
    @Test func aVerticalStrokeAtTheEdgeScrolls() {
        var theater = theater()
        theater.drag(from: Vector(25, 400), to: Vector(30, 300))
        #expect(theater.picture("list").fields["recognizer"] == .text("scroll"))
        #expect(phase("navigation", theater) == "resting")
    }

    @Test func atTheRootTheListHasTheEdgeToo() {
        var theater = theater(above: false)
        theater.drag(from: Vector(25, 300), to: Vector(95, 300))
        theater.touch(.ended, 95, 300)
        #expect(phase("navigation", theater) == "resting")
        #expect(phase("rows", theater) == "opening")
    }

    @Test func aContactAnywhereCatchesTheFlyingScreen() throws {
        var theater = theater()
        theater.drag(from: Vector(25, 300), to: Vector(165, 300))
        theater.touch(.ended, 165, 300)
        theater.step(3)
        theater.touch(.began, 250, 450)
        let caught = try #require(way(theater))
        theater.step(20)
        #expect(way(theater) == caught, "the finger holds it")
        for x in stride(from: 246.0, through: 50, by: -4) {
            theater.step()
            theater.touch(.changed, x, 450)
        }
        #expect(way(theater) == max(0, caught - 190))
        theater.touch(.ended, 50, 450)
        theater.step(60)
        #expect(stack(theater) == .texts(["home", "more"]))
    }

    @Test func aRecognisedPanPopsToo() {
        var theater = theater()
        func pan(_ phase: Phase, _ x: Double) -> Session.Reception {
            theater.receive(
                .gesture(component: nil, .pan(Pan(phase: phase, location: Vector(x, 300)))))
        }
        #expect(pan(.began, 30) == .applied)
        theater.step(4)
        #expect(pan(.changed, 230) == .applied && way(theater) == 200)
        theater.step(30)
        #expect(pan(.ended, 230) == .applied)
        theater.step(60)
        #expect(stack(theater) == .texts(["home"]))
        #expect(pan(.began, 30).code == .badValue)
    }

    @Test func rawContactsOnTheComponentPopToo() {
        var theater = theater()
        theater.pointer("navigation", .began, 7, 5, 200)
        for x in stride(from: 9.0, through: 215, by: 4) {
            theater.step()
            #expect(theater.pointer("navigation", .changed, 7, x, 200) == .applied)
        }
        #expect(abs((way(theater) ?? 0) - 198) < 1e-9, "without the slop")
        theater.pointer("navigation", .ended, 7, 213, 200)
        theater.step(60)
        #expect(stack(theater) == .texts(["home"]))
    }
}
