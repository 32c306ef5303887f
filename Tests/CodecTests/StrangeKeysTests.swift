import Notation
import Protocol
import Sessions
import Testing

@testable import Codec
@testable import Scenes

/// Scenes with many keys that nobody knows: each that is told is compared with known ones.
@Suite struct StrangeKeysTests {
    /// Places in a reaction where a table may stand.
    enum Place: CaseIterable { case reaction, when, deed, values }

    private static let count = 500

    private func scene(strangersIn place: Place) -> String {
        let strangers = (0..<Self.count).map { ",\"k\($0)\":0" }.joined()
        func those(of one: Place) -> String { one == place ? strangers : "" }
        let deed =
            place == .values
            ? #""set","values":{"friction":0.5\#(strangers)}"# : #""reset"\#(those(of: .deed))"#
        let reaction = """
            {"when":{"notification":"k"\(those(of: .when))},
            "do":{"component":"t","command":\(deed)}\(those(of: .reaction))}
            """
        return """
            {"viewport":[320,568],"components":[{"id":"t","kind":"toss"}],
            "reactions":[\(reaction),\(reaction)]}
            """
    }

    @Test(arguments: Place.allCases)
    func whereOneErrorIsToldNoOtherIsMade(place: Place) throws {
        let node = try Document.json(Array(scene(strangersIn: place).utf8))
        let components = try SceneTable.read(node.without("reactions"), fallbackName: nil)
            .components
        let reactions = try #require(node["reactions"]?.array)
        var reader = ReactionReader(reactions, components, [], isStrict: true, faultsMax: 1)
        #expect(reader.read(reactions) == [nil, nil])
        #expect(reader.faults.count == 1)
        #expect(reader.faults[0].message.contains("\"k0\""))
    }

    @Test(arguments: Place.allCases)
    func aCheckTellsAHundred(place: Place) throws {
        let text = Array(scene(strangersIn: place).utf8)
        let node = try Document.json(text)
        let reactions = try #require(node["reactions"]?.array)
        let faults = SceneTable.faults(
            of: reactions, in: node.without("reactions"), gone: [], countMax: 100)
        #expect(faults.count == 100)
        let told = SceneFaults.found(in: text, file: "s.json").map(\.description)
        #expect(told.count == 100)
        for (number, error) in told.enumerated() { #expect(error.contains("\"k\(number)\"")) }
    }

    /// A name of any length is looked at up to its first letters.
    @Test func aLongNameTakesNoLongerThanAShortOne() {
        let known = (0..<Limits.namesRankedMax).map { "name-of-a-component-\($0)" }
        func time(letters: Int) -> Duration {
            let stranger = String(repeating: "name-of-a-component-", count: letters / 20)
            return (0..<7).reduce(.seconds(60)) { shortest, _ in
                min(
                    shortest,
                    ContinuousClock().measure {
                        _ = listedNames(nearestTo: stranger, among: known)
                    })
            }
        }
        #expect(time(letters: 1_000_000) < time(letters: 100) * 8)
    }
}
