import Codec
import Foundation
import Protocol
import Sessions
import Testing

/// Reactions that have a session become another scene: each row is the first scene's reactions, the
/// events, the scenes that are told one after the other, the values of a variable, and the codes of
/// what is refused. A scene that another one follows at once is not told.
@Suite struct SceneReactionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reactions: [String]
        let events: [String]
        let scenes: [String]
        var scores: [String] = []
        var codes: [String] = []

        init(
            _ name: String, _ reactions: [String], _ events: [String], _ scenes: [String],
            scores: [String] = ["0 0"], codes: [String] = []
        ) {
            testDescription = name
            self.reactions = reactions
            self.events = events
            self.scenes = scenes
            self.scores = scores
            self.codes = codes
        }
    }

    private static let update = #"{"session":"update","scene":"thanks"}"#
    private static let tapped = #"{"component":"one","transition":"tap"}"#
    private static let count = #"{"when":\#(tapped),"do":{"variable":"score","add":1}}"#
    private static let turned =
        #"{"when":\#(tapped),"do":{"component":"two","command":"turn","on":true}}"#

    /// The scene that follows the first one. It has one of its components, its variable, and a
    /// reaction that both have.
    private static let thanks = #"""
        {"name":"thanks","viewport":[400,300],"frame_rate":60,"variables":{"score":0},"components":[
        {"id":"points","kind":"label","text":"{score} points, thanks"},
        {"id":"one","kind":"button"}
        ],"reactions":[
        {"when":{"component":"one","transition":"tap"},"do":{"variable":"score","add":1}},
        {"when":{"notification":"back"},"do":{"session":"update","scene":"mirror"}},
        {"when":{"notification":"gone"},"do":{"session":"update","scene":"nowhere"}}
        ]}
        """#

    /// Two scenes of other viewports, each of which becomes the other when it is resized.
    private static func mirror(_ name: String, _ other: String, width: Int) -> String {
        #"{"name":"\#(name)","viewport":[\#(width),300],"components":[{"id":"b","kind":"button"}],"#
            + #""reactions":[{"when":{"session":"resized"},"#
            + #""do":{"session":"update","scene":"\#(other)"}}]}"#
    }

    static let rows: [Row] = [
        Row(
            "a tap leads to another scene", [#"{"when":\#(tapped),"do":\#(update)}"#],
            [tap(0, "one"), tap(50, "one")], ["thanks"], scores: ["0 0", "50 1"]),
        Row(
            "the actions before it come first, variables of both scenes stay",
            [#"{"when":\#(tapped),"do":[{"variable":"score","set":4},\#(update)]}"#],
            [tap(0, "one"), tap(50, "one")], ["thanks"], scores: ["0 4", "50 5"]),
        Row(
            "it waits, and the others do not",
            [
                #"{"when":\#(tapped),"do":[{"session":"update","scene":"thanks","after":0.1},"#
                    + #"{"variable":"score","add":10}]}"#
            ],
            [tap(0, "one"), tap(50, "one"), tap(500, "one")], ["first", "thanks"],
            scores: ["0 10", "50 20", "500 21"]),
        Row(
            "of those that happened with it, the ones of both scenes go on",
            [#"{"when":\#(tapped),"do":\#(update)}"#, turned, count],
            [tap(0, "one")], ["thanks"], scores: ["0 1"]),
        Row(
            "a scene that is not there is refused, and told",
            [#"{"when":\#(tapped),"do":\#(update)}"#],
            [tap(0, "one"), notify(50, #"{"kind":"gone"}"#), tap(100, "one")],
            ["thanks"], scores: ["0 0", "100 1"], codes: ["unknown-scene"]),
        Row(
            "scenes that become each other for ever stop, and it is told",
            [#"{"when":\#(tapped),"do":\#(update)}"#],
            [tap(0, "one"), notify(500, #"{"kind":"back"}"#)],
            ["thanks", "rorrim"], codes: ["reaction-limit"]),
    ]

    private static func scene(_ text: String) throws -> Scene {
        try SceneReader.scene(from: Document.json(Array(text.utf8)), fallbackName: nil)
    }

    @Test(arguments: rows, [30, 60, 120])
    func itBecomesAnotherScene(row: Row, rate: Int) throws {
        let first = appScene(reactions(row.reactions), variables: #"{"score":0}"#)
            .replacingOccurrences(of: #"{"viewport""#, with: #"{"name":"first","viewport""#)
            .replacingOccurrences(of: #""frame_rate":30"#, with: #""frame_rate":\#(rate)"#)
            .replacingOccurrences(of: #""text":"{score:03} points""#, with: #""text":"""#)
        let known = [
            "thanks": try Self.scene(Self.thanks),
            "mirror": try Self.scene(Self.mirror("mirror", "rorrim", width: 100)),
            "rorrim": try Self.scene(Self.mirror("rorrim", "mirror", width: 200)),
        ]
        let lines = try simulate(scene: first, row.events, until: 1_000, scenes: known)
        let told = lines.bodies("scene/s", from: #""scene":"#)
            .map { $0.split(separator: "\"")[2] }
        #expect(told.map(String.init) == row.scenes)
        #expect(lines.variables("score") == row.scores)
        #expect(lines.codes() == row.codes)
    }
}
