import Testing

/// Conditions that look at a row or an item of a component.
@Suite struct PartConditionTests {
    private func values(_ condition: String, _ events: [String]) throws -> [String] {
        let scene = #"""
            {"viewport":[320,568],"variables":{"score":0},"components":[\#
            {"id":"one","kind":"button","frame":[0,0,100,40]},\#
            {"id":"tabs","kind":"tabs","items":[{"id":"a"},{"id":"b"}]},\#
            {"id":"list","kind":"list","frame":[0,50,320,300],\#
            "rows":[{"id":"soup"},{"id":"bread"}]}],\#
            "reactions":[{"when":{"component":"one","transition":"tap"},"if":\#(condition),\#
            "do":{"variable":"score","add":1}}]}
            """#
        return try simulate(scene: scene, events, until: 2_000).variables("score")
    }

    private static let select = event(0, "command/s/list", #"{"command":"select","item":"bread"}"#)
    private static let swipe = event(
        0, "gesture/s/list", #"{"gesture":"swipe","direction":"left","row":1}"#)

    @Test(arguments: [
        (#"{"component":"list","row":1,"selected":true}"#, select, true),
        (#"{"component":"list","row":0,"selected":true}"#, select, false),
        (#"{"component":"list","item":"bread","selected":true}"#, select, true),
        (#"{"component":"list","item":"bread","selected":false}"#, select, false),
        (#"{"not":{"component":"list","item":"soup","selected":true}}"#, select, true),
        (#"{"component":"list","row":1,"open":true}"#, swipe, true),
        (#"{"component":"list","item":"soup","open":true}"#, swipe, false),
        (#"{"component":"tabs","item":"a","selected":true}"#, select, true),
        (#"{"component":"tabs","item":"b","selected":true}"#, select, false),
        (#"{"component":"list","phase":"open"}"#, swipe, true),
    ])
    func aConditionLooksAtAPart(condition: String, first: String, holds: Bool) throws {
        let values = try values(condition, [first, tap(1_000, "one")])
        #expect(values == (holds ? ["0 0", "1000 1"] : ["0 0"]))
    }
}
