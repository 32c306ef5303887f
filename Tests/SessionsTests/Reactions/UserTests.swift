import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// `$user`: the person whose contact led to what a reaction waits for.
@Suite struct UserTests {
    /// Counts what happens by the person who did it.
    private static func counting(_ cause: Reaction.Cause) -> Reaction {
        Reaction(cause, "badges", "add", ["kind": .string("$user")])
    }

    private func counts(_ theater: Theater) -> [String] {
        theater.session.badges.counts.entries.map { "\($0.kind) \($0.count)" }.sorted()
    }

    @Test func aTapIsThePersonsWhoLanded() {
        var theater = Theater(reacting: Self.counting(.transition("toss", "tap")))
        theater.contact(.began, 160, 223, on: "toss", user: "anna")
        theater.step(3)
        // Its end names nobody, and need not.
        theater.contact(.ended, 160, 223, on: "toss")
        theater.step(3)
        #expect(counts(theater) == ["anna 1"])
        theater.contact(.began, 160, 223, on: "toss", user: "ben")
        theater.contact(.ended, 160, 223, on: "toss", user: "ben")
        theater.step()
        #expect(counts(theater) == ["anna 1", "ben 1"])
    }

    @Test func aPhaseIsThePersonsWhoseContactEntersIt() {
        var theater = Theater(reacting: Self.counting(.phase("toss", "dragging")))
        theater.contact(.began, 160, 223, on: "toss", user: "anna")
        theater.contact(.changed, 160, 243, on: "toss")
        theater.flush()
        #expect(theater.picture("toss").phase == "dragging")
        #expect(counts(theater) == ["anna 1"])
    }

    /// A gesture that a publisher recognized itself has no contact, and so nobody to name.
    @Test func itIsEmptyWhereNobodyIsKnown() {
        var theater = Theater(reacting: Self.counting(.phase("toss", "dragging")))
        theater.contact(.began, 160, 223, on: "toss", user: "anna", pointer: 2)
        theater.contact(.ended, 160, 223, on: "toss", user: "anna", pointer: 2)
        theater.pan("toss", .began, 160, 223)
        theater.flush()
        #expect(theater.picture("toss").phase == "dragging")
        #expect(counts(theater).isEmpty)
        #expect(theater.log.reports.map(\.rejection.code) == [.badValue])
    }

    /// Time alone brings it, and a contact rests on the button meanwhile.
    @Test func aLongPressIsThePersonsWhoRestsThere() {
        var scene = Scene.single("button", .init(ButtonParameters(viewport: .phone)))
        let cause = Reaction.TransitionCause(component: 0, name: "long-press", event: .began)
        scene.reactions = [Self.counting(.transition(cause))]
        for component in [nil, "button"] {
            var theater = Theater(scene)
            theater.flush()
            theater.contact(.began, 160, 284, on: component, user: "anna")
            theater.step(70)
            #expect(counts(theater) == ["anna 1"], "on \(component ?? "the session")")
        }
    }

    @Test func itIsKeptWhileAReactionWaits() {
        let order = Reaction(
            .transition("toss", "tap"), "badges", "add", ["kind": .string("$user")], after: 0.5)
        var theater = Theater(reacting: order)
        theater.contact(.began, 160, 223, on: "toss", user: "anna")
        theater.contact(.ended, 160, 223, on: "toss")
        theater.contact(.began, 10, 20, user: "ben")
        theater.step(70)
        #expect(counts(theater) == ["anna 1"])
    }
}

extension Theater {
    @discardableResult
    fileprivate mutating func contact(
        _ phase: Phase, _ x: Double, _ y: Double, on component: String? = nil,
        user: String? = nil, pointer: PointerNumber = 1
    ) -> Session.Reception {
        let sample = Pointer(phase: phase, pointer: pointer, location: Vector(x, y), user: user)
        return receive(.gesture(component: component, .pointer(sample)))
    }
}
