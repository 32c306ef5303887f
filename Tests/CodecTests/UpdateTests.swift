import Codec
import Geometry
import Gestures
import Interactions
import Motion
import Notation
import Protocol
import Sessions
import Testing

/// Shows what a test gives it.
struct Showing: Presentable {
    var phase = "resting"
    var views: [(String, ViewState)] = []
    /// Views whose names end in this number.
    var numbered: [(Int, ViewState)] = []
    /// Views whose names end in this id.
    var named: [(String, ViewState)] = []
    var title: String? = "No \"Title\""

    func model(into sink: inout some StateSink) {
        sink.field("index", 2)
        sink.field("shown", true)
        sink.field("title", title)
        sink.field("image", nil)
        sink.field("offset", points: -12.3456)
        sink.field("frame", frame: Rect(33, 137, 254, 172.0005))
        sink.openList("items")
        sink.openElement()
        sink.field("id", "home")
        sink.field("selected", false)
        sink.close()
        sink.openElement()
        sink.close()
        sink.closeList()
        sink.openList("none")
        sink.closeList()
        sink.null("bubble")
    }

    func views(into sink: inout some StateSink) {
        for (name, state) in views { sink.view(named: name, state) }
        for (number, state) in numbered { sink.view("glow-", number: number, state) }
        for (id, state) in named { sink.view("item-", id: id, state) }
    }
}

private let head = UpdateHead(
    epoch: "e1.2", seq: 7, time: Instant(nanoseconds: 1_700_000_000_123_456_789))

private func notes(_ recognizer: GestureKind? = nil) -> StateNotes {
    StateNotes(recognizer: recognizer, opened: head.time)
}
private let start = #"{"epoch":"e1.2","seq":7,"t":1700000000123.457,"#

/// The body as text, after it was read back as JSON whose first members are the head's.
private func body(_ write: (inout ByteBuffer) -> Void) throws -> String {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append("before")
    write(&buffer)
    let bytes = Array(buffer.array().dropFirst(6))
    let tree = try Document.json(bytes)
    #expect(tree.members?.prefix(3).map(\.name) == ["epoch", "seq", "t"])
    return String(decoding: bytes, as: UTF8.self)
}

private func tokenTransition(item: String?) -> Transition {
    var transition = Transition("token", .began, item: item)
    (transition.token, transition.angle) = (5, -0.5)
    return transition
}

