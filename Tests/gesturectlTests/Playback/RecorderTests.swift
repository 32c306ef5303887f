import Notation
import Protocol
import Recordings
import Testing

@testable import ToolCommands

private func frames(_ topic: String, _ body: String) -> [[UInt8]] {
    [Array(topic.utf8), Array(body.utf8)]
}

@Suite struct RecorderTests {
    /// An event's own time where it can be, else that of its receipt; never before the last.
    @Test func timesAreThoseOfTheSourceAsFarAsTheyCanBe() throws {
        let now = 1_700_000_000_000.0
        var recorder = Recorder()
        var text = recorder.header
        let events: [(body: String, received: Double)] = [
            (#"{"t":1700000000000.5,"n":1}"#, now + 3), (#"{"n":2}"#, now + 20),
            (#"{"t":1700000000008.5}"#, now + 25), (#"{"t":1600000000000}"#, now + 30),
            (#"{"t":"late"}"#, now + 31), (#"[1]"#, now + 32),
        ]
        for event in events {
            let line = recorder.line(
                frames("gesture/a/b", event.body), received: event.received)
            text += try #require(line)
        }
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {"gesture-recording":1}
                {"t":0,"topic":"gesture/a/b","body":{"n":1}}
                {"t":19.5,"topic":"gesture/a/b","body":{"n":2}}
                {"t":19.5,"topic":"gesture/a/b","body":{"t":8.0}}
                {"t":29.5,"topic":"gesture/a/b","body":{"t":-100000000000.5}}
                {"t":30.5,"topic":"gesture/a/b","body":{"t":"late"}}
                {"t":31.5,"topic":"gesture/a/b","body":[1]}

                """)
        #expect(try Recording(parsing: text, file: "r").events.count == 6)
        #expect(recorder.summary == "6 events recorded")
    }

    /// A recording plays elsewhere in the scenes in which it was made.
    @Test func theSceneOfEachSessionIsRecorded() throws {
        var recorder = Recorder()
        let phone = Node(.object([.init("name", Node(.string("phone")))]))
        let kiosk = Node(.object([.init("name", Node(.string("kiosk")))]))
        let likes = #"{"kind":"likes"}"#
        var text: [UInt8] = []
        func record(
            _ topic: String, _ body: String, _ scene: Node?, at time: Double
        ) throws -> Recorder.Need? {
            let frames = frames(topic, body)
            guard let need = recorder.need(of: frames) else {
                let line = recorder.line(frames, received: time)
                text += try #require(line)
                return nil
            }
            let lines = recorder.lines(frames, received: time, need, scene)
            text += try #require(lines)
            return need
        }
        let own = try record("notification/own", likes, phone, at: 0)
        #expect(own == Recorder.Need(session: "own", name: nil))
        #expect(try record("notification/own", likes, nil, at: 1) == nil, "it is known")
        _ = try record("notification/same", likes, phone, at: 2)
        _ = try record("gesture/bar/x", "{}", kiosk, at: 3)
        let named = try record(
            "command/eve", #"{"command":"open","scene":"kiosk"}"#, kiosk, at: 4)
        #expect(named == Recorder.Need(session: "eve", name: "kiosk"))
        _ = try record("command/al", #"{"command":"open","scene":{}}"#, nil, at: 5)
        _ = try record("notification/gone", likes, nil, at: 6)
        #expect(
            String(decoding: recorder.header + text, as: UTF8.self) == """
                {"gesture-recording":1,"scene":{"name":"phone"}}
                {"t":0,"topic":"notification/own","body":{"kind":"likes"}}
                {"t":1,"topic":"notification/own","body":{"kind":"likes"}}
                {"t":2,"topic":"notification/same","body":{"kind":"likes"}}
                {"t":3,"topic":"command/bar","body":{"command":"open","scene":{"name":"kiosk"}}}
                {"t":3,"topic":"gesture/bar/x","body":{}}
                {"t":4,"topic":"command/eve","body":{"command":"open","scene":{"name":"kiosk"}}}
                {"t":5,"topic":"command/al","body":{"command":"open","scene":{}}}
                {"t":6,"session":"gone","scene":null}
                {"t":6,"topic":"notification/gone","body":{"kind":"likes"}}

                """)
        #expect(recorder.summary == "7 events recorded; 1 scene missing")
    }

    /// A scene of its own may be much larger than an event.
    @Test func aSceneThatNoEventCanHoldIsRecordedWhole() throws {
        let now = 1_700_000_000_000.0
        func scene(_ name: String, letters: Int) -> Node {
            Node(
                .object([
                    .init("name", Node(.string(name))),
                    .init("own", Node(.string(String(repeating: "x", count: letters)))),
                ]))
        }
        let (first, second) = (scene("first", letters: 70_000), scene("second", letters: 80_000))
        let beyond = scene("beyond", letters: Recording.lineBytesMax)
        var recorder = Recorder()
        var text: [UInt8] = []
        let likes = #"{"kind":"likes"}"#
        let update = #"{"command":"update","scene":"second","revision":1}"#
        let events: [(topic: String, body: String, scene: Node)] = [
            ("notification/a", likes, first), ("notification/b", likes, second),
            ("command/c", #"{"command":"open","scene":"second"}"#, second),
            ("command/d", #"{"command":"open","scene":"second","replace":true}"#, second),
            ("command/c", #"{"command":"update","scene":"second"}"#, second),
            ("command/c", update, second), ("notification/e", likes, beyond),
        ]
        for (place, event) in events.enumerated() {
            let frames = frames(event.topic, event.body)
            let found = recorder.need(of: frames)
            let need = try #require(found)
            let lines = recorder.lines(frames, received: now + Double(place), need, event.scene)
            text += try #require(lines)
        }
        #expect(recorder.summary == "7 events recorded; 2 scenes missing")
        let read = try Recording(parsing: recorder.header + text, file: "r")
        #expect(read.scene == first)
        let openings = read.events.filter(\.isRequest)
        #expect(
            openings.map { String(decoding: $0.topic, as: UTF8.self) } == [
                "command/b", "command/c", "command/d", "command/c",
            ])
        let bodies = try openings.map { try Document.json($0.body) }
        #expect(bodies.allSatisfy { $0["scene"] == second })
        #expect(bodies.map { $0["replace"]?.bool ?? false } == [false, false, true, true])
        #expect(read.events.count { !$0.isRequest } == 4)
        #expect(read.missingScenes.map(\.session) == ["e"])
        // The daemon refuses so large an event, and opens nothing for it.
        let own = String(repeating: "x", count: 70_000)
        let large = #"{"command":"open","scene":{"own":"\#(own)"}}"#
        #expect(recorder.need(of: frames("command/f", large)) == nil)
        #expect(recorder.need(of: frames("notification/f", likes)) != nil)
    }

    @Test func messagesWithoutATopicAndJSONAreCounted() {
        var recorder = Recorder()
        for frames in [
            [], [[0x61]], [[], [0x7B, 0x7D]], [[0xFF], [0x7B, 0x7D]],
            frames("a/b", "{"), [[0x61], [0x7B, 0x7D], [0x61]],
        ] {
            #expect(recorder.line(frames, received: 0) == nil)
        }
        #expect(recorder.summary == "0 events recorded; 6 messages not recordable")
    }

    @Test func openContactsAreFollowedByTheirPointer() throws {
        let events = [
            sample(0, "began", 1), sample(0, "began", 2), sample(0, "changed", 1),
            sample(0, "ended", 2), sample(0, "began", 2, "gesture/a/c"),
            sample(0, "cancelled", 1, "gesture/z/c"),
            Recording.Event(
                time: 0, topic: Array("command/a".utf8), body: Array(#"{"phase":"began"}"#.utf8),
                line: 1),
        ]
        var contacts = OpenContacts(in: events)
        for place in events.indices { contacts.recordSent(place, sent: .now) }
        #expect(
            contacts.cancelled().map { String(decoding: $0.topic + $0.body, as: UTF8.self) } == [
                #"gesture/a/b{"gesture":"pointer","pointer":1,"x":1,"phase":"cancelled"}"#,
                #"gesture/a/c{"gesture":"pointer","pointer":2,"x":1,"phase":"cancelled"}"#,
            ])
    }

    /// Each second of real time, unless the recording is silent for so long that the contact was
    /// cancelled when it was recorded.
    @Test(arguments: [(500.0, true), (2_999, true), (3_000, false), (60_000, false)])
    func openContactsAreRepeatedUntilTheirNextSample(gap: Double, isRepeated: Bool) throws {
        let events = [
            sample(0, "began", 1), sample(1, "began", 2), sample(gap - 1, "changed", 2),
            sample(gap, "changed", 1),
        ]
        var contacts = OpenContacts(in: events)
        let start = ContinuousClock.now
        contacts.recordSent(0, sent: start)
        func texts(at milliseconds: Int) -> [String] {
            contacts.repeated(at: start + .milliseconds(milliseconds)).map {
                String(decoding: $0.topic + $0.body, as: UTF8.self)
            }
        }
        let again = [#"gesture/a/b{"gesture":"pointer","pointer":1,"x":1,"phase":"changed"}"#]
        #expect(contacts.nextDue == start + .seconds(1))
        #expect(texts(at: 999) == [])
        #expect(texts(at: 1_000) == (isRepeated ? again : []))
        #expect(contacts.nextDue == (isRepeated ? start + .seconds(2) : nil))
        #expect(texts(at: 1_999) == [])
        #expect(texts(at: 2_500) == (isRepeated ? again : []))
        contacts.recordSent(3, sent: start + .seconds(3))
        #expect(texts(at: 3_999) == [])
        #expect(texts(at: 10_000) == [], "nothing of it follows")
    }
}

/// A pointer's sample of a recording.
private func sample(
    _ time: Double, _ phase: String, _ pointer: Int, _ topic: String = "gesture/a/b"
) -> Recording.Event {
    let body = #"{"gesture":"pointer","phase":"\#(phase)","pointer":\#(pointer),"x":1}"#
    return Recording.Event(time: time, topic: Array(topic.utf8), body: Array(body.utf8), line: 1)
}
