import Geometry
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

/// All cards that `present` brought to a session have one bound.
@Suite struct PresentedCardsTests {
    private static func present(_ count: Int, _ component: String) -> Event.Payload {
        let cards = Array(repeating: Node(.object([])), count: count)
        return .command(
            component: component,
            ComponentCommand("present", [.init("tips", Node(.array(cards)))]))
    }

    private func theater() -> Theater {
        let names = ["one", "two"]
        return Theater(
            Scene(
                name: nil, viewport: .phone, seed: 1,
                components: names.map { name in
                    var tips = TipsParameters(viewport: .phone)
                    tips.presented = false
                    return Scene.Component(id: name, parameters: .init(tips), filling: .phone)
                }))
    }

    private func code(_ reception: Session.Reception) -> RejectionCode? {
        if case .refused(let rejection) = reception { rejection.code } else { nil }
    }

    /// A card with the texts that it has by default takes 82 bytes, so 1,024 take 83,968.
    @Test func oneComponentMayHaveTheMost() {
        var theater = theater()
        #expect(theater.receive(Self.present(1_024, "one")) == .applied)
        #expect(code(theater.receive(Self.present(1_024, "two"))) == .badValue)
        #expect(theater.receive(Self.present(574, "two")) == .applied)
        #expect(code(theater.receive(Self.present(575, "two"))) == .badValue)
        // Other cards take the place of those that it has.
        #expect(theater.receive(Self.present(1, "one")) == .applied)
        #expect(theater.receive(Self.present(1_024, "two")) == .applied)
    }

    @Test func dismissedCardsLeaveTheirRoom() {
        var theater = theater()
        #expect(theater.receive(Self.present(1_024, "one")) == .applied)
        theater.command("one", "dismiss")
        theater.step(240)
        #expect(theater.receive(Self.present(1_024, "two")) == .applied)
    }
}
