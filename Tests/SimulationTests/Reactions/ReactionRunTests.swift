import Foundation
import Testing

/// The behaviour of scenes with reactions in time: each row is a scene's reactions, the events, and
/// the values that a variable takes, with the milliseconds of the step at which it does.
@Suite struct ReactionRunTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reactions: [String]
        let events: [String]
        var variable = "score"
        let values: [String]
        var codes: [String] = []

        init(
            _ name: String, _ reactions: [String], _ events: [String], variable: String = "score",
            _ values: [String], codes: [String] = []
        ) {
            testDescription = name
            self.reactions = reactions
            self.events = events
            self.variable = variable
            self.values = values
            self.codes = codes
        }
    }

    private static let count = #""do":{"variable":"score","add":1}"#
    /// A finger that lands, and lifts at another time, and a notification later.
    private static func rest(_ t: Double, until end: Double, x: Double, y: Double) -> [String] {
        [(t, "began"), (end, "ended")].map { t, phase in
            event(
                t, "gesture/s",
                #"{"gesture":"pointer","phase":"\#(phase)","pointer":1,"x":\#(x),"y":\#(y)}"#)
        } + [notify(2_000, #"{"kind":"n"}"#)]
    }

    private static let tapped = #"{"component":"one","transition":"tap"}"#

    static let rows: [Row] = [
        Row(
            "a tap counts", [#"{"when":\#(tapped),\#(count)}"#], [tap(0, "one"), tap(100, "one")],
            ["0 1", "100 2"]),
        Row(
            "any of a list of causes",
            [#"{"when":[\#(tapped),{"notification":"n"},{"badge":"n","above":1}],\#(count)}"#],
            [tap(0, "one"), notify(50, #"{"kind":"n"}"#), notify(100, #"{"kind":"n","add":5}"#)],
            ["0 1", "50 2", "100 3"]),
        Row(
            "a list of actions, in order",
            [
                #"{"when":\#(tapped),"do":[{"variable":"score","set":10},"#
                    + #"{"variable":"score","add":-3},"#
                    + #"{"component":"badges","command":"add","kind":"k","count":4}]}"#,
                #"{"when":{"badge":"k","above":3},"do":{"variable":"score","add":0.5}}"#,
            ],
            [tap(0, "one")], ["0 7.5"]),
        Row(
            "conditions are looked at when its turn comes",
            [
                #"{"when":\#(tapped),"if":{"variable":"score","below":2},\#(count)}"#,
                #"{"when":\#(tapped),"if":{"variable":"score","is":2},"#
                    + #""do":{"variable":"score","set":9}}"#,
            ],
            [tap(0, "one"), tap(100, "one"), tap(200, "one")], ["0 1", "100 9"]),
        Row(
            "all conditions, and not",
            [
                #"{"when":\#(tapped),"if":[{"badge":"n","above":0},"#
                    + #"{"not":{"component":"tips","phase":"dismissed"}}],\#(count)}"#
            ],
            [
                tap(0, "one"), notify(10, #"{"kind":"n"}"#), tap(20, "one"),
                event(30, "command/s/tips", #"{"command":"present"}"#), tap(1_000, "one"),
            ],
            ["0 0", "1000 1"]),
        Row(
            "below is passed downwards, also by a clear",
            [#"{"when":{"badge":"n","below":2},\#(count)}"#],
            [
                notify(0, #"{"kind":"n","set":5}"#), notify(10, #"{"kind":"n","set":1}"#),
                notify(20, #"{"kind":"n","set":3}"#),
                event(30, "command/s/badges", #"{"command":"clear"}"#),
                notify(40, #"{"kind":"n"}"#),
            ],
            ["0 0", "8 1", "25 2"]),
        Row(
            "a variable that changes and is so",
            [
                #"{"when":\#(tapped),"do":{"variable":"score","add":1}}"#,
                #"{"when":{"variable":"score","above":1},"#
                    + #""do":{"component":"badges","command":"add","kind":"seen"}}"#,
                #"{"when":{"badge":"seen","above":1},"do":{"variable":"name","set":"three"}}"#,
            ],
            [tap(0, "one"), tap(50, "one"), tap(100, "one")], variable: "name",
            ["0 \"\"", "50 \"\"", "100 \"three\""]),
        Row(
            "the value of a toggle",
            [
                #"{"when":{"component":"two","transition":"tap"},"#
                    + #""do":{"variable":"open","set":"$on"}}"#
            ],
            [tap(0, "two"), tap(100, "two")], variable: "open", ["0 true", "100 false"]),
        Row(
            "data, deep and in a text",
            [
                #"{"when":{"notification":"n"},"#
                    + #""do":[{"variable":"score","set":"$data.order.number"},"#
                    + #"{"variable":"name","set":"No $data.order.number for $data.who."}]}"#
            ],
            [notify(0, #"{"kind":"n","data":{"order":{"number":17},"who":"Ann"}}"#)],
            variable: "name", ["0 \"No 17 for Ann.\""]),
        Row(
            "after of a reaction begins anew, after of an action does not stop the others",
            [
                #"{"when":\#(tapped),"after":0.1,\#(count)}"#,
                #"{"when":{"notification":"n"},"do":[{"variable":"score","add":10,"after":0.1},"#
                    + #"{"variable":"score","add":100}]}"#,
            ],
            [tap(0, "one"), tap(50, "one"), notify(500, #"{"kind":"n"}"#)],
            ["0 0", "150 1", "500 101", "600 111"]),
        Row(
            "cancel ends the waits of a name",
            [
                #"{"id":"later","when":\#(tapped),"after":0.2,\#(count)}"#,
                #"{"id":"later","when":\#(tapped),"do":{"variable":"score","add":5,"after":0.3}}"#,
                #"{"when":{"component":"two","transition":"tap"},"do":{"cancel":"later"}}"#,
            ],
            [tap(0, "one"), tap(100, "two"), tap(500, "one")], ["0 0", "700 1", "800 6"]),
        Row(
            "idle comes once, and again after a touch; commands and notifications are none",
            [#"{"when":{"idle":0.5},\#(count)}"#],
            [notify(0, #"{"kind":"n"}"#), tap(400, "one")] + touch(1_000) + [
                notify(3_000, #"{"kind":"n"}"#)
            ],
            ["0 0", "500 1", "1533 2"]),
        Row(
            "idle does not come while a finger rests",
            [#"{"when":{"idle":0.3},\#(count)}"#],
            [
                event(
                    0, "gesture/s",
                    #"{"gesture":"pointer","phase":"began","pointer":1,"x":50,"y":80}"#),
                event(
                    250, "gesture/s",
                    #"{"gesture":"pointer","phase":"changed","pointer":1,"x":50,"y":80}"#),
                event(
                    500, "gesture/s",
                    #"{"gesture":"pointer","phase":"ended","pointer":1,"x":50,"y":80}"#),
                notify(1_000, #"{"kind":"n"}"#),
            ],
            ["0 0", "800 1"]),
        Row(
            "idle does not come while a finger rests on a button and tells nothing",
            [#"{"when":{"idle":0.3},\#(count)}"#], rest(0, until: 700, x: 50, y: 80),
            ["0 0", "1000 1"]),
        Row(
            "nor while it rests where nothing lies",
            [#"{"when":{"idle":0.3},\#(count)}"#], rest(0, until: 700, x: 300, y: 500),
            ["0 0", "1000 1"]),
        Row(
            "every comes again and again, from the opening on",
            [#"{"when":{"every":0.25},\#(count)}"#],
            [notify(0, #"{"kind":"n"}"#), notify(1_000, #"{"kind":"n"}"#)],
            [
                "0 0", "250 1", "500 2", "750 3", "1000 4", "1250 5", "1500 6", "1750 7", "2000 8",
                "2250 9", "2500 10",
            ]),
        Row(
            "a circle of variables stops, and is told",
            [#"{"when":{"variable":"score"},\#(count)}"#],
            [event(0, "command/s", #"{"command":"assign","values":{"score":1}}"#)],
            ["0 33"], codes: ["reaction-limit"]),
        Row(
            "a circle through a text stops, and is told",
            [#"{"when":{"component":"points","transition":"change"},\#(count)}"#],
            [event(0, "command/s", #"{"command":"assign","values":{"score":1}}"#)],
            ["0 33"], codes: ["reaction-limit"]),
        Row(
            "a text changes once, however many actions change what it names",
            [
                #"{"when":\#(tapped),"do":[{"variable":"score","add":1},"#
                    + #"{"variable":"score","add":1},{"variable":"score","add":1}]}"#,
                #"{"when":{"component":"points","transition":"change"},"#
                    + #""do":{"component":"badges","command":"add","kind":"n"}}"#,
                #"{"when":{"badge":"n","above":1},"do":{"variable":"score","set":0}}"#,
            ],
            [tap(0, "one")], ["0 3"]),
        Row(
            "a value of another type is refused, and told",
            [#"{"when":{"notification":"n"},"do":{"variable":"score","set":"$data.x"}}"#],
            [notify(0, #"{"kind":"n","data":{"x":"text"}}"#), notify(50, #"{"kind":"n"}"#)],
            ["0 0"], codes: ["bad-value", "bad-value"]),
        Row(
            "assign takes all or nothing",
            [],
            [
                event(0, "command/s", #"{"command":"assign","values":{"score":4,"name":"x"}}"#),
                event(50, "command/s", #"{"command":"assign","values":{"score":5,"name":7}}"#),
                event(60, "command/s", #"{"command":"assign","values":{"scor":5}}"#),
                event(70, "command/s", #"{"command":"assign","values":{"score":4}}"#),
            ],
            ["0 4"], codes: ["bad-value", "bad-value"]),
    ]

    @Test(arguments: rows, [30, 60, 120])
    func itHappensInTime(row: Row, rate: Int) throws {
        let scene = appScene(reactions(row.reactions))
        let ofRate = scene.replacingOccurrences(
            of: #""frame_rate":30"#, with: #""frame_rate":\#(rate)"#)
        let lines = try simulate(scene: ofRate, row.events, until: 2_500)
        #expect(lines.variables(row.variable) == row.values)
        #expect(lines.codes() == row.codes)
    }
}
