import Geometry
import Gestures
import Interactions
import Sessions
import TestSupport
import Testing

/// At one step: timers first, then events in order of arrival, then physics.
@Suite struct OrderTests {
    private func thrown() -> Theater {
        var theater = Theater(.single("toss", .init(TossParameters(viewport: .phone))))
        theater.pan("toss", .began, 160, 223)
        theater.pan("toss", .ended, 160, 223, velocity: Vector(1_500, 0))
        theater.flush()
        return theater
    }

    private func item(_ theater: Theater) throws -> ViewState {
        try #require(theater.picture("toss").views["item"])
    }

    /// A finger that lands at the very step at which the flight ends catches the return.
    @Test func aTimerComesBeforeTheEventsOfItsStep() throws {
        var theater = thrown()
        theater.step(48)
        theater.pan("toss", .began, 500, 223)
        theater.flush()
        #expect(
            theater.told("transition/toss").map(\.line) == [
                "toss began 0.4", "toss ended 0.4", "return began 0.45 ease-in-out",
                "return cancelled 0.45 ease-in-out",
            ])
        #expect(theater.steps("transition/toss") == [0, 48, 48, 48])
        #expect(abs(try item(theater).center.x - 544.492) < 0.02)
    }

    /// The first step after an event moves its effect: 168.168 as in Box2D.
    @Test func physicsComeAfterTheEventsOfTheirStep() throws {
        var theater = thrown()
        #expect(try item(theater).center.x == 160)
        theater.step()
        #expect(abs(try item(theater).center.x - 168.168) < 0.001)
    }

    @Test func eventsComeInOrderOfArrival() {
        var theater = Theater(.single("tabs", .init(TabsParameters.five)))
        for index in [3, 1, 2] { theater.command("tabs", "select", index: index) }
        theater.flush()
        #expect(
            theater.told("transition/tabs").map(\.line) == [
                "select began 0→3 0.2 ease-in-out", "select cancelled 0→3 0.2 ease-in-out",
                "select began 3→1 0.2 ease-in-out", "select cancelled 3→1 0.2 ease-in-out",
                "select began 1→2 0.2 ease-in-out",
            ])
    }
}
