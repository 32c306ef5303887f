import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// A scroller that cannot follow leaves a drag and a wheel to one that holds it and can.
@Suite struct HandoverTests {
    private func offset(_ component: String, _ theater: Theater) -> Double {
        guard case .points(let offset) = theater.picture(component).fields["offset"] else {
            return .nan
        }
        return offset
    }

    /// A list in the content of a profile that stands at 300 of 2,432.
    private func theater(rows: Int, height: Double = 400, profileAt: Double = 300) -> Theater {
        var profile = ProfileParameters(viewport: .phone)
        profile.contentHeight = 3_000
        var theater = Theater(
            NestedScene().with("profile", profile)
                .with(
                    "list", ListParameters(rows: rows), in: "profile/content",
                    frame: Rect(0, 400, 320, height)
                ).scene)
        theater.scroll(profileAt)
        theater.step(2)
        return theater
    }

    private func drag(_ theater: inout Theater, by way: Double, from y: Double = 250) {
        var finger = Finger(landing: Vector(160, y), on: &theater)
        finger.move(by: Vector(0, way / 10), samples: 10, &theater)
        finger.stay(steps: 12, &theater)
        finger.lift(&theater)
        theater.step(60)
    }

    private func wheel(
        _ theater: inout Theater, _ way: Double, _ phase: Phase? = nil, momentum: Bool = false,
        across: Double = 0
    ) -> Session.Reception {
        theater.receive(
            .gesture(
                component: nil,
                .wheel(
                    Wheel(
                        delta: Vector(across, way), location: Vector(160, 250), phase: phase,
                        isMomentum: momentum))))
    }

    /// Rows are 70 points high: four fit, and both ways belong to the profile.
    @Test(arguments: [-150.0, 150])
    func aListThatFitsLeavesADragToTheProfile(way: Double) {
        var theater = theater(rows: 4)
        drag(&theater, by: way)
        #expect(offset("list", theater) == 0)
        #expect(abs(offset("profile", theater) - (300 - way * 14 / 15)) < 1e-9)
    }

    /// At its end in that direction only.
    @Test func aListAtItsEndLeavesTheWayBeyondIt() {
        var theater = theater(rows: 20)
        drag(&theater, by: 150)
        #expect(offset("list", theater) == 0)
        #expect(abs(offset("profile", theater) - 160) < 1e-9)
        drag(&theater, by: -150, from: 500)
        #expect(abs(offset("list", theater) - 140) < 1e-9)
        #expect(abs(offset("profile", theater) - 160) < 1e-9)
        for _ in 0..<6 { drag(&theater, by: -250, from: 500) }
        let end = offset("list", theater)
        #expect(end == 1_000)
        #expect(offset("profile", theater) > 160)
    }

    /// It is decided when the pan begins: a list that reaches its end keeps it.
    @Test func aDragThatComesToTheEndStays() {
        var theater = theater(rows: 20)
        drag(&theater, by: -60, from: 400)
        var finger = Finger(landing: Vector(160, 200), on: &theater)
        finger.move(by: Vector(0, 10), samples: 15, &theater)
        #expect(offset("list", theater) < 0, "it stretches its band")
        #expect(offset("profile", theater) == 300)
        finger.lift(&theater)
        theater.step(240)
        #expect(offset("list", theater) == 0 && offset("profile", theater) == 300)
    }

    /// Where none has room the innermost stretches its band, as alone.
    @Test func whereNoneCanFollowTheInnermostDoes() {
        var theater = theater(rows: 4, profileAt: 0)
        var finger = Finger(landing: Vector(160, 450), on: &theater)
        finger.move(by: Vector(0, 10), samples: 10, &theater)
        #expect(offset("list", theater) < 0 && offset("profile", theater) == 0)
    }

    /// The fling of a list ends at its edge, and its bounce: no momentum goes to the profile.
    @Test func noMomentumIsHandedOver() {
        var theater = theater(rows: 20)
        var finger = Finger(landing: Vector(160, 480), on: &theater)
        finger.move(by: Vector(0, -40), samples: 5, &theater)
        finger.lift(&theater)
        theater.step(600)
        #expect(offset("list", theater) > 200 && offset("profile", theater) == 300)
    }

