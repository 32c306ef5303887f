import Foundation
import Notation
import Protocol
import Recordings
import Testing

private let header = #"{"gesture-recording":1,"scene":"phone","seed":7}"#

private func recording(_ lines: String...) throws(RecordingError) -> Recording {
    try Recording(parsing: Array(lines.joined(separator: "\n").utf8), file: "r.jsonl")
}

@Suite struct RecordingTests {
    @Test func aRecordingIsReadWhole() throws {
        let read = try recording(
            header,
            #"{"t":0,"caption":"It begins"}"#,
            #"{"t":0,"topic":"command/alice","body":{"command":"open"}}"#,
            "",
            #"{"t":12.5,"step":3,"topic":"gesture/alice/toss","body":{"x":1.25,"n":[1,null]}}"#,
            #"{"t":12.5,"topic":"notification/alice","body":"odd","caption":"A note","own":1}"#,
            #"{"t":90,"caption":"It ends"}"#, "")
        #expect(read.scene?.string == "phone")
        #expect(read.seed == 7)
        #expect(
            read.events == [
                Recording.Event(
                    time: 0, topic: Array("command/alice".utf8),
                    body: Array(#"{"command":"open"}"#.utf8), line: 3),
                Recording.Event(
                    time: 12.5, step: 3, topic: Array("gesture/alice/toss".utf8),
                    body: Array(#"{"x":1.25,"n":[1,null]}"#.utf8), line: 5),
                Recording.Event(
                    time: 12.5, topic: Array("notification/alice".utf8),
                    body: Array(#""odd""#.utf8), line: 6),
            ])
        #expect(read.captions.map(\.text) == ["It begins", "A note", "It ends"])
        #expect(read.captions.map(\.time) == [0, 12.5, 90])
        #expect(read.captions.map(\.eventsBefore) == [0, 2, 3])
    }

    /// Each session once, in order, without those that open themselves and without bad topics.
    @Test func theHeadersSceneIsForSessionsThatDoNotOpenThemselves() throws {
        let events = [
            ("gesture/b/x", "{}"), ("command/c", #"{"command":"open"}"#), ("notification/a", "{}"),
            ("gesture/c/x", "{}"), ("gesture/b/y", "{}"), ("command/a", #"{"command":"close"}"#),
            ("gesture/ /x", "{}"), ("nonsense", ""), ("command/d/tabs", #"{"command":"open"}"#),
            ("command/d", "{}"), ("command/e", #"{"command":"close"}"#), ("gesture/e/x", "{}"),
            ("command/f", #"{"command":"resize"}"#), ("command/g", "nonsense"),
        ].map { topic, body in
            Recording.Event(time: 0, topic: Array(topic.utf8), body: Array(body.utf8), line: 1)
        }
        let recording = Recording(events: events)
        #expect(recording.sessionsToOpen == ["b", "a", "d", "f", "g"])
        #expect(recording.sessionsOpenedUnasked == ["b", "a", "d", "e", "f", "g"])
    }

    /// Where an event cannot hold a session's scene, or nobody knows it.
    @Test func aLineGivesTheSceneOfASessionOrSaysThatItIsMissing() throws {
        let lines = [
            header,
            #"{"t":0,"caption":"x"}"#,
            #"{"t":1,"step":2,"session":"a","scene":{"viewport":[3,4]},"replace":true}"#,
            #"{"t":1,"session":"b","scene":"phone"}"#,
            #"{"t":2,"session":"c","scene":null}"#,
            #"{"t":2.5,"caption":"y","session":"own"}"#,
            #"{"t":3,"topic":"notification/c","body":{},"session":"own"}"#,
        ]
        let text = Array(lines.joined(separator: "\n").utf8)
        let read = try Recording(parsing: text, file: "r.jsonl")
        #expect(
            read.events == [
                Recording.Event(
                    time: 1, step: 2, topic: Array("command/a".utf8),
                    body: Array(
                        #"{"command":"open","scene":{"viewport":[3,4]},"replace":true}"#.utf8),
                    line: 3, isRequest: true),
                Recording.Event(
                    time: 1, topic: Array("command/b".utf8),
                    body: Array(#"{"command":"open","scene":"phone"}"#.utf8), line: 4,
                    isRequest: true),
                Recording.Event(
                    time: 3, topic: Array("notification/c".utf8), body: Array("{}".utf8),
                    line: 7),
            ])
        #expect(read.missingScenes.map(\.session) == ["c"])
        #expect(read.missingScenes.map(\.line) == [5])
        #expect(read.missingScenes.map(\.eventsBefore) == [2])
        #expect(read.captions.map(\.text) == ["x", "y"])
        #expect(read.sessionsToOpen == ["c"])
        let moved = read.moved(to: "z")
        #expect(moved.events[0].topic == Array("command/z".utf8))
        #expect(moved.missingScenes.map(\.session) == ["z"])
        // Written, the members that nobody reads are gone.
        let written = try Recording(parsing: read.text(), file: "r.jsonl")
        #expect(written == read)
        let notes = try Reading(text, file: "r.jsonl").notes
        #expect(
            notes == [
                "r.jsonl:5: the scene of session c is missing: it is played in another one; "
                    + "--scene SCENE|FILE names one"
            ])
        var options = ReadingOptions()
        options.scene = Node(.string("dock"))
        #expect(try Reading(text, file: "r.jsonl", options: options).notes.isEmpty)
    }

    @Test func aHeaderMayStandAlone() throws {
        let read = try Recording(
            parsing: [0xEF, 0xBB, 0xBF] + Array("{\"gesture-recording\":1}\r\n".utf8), file: "r")
        #expect(read == Recording(events: []))
        let inline = try recording(#"{"gesture-recording":1,"scene":{"viewport":[3,4]}}"#)
        #expect(inline.scene?["viewport"]?.array?.count == 2)
    }

    /// The lines of a recording, and the line and reason for which it is refused.
    @Test(arguments: [
        ([""], 1, "empty"),
        (["[1]"], 1, "not a JSON object"),
        (["{"], 1, "not JSON"),
        ([#"{"t":0,"caption":"x"}"#], 1, "the first line must be"),
        ([#"{"gesture-recording":2}"#], 1, "version 1"),
        ([#"{"gesture-recording":1,"scene":3}"#], 1, "scene must be"),
        ([#"{"gesture-recording":1,"seed":-1}"#], 1, "seed must be"),
        ([#"{"gesture-recording":1,"seed":1.5}"#], 1, "seed must be"),
        ([header, "nonsense"], 2, "not JSON"),
        ([header, "", "7"], 3, "not a JSON object"),
        ([header, #"{"topic":"a/b","body":{}}"#], 2, "t is missing"),
        ([header, #"{"t":"1","topic":"a/b","body":{}}"#], 2, "t must be"),
        ([header, #"{"t":-1,"topic":"a/b","body":{}}"#], 2, "t must be"),
        ([header, #"{"t":1e300,"topic":"a/b","body":{}}"#], 2, "t must be"),
        ([header, #"{"t":1,"body":{}}"#], 2, "topic is missing"),
        ([header, #"{"t":1,"topic":"","body":{}}"#], 2, "topic must be"),
        ([header, #"{"t":1,"topic":7,"body":{}}"#], 2, "topic must be"),
        ([header, #"{"t":1,"topic":"a/b"}"#], 2, "body is missing"),
        ([header, #"{"t":1,"caption":7}"#], 2, "caption must be"),
        ([header, #"{"t":1,"caption":"x","body":{}}"#], 2, "topic is missing"),
        ([header, #"{"t":1,"session":"a"}"#], 2, "scene is missing"),
        ([header, #"{"t":1,"session":"a","scene":7}"#], 2, "scene must be"),
        ([header, #"{"t":1,"session":"-","scene":null}"#], 2, "session must be"),
        ([header, #"{"t":1,"session":"a","scene":{},"replace":1}"#], 2, "replace must be"),
        ([header, #"{"t":1,"topic":"a/b","body":{},"step":-1}"#], 2, "step must be"),
        ([header, #"{"t":1,"topic":"a/b","body":{},"step":1e12}"#], 2, "step must be"),
        (
            [header, #"{"t":0,"topic":"a/b","body":{"n":[12345678901234567890123]}}"#], 2,
            "a number that cannot be read exactly"
        ),
        ([header, #"{"t":0,"topic":"a/b","body":{"x":-1e400}}"#], 2, "cannot be read exactly"),
        (
            [header, #"{"t":2,"topic":"a/b","body":{}}"#, #"{"t":1,"topic":"a/b","body":{}}"#],
            3, "t falls from 2.0 to 1.0"
        ),
        (
            [header, #"{"t":2,"caption":"x"}"#, #"{"t":1,"topic":"a/b","body":{}}"#],
            3, "t falls"
        ),
        (
            [header, #"{"t":0,"caption":"x"}"#, #"{"t":4e10,"topic":"a/b","body":{}}"#],
            3, "more than a year"
        ),
        (
            [
                header, #"{"t":1,"step":4,"topic":"a/b","body":{}}"#,
                #"{"t":1,"step":1,"topic":"a/c","body":{}}"#,
                #"{"t":1,"step":3,"topic":"a/b/x","body":{}}"#,
            ],
            4, "step falls from 4 to 3"
        ),
    ])
    func aFaultIsNamedWithItsLine(lines: [String], line: Int, reason: String) throws {
        let error = #expect(throws: RecordingError.self) {
            try Recording(
                parsing: Array(lines.joined(separator: "\n").utf8), file: "dir/r.jsonl")
        }
        #expect(error?.line == line)
        #expect(error?.description.hasPrefix("dir/r.jsonl:\(line): ") == true)
        #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    }

    @Test(arguments: ["tour", "tips", "toss", "profile", "tabs", "notifications"])
    func everyExampleCanBeRead(name: String) throws {
        let read = try Recording(parsing: Hands.bytes("\(name).jsonl"), file: "\(name).jsonl")
        #expect(read.scene?.string == "phone")
        #expect(!read.events.isEmpty && !read.captions.isEmpty)
        #expect(read.events[0].topic == Array("command/alice".utf8))
    }
}
