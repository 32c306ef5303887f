import Codec
import Geometry
import Gestures
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

private func decode(_ topic: String, _ body: String) throws -> Event {
    try EventDecoder().decode(topic: Topic(topic), body: Array(body.utf8))
}

private func gesture(_ body: String) throws -> Gesture? {
    guard case .gesture("toss", let gesture) = try decode("gesture/alice/toss", body).payload
    else { return nil }
    return gesture
}

@Test(
    "A gesture's body becomes its sample",
    arguments: [
        (
            #"{"gesture":"pan","phase":"began","x":1,"y":2.5}"#,
            .pan(Pan(phase: .began, location: Vector(1, 2.5)))
        ),
        (
            #"{"gesture":"pan","phase":"changed","x":-1e6,"y":1000000,"vx":0,"vy":-3}"#,
            .pan(Pan(phase: .changed, location: Vector(-1e6, 1e6), velocity: Vector(0, -3)))
        ),
        (
            #" {"y":2,"x":1,"\u0070hase":"ended","gesture":"p\u0061n","id":7,"own":[{}]} "#,
            .pan(Pan(phase: .ended, location: Vector(1, 2)))
        ),
        (
            #"{"gesture":"tap","gesture":"pan","phase":"cancelled","x":9,"y":2,"x":1}"#,
            .pan(Pan(phase: .cancelled, location: Vector(1, 2)))
        ),
        (
            #"{"gesture":"swipe","direction":"left","x":1,"y":2}"#,
            .swipe(Swipe(direction: .left, target: .point(Vector(1, 2))))
        ),
        (
            #"{"gesture":"swipe","direction":"down","x":1,"row":3,"index":4}"#,
            .swipe(Swipe(direction: .down, target: .row(3)))
        ),
        (#"{"gesture":"tap","x":1,"y":2}"#, .tap(.point(Vector(1, 2)))),
        (#"{"gesture":"tap","x":1,"y":2,"index":3.0}"#, .tap(.index(3))),
        (#"{"gesture":"tap","row":-1}"#, .tap(.row(-1))),
        (#"{"gesture":"tap","row":1,"index":2}"#, .tap(.index(2))),
        (
            #"{"gesture":"scroll","phase":"changed","offset":-12.5}"#,
            .scroll(Scroll(phase: .changed, offset: -12.5))
        ),
        (
            #"{"gesture":"wheel","dx":1.5,"dy":-2,"x":3,"y":4}"#,
            .wheel(Wheel(delta: Vector(1.5, -2), location: Vector(3, 4)))
        ),
        (#"{"gesture":"wheel","dy":1e6}"#, .wheel(Wheel(delta: Vector(0, 1e6)))),
        (#"{"gesture":"wheel","dx":-1}"#, .wheel(Wheel(delta: Vector(-1, 0)))),
        (
            #"{"gesture":"wheel","dy":0,"phase":"began","momentum":false}"#,
            .wheel(Wheel(delta: .zero, phase: .began))
        ),
        (
            #"{"gesture":"wheel","dy":7,"phase":"cancelled","momentum":true}"#,
            .wheel(Wheel(delta: Vector(0, 7), phase: .cancelled, isMomentum: true))
        ),
        (
            #"{"gesture":"pointer","phase":"began","pointer":2,"x":1,"y":2}"#,
            .pointer(Pointer(phase: .began, pointer: 2, location: Vector(1, 2)))
        ),
        (
            #"{"gesture":"pointer","phase":"began","pointer":2,"x":1,"y":2,"kind":"pen","#
                + #""pressure":0.5,"user":"alice"}"#,
            .pointer(
                Pointer(
                    phase: .began, pointer: 2, location: Vector(1, 2), kind: .pen, pressure: 0.5,
                    user: "alice"))
        ),
        (
            #"{"gesture":"pointer","phase":"changed","pointer":2,"x":1,"y":2,"kind":"palm","#
                + #""pressure":1}"#,
            .pointer(
                Pointer(
                    phase: .changed, pointer: 2, location: Vector(1, 2), kind: .palm, pressure: 1))
        ),
        (
            #"{"gesture":"pan","phase":"ended","x":1,"y":2,"kind":7,"pressure":-9,"user":[]}"#,
            .pan(Pan(phase: .ended, location: Vector(1, 2)))
        ),
        (
            #"{"gesture":"longpress","phase":"began"}"#,
            .longpress(LongPress(phase: .began, location: nil))
        ),
        (
            #"{"gesture":"longpress","phase":"ended","x":1,"y":2}"#,
            .longpress(LongPress(phase: .ended, location: Vector(1, 2)))
        ),
        (
            #"{"gesture":"pinch","phase":"changed","scale":1.5}"#,
            .pinch(Pinch(phase: .changed, location: nil, scale: 1.5))
        ),
        (
            #"{"gesture":"pinch","phase":"changed","scale":0.5,"velocity":-2,"x":1,"y":2}"#,
            .pinch(Pinch(phase: .changed, location: Vector(1, 2), scale: 0.5, velocity: -2))
        ),
        (
            #"{"gesture":"rotation","phase":"cancelled","angle":-4}"#,
            .rotation(Rotation(phase: .cancelled, location: nil, angle: -4))
        ),
        (
            #"{"gesture":"token","phase":"began","symbol":5,"x":1,"y":2,"angle":-0.5}"#,
            .token(Token(phase: .began, symbol: 5, location: Vector(1, 2), angle: -0.5))
        ),
        (
            #"{"gesture":"token","phase":"ended","symbol":2147483647,"x":1,"y":2,"angle":7,"#
                + #""user":"ada"}"#,
            .token(
                Token(
                    phase: .ended, symbol: 2_147_483_647, location: Vector(1, 2), angle: 7,
                    user: "ada"))
        ),
        (
            #"{"gesture":"rotation","phase":"ended","angle":7,"velocity":0,"x":1,"y":2}"#,
            .rotation(Rotation(phase: .ended, location: Vector(1, 2), angle: 7, velocity: 0))
        ),
        (
            #"{"gesture":"tap","x":1,"y":2,"own":1e999,"more":123456789012345678901234567890}"#,
            .tap(.point(Vector(1, 2)))
        ),
        (
            #"{"gesture":"tap","x":1e-999,"y":-0,"s":"1e999 \" 1e999","more":-1E+400}"#,
            .tap(.point(Vector(0, 0)))
        ),
    ] as [(String, Gesture)])
func gestureIsDecoded(body: String, expected: Gesture) throws {
    #expect(try gesture(body) == expected)
}

@Test(
    "Notifications and commands become theirs",
    arguments: [
        ("notification/a", #"{"kind":"likes"}"#, .notification(kind: "likes", .add(1))),
        ("notification/a", #"{"kind":"likes","add":0}"#, .notification(kind: "likes", .add(0))),
        ("notification/a", #"{"kind":"likes","add":3.0}"#, .notification(kind: "likes", .add(3))),
        (
            "notification/a", #"{"kind":"likes","add":123456789012345678901234567890}"#,
            .notification(kind: "likes", .add(.max))
        ),
        (
            "notification/a", #"{"kind":"likes","add":18446744073709551615}"#,
            .notification(kind: "likes", .add(.max))
        ),
        (
            "notification/a", #"{"kind":"likes","set":9007199254740991}"#,
            .notification(kind: "likes", .set(BadgeCounts.countMax))
        ),
        ("command/a", #"{"command":"close"}"#, .close),
        ("command/a", #"{"command":"open","scene":"phone"}"#, .open(.named("phone"))),
        (
            "command/a/tabs", #"{"command":"hide"}"#,
            .command(component: "tabs", ComponentCommand("hide"))
        ),
        (
            "command/a/tabs", #"{"command":"select","index":2}"#,
            .command(component: "tabs", ComponentCommand("select", .of(index: 2)))
        ),
        (
            "command/a/badges", #"{"command":"clear","kind":"likes"}"#,
            .command(component: "badges", ComponentCommand("clear", .of(kind: "likes")))
        ),
        (
            "command/a/n", #"{"command":"present","screen":"posts","transition":"in-via-scale"}"#,
            .command(
                component: "n",
                ComponentCommand("present", .of(screen: "posts", transition: "in-via-scale")))
        ),
    ] as [(String, String, Event.Payload)])
func otherEventIsDecoded(topic: String, body: String, expected: Event.Payload) throws {
    #expect(try decode(topic, body) == Event(expected))
}

@Test("Every event may say when it happened, all but gestures who they are")
func timeAndID() throws {
    let tap = try decode("gesture/a/b", #"{"gesture":"tap","row":1,"t":12.5,"id":"x"}"#)
    #expect(tap.time == 12.5 && tap.id == nil)
    let like = try decode("notification/a", #"{"kind":"k","t":-1,"id":"ä"}"#)
    #expect(like.time == -1 && like.id == "ä")
    let longest = String(repeating: "i", count: 64)
    #expect(try decode("command/a", #"{"command":"close","id":"\#(longest)"}"#).id == longest)
}

@Test("A session opens with a scene of its own")
func inlineSceneIsDecoded() throws {
    let body = """
        {"command":"open","scene":1,"scene":{"viewport":[100,200],"seed":7,
        "components":[{"id":"t","kind":"toss","friction":0.5}]}}
        """
    guard case .open(.inline(let inline)) = try decode("command/a", body).payload else {
        Issue.record("no inline scene")
        return
    }
    var toss = TossParameters(viewport: .phone)
    toss.friction = 0.5
    let component = Scene.Component(
        id: "t", parameters: .init(toss), filling: Size(100, 200))
    #expect(
        inline.scene.withoutText
            == Scene(name: nil, viewport: Size(100, 200), seed: 7, components: [component]))
}

@Test("A command brings all its members as a tree, but its envelope")
func commandIsDecoded() throws {
    let arguments = #""item":{"a":[1,{"b":null}],"c":18446744073709551615},"values":{},"x":1e999"#
    let body = #"{"t":1,"command":"set","id":"x",\#(arguments),"id":"y"}"#
    let event = try decode("command/a/w", body)
    let members = try Document.json(Array("{\(arguments)}".utf8)).members ?? []
    #expect(event.id == "y" && event.time == 1)
    #expect(event.payload == .command(component: "w", ComponentCommand("set", members)))
    #expect(members.count == 3)
}

@Test("A tree that is too deep for a document is refused as one")
func deepCommandIsRefused() throws {
    let depth = Node.depthMax
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let body = #"{"command":"set","values":\#(deep)}"#
    let failure = #expect(throws: DecodingFailure.self) { try decode("command/a/w", body) }
    #expect(failure?.rejection.code == .badJSON)
    let allowed = deep.dropFirst().dropLast()
    #expect(throws: Never.self) {
        try decode("command/a/w", #"{"command":"set","values":\#(allowed)}"#)
    }
}

@Test("A body that is no event is refused by one code, naming the field", arguments: Refusal.all)
func bodyIsRefused(refusal: Refusal) throws {
    let failure = #expect(throws: DecodingFailure.self) {
        try decode(refusal.topic, refusal.body)
    }
    #expect(failure?.rejection.code == refusal.code)
    let message = failure?.rejection.message ?? ""
    #expect(message.contains(refusal.word), "\(message)")
}

@Test("What is not UTF-8 is no JSON")
func notUTF8() throws {
    let body = Array(#"{"gesture":"tap","row":1,"own":"#.utf8) + [0x22, 0xFF, 0x22, 0x7D]
    let failure = #expect(throws: DecodingFailure.self) {
        try EventDecoder().decode(topic: Topic("gesture/a/b"), body: body)
    }
    #expect(failure?.rejection == Rejection(.badJSON, "the body is not UTF-8"))
}

@Test("A refusal tells which contact it refuses, as far as that could be read")
func refusalNamesItsContact() throws {
    func failure(_ body: String) throws -> DecodingFailure? {
        #expect(throws: DecodingFailure.self) { try decode("gesture/a/b", body) }
    }
    let pan = try failure(#"{"gesture":"pan","phase":"began","x":"1"}"#)
    #expect(pan?.gesture == .pan && pan?.phase == .began && pan?.pointer == nil)
    let late = try failure(#"{"gesture":"pan","phase":"ended","x":1,"y":1,"t":"x"}"#)
    #expect(late?.gesture == .pan && late?.phase == .ended)
    let pointer = try failure(#"{"gesture":"pointer","phase":"began","pointer":4,"x":1}"#)
    #expect(pointer?.gesture == .pointer && pointer?.pointer == 4)
    let token = try failure(#"{"gesture":"token","phase":"began","symbol":4,"x":1}"#)
    #expect(token?.gesture == .token && token?.pointer == 4)
    let unknown = try failure(#"{"gesture":"wave","phase":"began"}"#)
    #expect(unknown?.gesture == nil && unknown?.phase == .began)
    let later = try failure(#"{"gesture":"pinch","phase":"changed"}"#)
    #expect(later?.gesture == .pinch && later?.phase == .changed)
    let phase = try failure(#"{"gesture":"scroll","phase":"began "}"#)
    #expect(phase?.gesture == .scroll && phase?.phase == nil)
    let none = try failure("{")
    #expect(none?.gesture == nil && none?.phase == nil)
}

@Test("A refused body leaves nothing behind for the next")
func decoderForgets() throws {
    let decoder = EventDecoder()
    let topic = try Topic("gesture/a/b")
    let full = #"{"gesture":"pan","phase":"began","x":1,"y":2,"vx":3,"vy":4,"t":5}"#
    let pan = try decoder.decode(topic: topic, body: Array(full.utf8))
    #expect(pan.time == 5)
    #expect(throws: DecodingFailure.self) { try decoder.decode(topic: topic, body: [0x7B]) }
    let bare = #"{"gesture":"pan","phase":"ended","x":1,"y":2}"#
    let next = try decoder.decode(topic: topic, body: Array(bare.utf8))
    let expected = Gesture.pan(Pan(phase: .ended, location: Vector(1, 2)))
    #expect(next == Event(.gesture(component: "b", expected)))
}

// A space at the end leaves a body to the parser of all JSON.
@Test("A sample is read as the parser of all JSON reads it", arguments: 0..<64 as Range<UInt64>)
func plainBodiesAreReadAlike(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let decoder = EventDecoder()
    let topic = try Topic("gesture/s/c")
    func read(_ body: String) -> Result<Event, DecodingFailure> {
        Result { () throws(DecodingFailure) in
            try decoder.decode(topic: topic, body: Array(body.utf8))
        }
    }
    for _ in 0..<200 {
        let body = randomBody(&random)
        let event = read(body)
        #expect(event == read(body + " "), "seed \(seed): \(body)")
        // The decoder has learned how it begins.
        #expect(event == read(body), "seed \(seed): \(body)")
        let sample = unsafe Array(body.utf8).withUnsafeBytes { unsafe decoder.sample($0, of: 3) }
        #expect(sample == (try? event.get()).flatMap(sample(of:)), "seed \(seed): \(body)")
    }
}

private func sample(of event: Event) -> Sample? {
    guard case .gesture(_, let gesture) = event.payload else { return nil }
    return Sample(component: 3, gesture, time: event.time)
}

/// A body that is a sample in most of its parts, and strange in one or two.
private func randomBody(_ random: inout SplitMix64) -> String {
    let strings = [
        "scroll", "pan", "pointer", "wheel", "tap", "changed", "began", "ended", "", "ä", "a\\n",
        "a\u{1}", "a\\", "\u{7f}",
    ]
    let numbers = [
        "0", "-0", "-0.0", "0.5", "00", "01", "-", ".5", "5.", "1e3", "1E-2", "+1", "1.25e2", "0x1",
        "9007199254740992", "9007199254740993", "900719925474099.3", "1700000000123.457",
        "17000000001234567.5", "12345678901234567890", "99999999999999999999", "0.1234567890123456",
        "0.12345678901234567", "1.2.3", "--1", "true", "null", "[1]", "{\"a\":1}", "NaN",
    ]
    func pick(_ words: [String]) -> String { words[random.whole(in: 0...words.count - 1)] }
    func number() -> String {
        random.whole(in: 0...3) == 0
            ? pick(numbers)
            : ((random.unit() * 2 - 1) * [1, 1_000, 1e9][random.whole(in: 0...2)]).description
    }
    let keys = ["gesture", "phase", "offset", "x", "y", "t", "pointer", "vx", "id", "command", "?"]
    var members = [
        "\"gesture\":\"scroll\"", "\"phase\": \"changed\"", "\"offset\":\(number())",
        "\"t\":\(number())",
    ]
    for _ in 0..<random.whole(in: 0...2) {
        let value = random.whole(in: 0...1) == 0 ? "\"\(pick(strings))\"" : number()
        let place = random.whole(in: 0...members.count)
        members.insert("\"\(pick(keys))\":\(value)", at: place)
    }
    let text = "{" + members.joined(separator: pick([",", ", ", ",", ",  ", ",,", ""])) + "}"
    return random.whole(in: 0...7) == 0 ? String(text.dropLast()) : text
}

@Test(
    "Data that is no table is refused, whatever body came before",
    arguments: [
        "0", "-2.5", #""text""#, "true", "null", "[1]",
    ])
func dataIsATable(value: String) throws {
    let bodies = [
        #"{"kind":"k","data":\#(value)}"#, #"{"data":\#(value),"kind":"k"}"#,
        #"{"kind":"k","add":2,"data":\#(value),"t":5}"#,
    ]
    for body in bodies {
        // First as the decoder's first body, then behind one with a table.
        #expect(throws: DecodingFailure.self) { try decode("notification/a", body) }
        let decoder = EventDecoder()
        let topic = try Topic("notification/a")
        _ = try decoder.decode(topic: topic, body: Array(#"{"kind":"k","data":{"a":1}}"#.utf8))
        #expect(throws: DecodingFailure.self) {
            try decoder.decode(topic: topic, body: Array(body.utf8))
        }
    }
}

/// A reaction may keep it for later, and put it into a scene.
@Test func dataHasSoManyLevels() throws {
    func data(_ levels: Int) -> String {
        String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }
    let most = Limits.argumentDepthMax
    _ = try decode("notification/a", #"{"kind":"k","data":\#(data(most))}"#)
    #expect(throws: DecodingFailure.self) {
        try decode("notification/a", #"{"kind":"k","data":\#(data(most + 1))}"#)
    }
}
