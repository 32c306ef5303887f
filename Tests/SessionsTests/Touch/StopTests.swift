import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// A contact that lands on something in motion stops it, and is no tap.
@Suite struct StopTests {
    private func selected(_ theater: Theater) -> Picture.Value? {
        theater.picture("list").fields["selected"]
    }

    private func offset(_ component: String, _ theater: Theater) -> Double {
        guard case .points(let offset) = theater.picture(component).fields["offset"] else {
            return .nan
        }
        return offset
    }

    /// Drags by `way` in five samples and lets go.
    private func flick(_ theater: inout Theater, from place: Vector, by way: Vector) {
        var finger = Finger(landing: place, on: &theater)
        finger.move(by: way / 5, samples: 5, &theater)
        finger.lift(&theater)
    }

    private func tap(_ theater: inout Theater, at place: Vector) {
        let finger = Finger(landing: place, on: &theater, pointer: 2)
        theater.step(7)
        finger.lift(&theater)
    }

    private func list() -> Theater {
        Theater(NestedScene().with("list", ListParameters(rows: 200)).scene)
    }

    /// Flung, and beyond its edge on the way back.
    @Test(arguments: [(Vector(160, 500), Vector(0, -160)), (Vector(160, 100), Vector(0, 120))])
    func aTapThatStopsAListSelectsNothing(from place: Vector, by way: Vector) {
        var theater = list()
        flick(&theater, from: place, by: way)
        theater.step(12)
        let before = offset("list", theater)
        tap(&theater, at: Vector(160, 200))
        #expect(before != 0 && selected(theater) == .null)
        if way.y < 0 { #expect(offset("list", theater) == before) }
        // The next one, at rest, is a tap.
        let steps = theater.stepsToRest()
        #expect(steps != nil)
        tap(&theater, at: Vector(160, 200))
        #expect(selected(theater) != .null)
    }

    /// On the component's own topic too.
    @Test func soOnTheComponentsTopic() {
        var theater = list()
        flick(&theater, from: Vector(160, 500), by: Vector(0, -160))
        theater.step(12)
        theater.pointer("list", .began, 2, 160, 200)
        theater.step(7)
        theater.pointer("list", .ended, 2, 160, 200)
        #expect(selected(theater) == .null)
    }

    /// A row that slides is no aim, and the others are.
    @Test(arguments: [(150.0, true), (360, false)])
    func aRowThatOpensIsNoAim(y: Double, isMoving: Bool) {
        var theater = list()
        flick(&theater, from: Vector(250, 150), by: Vector(-80, 0))
        #expect(theater.picture("list").phase == "opening")
        tap(&theater, at: Vector(160, y))
        #expect((selected(theater) == .null) == isMoving)
    }

    /// A drag that begins on moving content goes on as ever.
    @Test func itMayDragWhatItStopped() {
        var theater = list()
        flick(&theater, from: Vector(160, 500), by: Vector(0, -160))
        theater.step(12)
        let before = offset("list", theater)
        var finger = Finger(landing: Vector(160, 300), on: &theater, pointer: 2)
        finger.move(by: Vector(0, 10), samples: 5, &theater)
        #expect(abs(offset("list", theater) - (before - 40)) < 1e-9)
    }

    // MARK: What holds the list moves

    private func profile() -> Theater {
        var profile = ProfileParameters(viewport: .phone)
        profile.contentHeight = 6_000
        return Theater(
            NestedScene().with("profile", profile)
                .with(
                    "list", ListParameters(rows: 60), in: "profile/content",
                    frame: Rect(0, 300, 320, 5_000)
                ).scene)
    }

    @Test func aTapThatStopsWhatHoldsAListSelectsNothing() {
        var theater = profile()
        flick(&theater, from: Vector(160, 250), by: Vector(0, -160))
        theater.step(12)
        let before = offset("profile", theater)
        tap(&theater, at: Vector(160, 400))
        #expect(theater.hit?.hasPrefix("list/row") == true)
        #expect(before > 150 && offset("profile", theater) == before)
        #expect(selected(theater) == .null)
        tap(&theater, at: Vector(160, 400))
        #expect(selected(theater) != .null)
    }

    private func reader() -> Theater {
        Theater(
            NestedScene().with("reader", ReaderParameters(pages: .count(9), viewport: .phone))
                .scene)
    }

    /// A page that comes in stands still under a contact, and makes the rest of its way then.
    @Test func aContactStopsAPageThatComesIn() throws {
        var theater = reader()
        theater.command("reader", "next")
        theater.step(12)
        let before = try #require(theater.picture("reader").views["incoming"]?.center.y)
        let finger = Finger(landing: Vector(160, 20), on: &theater)
        theater.step(60)
        #expect(theater.picture("reader").views["incoming"]?.center.y == before)
        #expect(theater.picture("reader").phase == "paging")
        finger.lift(&theater)
        theater.step(6)
        let after = try #require(theater.picture("reader").views["incoming"]?.center.y)
        #expect(after < before && after > 284, "it does not jump: \(before), \(after)")
        let steps = theater.stepsToRest()
        #expect(steps != nil)
        #expect(theater.picture("reader").phase == "resting")
        #expect(theater.picture("reader").fields["index"] == .whole(1))
    }

    /// A contact that is lost lets the page go, too.
    @Test func aLostContactLetsAPageGo() {
        var theater = reader()
        theater.command("reader", "next")
        theater.step(12)
        _ = Finger(landing: Vector(160, 20), on: &theater)
        theater.step(Silence.stepsMax + 60)
        #expect(theater.picture("reader").fields["index"] == .whole(1))
    }
}
