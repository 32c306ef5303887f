import Notation
import Protocol
import Testing

/// The recordings of a button, of labels and of a panel, in the scene Examples/scenes/panel.toml.
@Suite struct ControlsTests {
    /// The bodies told on a topic of the recording's session.
    private func bodies(_ recording: String, _ topic: String) throws -> [Node] {
        try simulate(Files.example(recording)).filter { $0.topic == topic }
            .map { try Document.json(Array($0.dropFirst(topic.utf8.count + 1).utf8)) }
    }

    @Test func aButtonThatIsHeldGoesOnAndOneThatIsOffDoesNot() throws {
        let values = try bodies("button", "variables/alice").compactMap { $0["values"] }
        let levels = values.compactMap { $0["level"]?.int }
        #expect(levels == [50, 50, 50, 60, 70, 80, 90, 80, 70, 60, 50, 40, 30, 20, 30])
        let lit = values.compactMap { $0["lit"]?.bool }
        #expect(lit.prefix(3) == [false, true, false], "a finger that wanders off turns nothing")
        #expect(try bodies("button", "rejected/alice").isEmpty)
    }

    @Test func labelsFadeIntoAnotherLanguageAndIntoEachOther() throws {
        let states = try bodies("label", "state/alice/state")
        let texts = states.compactMap { $0["model"]?["text"]?.string }
        var changes: [String] = []
        for text in texts where text != changes.last { changes.append(text) }
        #expect(
            changes == [
                "The lamp is lit: false", "Die Lampe brennt: false", "Die Lampe brennt: true",
                "Die Lampe brennt: false", "Die Lampe brennt: true", "Die Lampe brennt: false",
                "Die Lampe brennt: true", "Rain at 073 %",
            ])
        let ends = try bodies("label", "transition/alice/state").compactMap { body in
            body["name"]?.string == "change" ? body["event"]?.string : nil
        }
        #expect(ends.count { $0 == "cancelled" } == 2 && ends.last == "ended")
        let alphas = states.compactMap { $0["views"]?["former"]?["alpha"]?.double }
        #expect(alphas.contains { $0 > 0.1 && $0 < 0.9 })
    }

    @Test func oneStrokeLeadsFromThePanelIntoItsListAndBack() throws {
        let sheet = try bodies("panel", "state/alice/sheet")
        let list = try bodies("panel", "state/alice/moods")
        let settles = try bodies("panel", "transition/alice/sheet")
        // The finger lifts where the panel begins to go back by itself.
        let lifted = try #require(settles.first { $0["to"]?.string == "low" }?["t"]?.double)
        func before(_ bodies: [Node], _ key: String) -> [Double] {
            bodies.filter { ($0["t"]?.double ?? 0) < lifted }
                .compactMap { $0["model"]?[key]?.double }
        }
        let (places, offsets) = (before(sheet, "position"), before(list, "offset"))
        #expect(places.min() == 120 && (places.last ?? 0) > 400)
        #expect((offsets.max() ?? 0) > 30 && offsets.last == 0)
        #expect(sheet.last?["model"]?["at"]?.string == "low")
        let values = try bodies("panel", "variables/alice").last?["values"]
        #expect(values?["lit"]?.bool == true && values?["level"]?.int == 90)
    }
}
