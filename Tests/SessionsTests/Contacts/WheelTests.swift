import Geometry
import Gestures
import Interactions
import Notation
import TestSupport
import Testing

@testable import Sessions

/// Wheels in a session: what is refused, what is suppressed, and what raw contacts do meanwhile.
@Suite struct WheelTests {
    private func still() -> Theater {
        var theater = Theater(.phone())
        theater.step(400)
        theater.scroll(100)
        return theater
    }

    /// A list with a finger that drags its content.
    private func dragged() -> Theater {
        var theater = still()
        theater.pointer("list", .began, 1, 160, 300)
        theater.pointer("list", .changed, 1, 160, 270)
        theater.pointer("list", .changed, 1, 160, 260)
        return theater
    }

    /// An event without a phase is judged by itself, and remembered by nothing.
    @Test func aTurnThatIsRefusedSuppressesNothing() {
        var theater = dragged()
        for _ in 0..<3 {
            let turn = theater.wheel("list", 10)
            #expect(turn.code == .busy && turn.isReported)
        }
        theater.pointer("list", .cancelled, 1, 160, 260)
        #expect(theater.wheel("list", 10) == .applied)
    }

    @Test func theRestOfARefusedSeriesIsSuppressed() {
        var theater = dragged()
        #expect(theater.wheel("list", 0, .began).isReported)
        theater.pointer("list", .cancelled, 1, 160, 260)
        for phase in [Phase.changed, .ended] {
            let rest = theater.wheel("list", 10, phase)
            #expect(rest.code == .busy && !rest.isReported)
        }
        let after = theater.wheel("list", 10, .ended)
        #expect(after.code == .outOfOrder && after.isReported)
    }

    @Test(arguments: ["tips", "toss", "navigation", "tabs"])
    func otherKindsDoNotKnowIt(component: String) {
        var theater = still()
        #expect(theater.wheel(component, 10).code == .unknownGesture)
    }

    /// A wheel mutes no contact: one that drags goes on, and one that lies there may still drag.
    @Test(arguments: [nil, Phase.began])
    func contactsGoOn(phase: Phase?) {
        var theater = dragged()
        let before = theater.offset("list")
        #expect(theater.wheel("list", 10, phase).code == .busy)
        theater.pointer("list", .changed, 1, 160, 240)
        #expect(theater.offset("list") == before + 20)
        theater.step(20)
        theater.pointer("list", .ended, 1, 160, 240)

        theater.pointer("list", .began, 2, 160, 300)
        #expect(theater.wheel("list", 50, phase) == .applied)
        #expect(theater.offset("list") == before + 70)
        theater.pointer("list", .changed, 2, 160, 280)
        theater.pointer("list", .changed, 2, 160, 270)
        #expect(theater.offset("list") == before + 90 && theater.isScrolling)
        #expect(theater.wheel("list", 5, .changed).code == .outOfOrder)
    }

    /// The cancellation of a series moves nothing: its way would be that of what begins elsewhere.
    @Test func aCancellationMovesNothing() {
        let wheel = Wheel(delta: Vector(3, 40), location: Vector(1, 2), phase: .began)
        let end = Wheel(delta: .zero, location: Vector(1, 2), phase: .cancelled)
        #expect(Gesture.wheel(wheel).cancelled == .wheel(end))
        #expect(Gesture.wheel(Wheel(delta: Vector(0, 1))).cancelled == nil)
    }

    /// At the end of a series that nobody ended, what is to be stored is marked.
    @Test(arguments: [(nil, 18), (Phase.began, 360)])
    func theEndOfASeriesIsNoted(phase: Phase?, steps: Int) throws {
        var theater = still()
        let profile = try theater.session.index(of: "profile")
        _ = theater.session.takeDirtyParts()
        theater.wheel("profile", 10, phase)
        let first = theater.session.takeDirtyParts()
        #expect(first.contains(.component(profile)) == (phase == nil))
        theater.step(steps - 1)
        #expect(!theater.session.takeDirtyParts().contains(.component(profile)))
        theater.step()
        #expect(theater.session.takeDirtyParts().contains(.component(profile)))
    }
}

extension Theater {
    @discardableResult
    fileprivate mutating func wheel(
        _ component: String, _ dy: Double, _ phase: Phase? = nil
    ) -> Session.Reception {
        receive(.gesture(component: component, .wheel(Wheel(delta: Vector(0, dy), phase: phase))))
    }

    fileprivate func offset(_ component: String) -> Double {
        guard case .points(let offset) = picture(component).fields["offset"] else { return .nan }
        return offset
    }

    /// Whether a raw contact scrolls the list.
    fileprivate var isScrolling: Bool {
        picture("list").fields["recognizer"] == .text("scroll")
    }
}
