import Testing

/// Texts that name values, wherever they are told, and what happens when the values change.
@Suite struct TextRunTests {
    private static let scene = #"""
        {"viewport":[320,568],"language":"en","variables":{"score":7,"name":"Ann"},"components":[\#
        {"id":"points","kind":"label","frame":[0,0,320,40],"fade":0,\#
        "text":"{score:03} for {name}"},\#
        {"id":"hello","kind":"label","frame":[0,50,320,40],"fade":0.2,\#
        "text":{"de":"Hallo","en":"Hello {name}"}},\#
        {"id":"tips","kind":"tips","tips":[{"title":{"en":"One","de":"Eins"},\#
        "summary":"{count.n} new"}]},\#
        {"id":"box","kind":"button","content":{"text":"{{{score}}}","note":{"text":"{name}"}}},\#
        {"id":"dishes","kind":"list","frame":[0,100,320,300],"rows":[\#
        {"id":"a","content":{"text":"{name}'s soup"}},{"id":"b","content":{"text":"Bread"}}]}]}
        """#

    private static let events = [
        notify(0, #"{"kind":"n"}"#),
        event(100, "command/s", #"{"command":"assign","values":{"score":12.5,"name":"Bo"}}"#),
        event(500, "command/s", #"{"command":"assign","values":{"language":"de"}}"#),
        event(1_000, "command/s", #"{"command":"assign","values":{"language":"fr"}}"#),
    ]

    private static let lines = Result {
        try simulate(scene: scene, events, until: 2_000)
    }

    private func texts(_ topic: String, _ key: String) throws -> [String] {
        let lines = try Self.lines.get()
        var texts: [String] = []
        for line in lines where line.topic == topic {
            guard let range = line.firstRange(of: "\"\(key)\":\"") else { continue }
            let text = String(line[range.upperBound...].prefix { $0 != "\"" })
            if texts.last != text { texts.append(text) }
        }
        return texts
    }

    @Test func aLabelTellsItsTextWithTheValues() throws {
        #expect(try texts("state/s/points", "text") == ["007 for Ann", "12.5 for Bo"])
        #expect(
            try texts("state/s/hello", "text") == ["Hello Ann", "Hello Bo", "Hallo", "Hello Bo"])
        #expect(try texts("state/s/hello", "former_text") == ["Hello Ann", "Hello Bo", "Hallo"])
    }

    @Test func cardsTellTheirTexts() throws {
        #expect(try texts("state/s/tips", "title") == ["One", "Eins", "One"])
        #expect(try texts("state/s/tips", "summary") == ["1 new"])
    }

    @Test func theSceneIsToldAgainForContentThatNamesValues() throws {
        let scenes = try Self.lines.get().filter { $0.topic == "scene/s" }
        #expect(scenes.count == 4)
        #expect(scenes.first?.contains(#""text":"{7}","note":{"text":"Ann"}"#) == true)
        #expect(scenes.last?.contains(#""text":"{12.5}","note":{"text":"Bo"}"#) == true)
        #expect(scenes.allSatisfy { $0.contains(#""revision":1"#) })
        #expect(scenes[2].contains(#""title":"Eins""#))
    }

    @Test func rowsAreToldAgainWhereTheirTextsChange() throws {
        let rows = try Self.lines.get().filter { $0.topic == "rows/s/dishes" }
        #expect(rows.count == 2)
        #expect(rows[0].contains("Ann's soup") && rows[1].contains("Bo's soup"))
        // The count has changed before they are told first, and may stand in them.
        #expect(rows.compactMap { $0.number("version") } == [2, 3])
    }

    /// Thirty texts of 16 KB take as long to fill in as hundreds of actions do.
    @Test func longTextsEndACircleSooner() throws {
        let long = String(repeating: "x", count: 16_000)
        let labels = (0..<30).map { #"{"id":"l\#($0)","kind":"label","text":"{score}\#(long)"}"# }
        let scene =
            #"{"viewport":[320,568],"variables":{"score":0},"components":["#
            + labels.joined(separator: ",") + "]"
            + reactions([
                #"{"when":{"component":"l0","transition":"change"},"#
                    + #""do":{"variable":"score","add":1}}"#
            ]) + "}"
        let assign = event(0, "command/s", #"{"command":"assign","values":{"score":1}}"#)
        let lines = try simulate(scene: scene, [assign], until: 500)
        #expect(lines.variables("score") == ["0 3"] && lines.codes() == ["reaction-limit"])
    }
}