@Test("A state tells phase, model and views")
func stateIsWritten() throws {
    var shown = Showing()
    shown.views = [
        ("backdrop", ViewState(center: Vector(160, 284), size: Size(320, 568), z: 0)),
        (
            "tip",
            ViewState(
                center: Vector(-0.0001, 1.5), size: Size(300, 0.25), rotation: -.pi, scale: 0.5,
                alpha: 1.0 / 3, z: -1)
        ),
    ]
    shown.numbered = [
        (12, ViewState(center: Vector(1, 2), size: Size(3, 4), alpha: 0, z: 1))
    ]
    shown.named = [("a~b.c", ViewState(center: .zero, size: Size(5, 6), z: 2, cut: 3))]
    let expected =
        start + #""phase":"resting","model":{"index":2,"shown":true,"title":"No \"Title\"","#
        + #""image":null,"offset":-12.346,"frame":[33,137,254,172.001],"items":["#
        + #"{"id":"home","selected":false},{}],"none":[],"bubble":null},"views":{"#
        + #""backdrop":{"x":160,"y":284,"w":320,"h":568,"rotation":0,"scale":1,"alpha":1,"z":0},"#
        + #""tip":{"x":0,"y":1.5,"w":300,"h":0.25,"rotation":3.141593,"scale":0.5,"#
        + #""alpha":0.333333,"z":-1},"#
        + #""glow-12":{"x":1,"y":2,"w":3,"h":4,"rotation":0,"scale":1,"alpha":0,"z":1},"#
        + #""item-a~b.c":{"x":0,"y":0,"w":5,"h":6,"rotation":0,"scale":1,"alpha":1,"z":2,"#
        + #""cut":3}}}"#
    #expect(try body { UpdateBody.state(head, shown, notes(), into: &$0) } == expected)
    // The recognizer of raw contacts is the model's last field, if there is one.
    let pressed = try body { UpdateBody.state(head, shown, notes(.longpress), into: &$0) }
    #expect(
        pressed
            == expected.replacing(
                #""bubble":null}"#, with: #""bubble":null,"recognizer":"longpress"}"#))
    let empty = try body { UpdateBody.state(head, Showing(), notes(), into: &$0) }
    #expect(empty.hasSuffix(#""views":{}}"#))
}

@Test(
    "A transition tells its ends where it has them",
    arguments: [
        (
            Transition("present", .began, duration: 0.3, curve: .easeInOut),
            #""name":"present","event":"began","duration":0.3,"curve":"ease-in-out"}"#
        ),
        (
            Transition("page", .ended, from: .index(0), to: .index(1), duration: 0.4),
            #""name":"page","event":"ended","from":0,"to":1,"duration":0.4,"curve":null}"#
        ),
        (
            Transition("in-via-scale", .cancelled, to: .screen("posts"), curve: .easeOut),
            #""name":"in-via-scale","event":"cancelled","to":"posts","duration":0,"#
                + #""curve":"ease-out"}"#
        ),
        (
            Transition(
                "contact", .began,
                meeting: .init(
                    items: ["a", "b"], boundary: nil, point: Vector(1, 2.00049),
                    impulse: 480.2501)),
            #""name":"contact","event":"began","items":["a","b"],"point":[1,2],"#
                + #""impulse":480.25,"duration":0,"curve":null}"#
        ),
        (
            Transition(
                "contact", .ended,
                meeting: .init(items: ["a"], boundary: "floor", point: .zero)),
            #""name":"contact","event":"ended","items":["a"],"boundary":"floor","point":[0,0],"#
                + #""duration":0,"curve":null}"#
        ),
    ])
func transitionIsWritten(transition: Transition, expected: String) throws {
    #expect(try body { UpdateBody.transition(head, transition, into: &$0) } == start + expected)
}

@Test("A transition of a token tells its item where one follows it")
func transitionsOfTokensAreWritten() throws {
    let tail = #""token":5,"angle":-0.5,"duration":0,"curve":null}"#
    let alone = try body {
        UpdateBody.transition(head, tokenTransition(item: nil), into: &$0)
    }
    #expect(alone == start + #""name":"token","event":"began","# + tail)
    let followed = try body {
        UpdateBody.transition(head, tokenTransition(item: "lens"), into: &$0)
    }
    #expect(followed == start + #""name":"token","event":"began","item":"lens","# + tail)
}

@Test("Transitions of rows are written as in the contract")
func transitionsOfRowsAreWritten() throws {
    let open = Transition(
        "open", .began, duration: 0.2, curve: .easeInOut,
        row: Transition.Row(3, direction: "left"))
    let opened = try body { UpdateBody.transition(head, open, into: &$0) }
    let tail = #""name":"open","event":"began","row":3,"direction":"left","duration":0.2,"#
    #expect(opened == start + tail + #""curve":"ease-in-out"}"#)
    let action = Transition("action", .ended, row: Transition.Row(7, action: "reply"))
    let chosen = try body { UpdateBody.transition(head, action, into: &$0) }
    let end = #""name":"action","event":"ended","row":7,"action":"reply","duration":0,"#
    #expect(chosen == start + end + #""curve":null}"#)
}

@Test("The other updates are written as in the contract")
func otherUpdatesAreWritten() throws {
    let badge = try body {
        var counts = BadgeCounts()
        counts.set("a", to: 4)
        counts.set("b", to: 5)
        UpdateBody.badge(head, BadgeLedger(counts, after: 3), into: &$0)
    }
    #expect(badge == start + #""version":3,"total":9,"counts":{"a":4,"b":5}}"#)
    let opened = try body {
        UpdateBody.session(head, event: "opened", scene: "phone", into: &$0)
    }
    #expect(opened == start + #""event":"opened","scene":"phone"}"#)
    let closed = try body { UpdateBody.session(head, event: "closed", scene: nil, into: &$0) }
    #expect(closed == start + #""event":"closed","scene":null}"#)
    #expect(try body { UpdateBody.sync(head, into: &$0) } == start.dropLast() + "}")
    var beat = Heartbeat()
    (beat.uptimeSeconds, beat.sessions, beat.moving) = (1.5, 2, 3)
    (beat.events, beat.rejected, beat.updates) = (4, 5, 6)
    let expected =
        start + #""uptime":1.5,"sessions":2,"moving":3,"events":4,"rejected":5,"updates":6}"#
    #expect(try body { UpdateBody.heartbeat(head, beat, into: &$0) } == expected)
}

@Test("A rejection quotes what was refused, repaired and shortened")
func rejectionIsWritten() throws {
    let rejection = Rejection(.badTopic, "a \"topic\"")
    let topic: [UInt8] = [0x61, 0xFF, 0x0A]
    let long = [UInt8](repeating: 0x7B, count: 500)
    let written = try body {
        unsafe UpdateBody.rejected(
            head, rejection, topic: topic.span.bytes, body: long.span.bytes, into: &$0)
    }
    let quote = String(repeating: "{", count: 120)
    #expect(
        written == start
            + #""code":"bad-topic","message":"a \"topic\"","topic":"a�\n","#
            + #""excerpt":"\#(quote)"}"#)
}

@Test(
    "An excerpt is text of at most so many bytes, never cut inside a character",
    arguments: [
        ([], 4, ""), ([0x61], 4, "a"), (Array("abcdef".utf8), 4, "abcd"),
        (Array("abcä".utf8), 4, "abc"), (Array("abä€".utf8), 4, "abä"),
        (Array("😀x".utf8), 4, "😀"), (Array("x😀".utf8), 4, "x"),
        ([0xFF, 0x61, 0x62], 4, "�a"), ([0xFF, 0xFF], 4, "�"), ([0x61, 0xE2, 0x82], 4, "a�"),
        (Array("e\u{301}e\u{301}".utf8), 4, "e\u{301}e"),
    ] as [([UInt8], Int, String)])
func excerptIsText(bytes: [UInt8], bytesMax: Int, expected: String) {
    let text = unsafe UpdateBody.excerpt(of: bytes.span.bytes, bytesMax: bytesMax)
    #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(text)")
}

@Test(
    "Topics of updates are as in the contract",
    arguments: [
        (.state(session: "a", component: "b"), "state/a/b"),
        (.transition(session: "a", component: "b"), "transition/a/b"),
        (.badge(session: "a"), "badge/a"), (.session("a"), "session/a"),
        (.rejected(session: "a"), "rejected/a"), (.rejected(session: nil), "rejected/-"),
        (.touches(session: "a"), "touches/a"), (.sync(nonce: "n"), "sync/n"),
        (.heartbeat, "heartbeat"),
    ] as [(UpdateTopic, String)])
func updateTopicIsWritten(topic: UpdateTopic, text: String) {
    #expect(topic.text == text)
}

@Test("Replies carry the request's id, whatever it is")
func repliesAreWritten() throws {
    var buffer = ByteBuffer()
    let id = try Document.json(Array(#"{"a":[1,"x",null]}"#.utf8))
    Reply.ok(id: id, into: &buffer)
    #expect(buffer.text() == #"{"id":{"a":[1,"x",null]},"ok":true}"#)
    buffer.removeAll()
    Reply.begin(id: nil, into: &buffer)
    buffer.key("scenes")
    buffer.json(Node(.array([Node(.string("phone"))])))
    Reply.end(into: &buffer)
    #expect(buffer.text() == #"{"ok":true,"scenes":["phone"]}"#)
    buffer.removeAll()
    Reply.failure(id: Node(.integer(7)), Rejection(.unknownOperation, "what?"), into: &buffer)
    #expect(
        buffer.text()
            == #"{"id":7,"ok":false,"error":{"code":"unknown-op","message":"what?"}}"#)
}

@Test("A buffer keeps what it holds while it grows")
func bufferGrows() {
    var buffer = ByteBuffer(capacity: 0)
    for index in 0..<2_000 {
        buffer.append(UInt8(truncatingIfNeeded: index))
        buffer.append([1, 2, 3])
    }
    #expect(buffer.count == 8_000)
    #expect(buffer.array(4_000..<4_004) == [232, 1, 2, 3])
    buffer.truncate(to: 4)
    #expect(buffer.array() == [0, 1, 2, 3])
    buffer.removeAll()
    #expect(buffer.text() == "")
}