    /// A reader pulls for a neighbour, and leaves what leads to none.
    @Test func aReaderLeavesAPullWhereNoPageIs() {
        func theater(start: Int) -> Theater {
            var profile = ProfileParameters(viewport: .phone)
            profile.contentHeight = 3_000
            var pages = ReaderParameters(pages: .count(3), viewport: .phone)
            pages.start = start
            var theater = Theater(
                NestedScene().with("profile", profile)
                    .with("reader", pages, in: "profile/content", frame: Rect(0, 400, 320, 568))
                    .scene)
            theater.scroll(300)
            theater.step(2)
            return theater
        }
        var middle = theater(start: 1)
        var finger = Finger(landing: Vector(160, 200), on: &middle)
        finger.move(by: Vector(0, 20), samples: 10, &middle)
        #expect(offset("reader", middle) < -50 && offset("profile", middle) == 300)
        var first = theater(start: 0)
        finger = Finger(landing: Vector(160, 200), on: &first)
        finger.move(by: Vector(0, 20), samples: 10, &first)
        #expect(offset("reader", first) == 0)
        #expect(abs(offset("profile", first) - 110) < 1e-9)
    }

    // MARK: Wheels

    @Test(arguments: [-50.0, 50])
    func aListThatFitsLeavesAWheelToTheProfile(way: Double) {
        var theater = theater(rows: 4)
        #expect(wheel(&theater, way) == .applied)
        #expect(offset("profile", theater) == 300 + way && offset("list", theater) == 0)
    }

    /// Each event for itself, and a series where it began.
    @Test func wheelsAreHandedOverEventByEvent() {
        var theater = theater(rows: 20)
        #expect(wheel(&theater, -50) == .applied)
        #expect(offset("profile", theater) == 250 && offset("list", theater) == 0)
        theater.step(Wheel.pauseSteps + 1)
        #expect(wheel(&theater, 50) == .applied)
        #expect(offset("profile", theater) == 250 && offset("list", theater) == 50)
        // The series goes on in the list, though it is at its end.
        for _ in 0..<4 {
            theater.step(6)
            #expect(wheel(&theater, -50) == .applied)
        }
        #expect(offset("profile", theater) == 250 && offset("list", theater) == 0)
        theater.step(Wheel.pauseSteps + 1)
        #expect(wheel(&theater, -50) == .applied)
        #expect(offset("profile", theater) == 200)
    }

    @Test func aSeriesWithPhasesStaysWhereItBegan() {
        var theater = theater(rows: 20)
        #expect(wheel(&theater, 30, .began) == .applied)
        for _ in 0..<3 {
            theater.step(2)
            #expect(wheel(&theater, -30, .changed) == .applied)
        }
        #expect(wheel(&theater, 0, .ended) == .applied)
        #expect(wheel(&theater, -30, .began, momentum: true) == .applied)
        theater.step(240)
        #expect(offset("profile", theater) == 300 && offset("list", theater) == 0)
    }

    /// As when fingers lie down on a pad before they move.
    @Test func theFirstWayOfASeriesDecides() {
        var theater = theater(rows: 20)
        #expect(wheel(&theater, 0, .began) == .applied)
        theater.step(2)
        #expect(wheel(&theater, 0, .changed, across: 3) == .applied)
        theater.step(2)
        #expect(wheel(&theater, -30, .changed) == .applied)
        #expect(wheel(&theater, -30, .changed) == .applied)
        #expect(wheel(&theater, 0, .ended) == .applied)
        #expect(offset("profile", theater) == 240 && offset("list", theater) == 0)
        // Without phases the same.
        theater.step(Wheel.pauseSteps + 1)
        #expect(wheel(&theater, 0, across: 9) == .applied)
        #expect(wheel(&theater, -30) == .applied)
        #expect(offset("profile", theater) == 210 && offset("list", theater) == 0)
    }
}
