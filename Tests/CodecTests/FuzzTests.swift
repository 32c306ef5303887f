import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Testing

/// Bodies that are nearly right: what a mutation breaks is then near the edge.
private let seeds = [
    #"{"gesture":"pan","phase":"began","x":1,"y":2.5,"vx":-3e2,"vy":0.004,"t":1700000000123.5}"#,
    #"{"gesture":"pointer","phase":"changed","pointer":1,"x":12.25,"y":1e-7}"#,
    #"{"gesture":"swipe","direction":"left","row":3}"#,
    #"{"gesture":"tap","index":123456789012345678901234567890,"own":[1e999,{"a":"\u00e4"}]}"#,
    #"{"kind":"likes","add":18446744073709551615,"id":"a\"b\\"}"#,
    #"{"command":"open","scene":{"viewport":[1,2],"components":[{"id":"t","kind":"toss"}]}}"#,
    #"{"command":"select","index":1,"kind":"a","screen":"b","transition":null}"#,
]
private let topics = ["gesture/a/b", "notification/a", "command/a", "command/a/b"]

/// Whole pieces make deeper nonsense than bytes do.
private let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "1e999", "-", "9e99", "0", "\\ud800", "\u{0}",
    "\"x\"", "12345678901234567890123456789", ".", "e", "\u{7f}", "ä",
]

private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<random.whole(in: 1...4) {
        let at = random.whole(in: 0...bytes.count)
        switch random.whole(in: 0...4) {
        case 0: bytes.insert(UInt8(random.whole(in: 0...255)), at: at)
        case 1: if at < bytes.count { bytes.remove(at: at) }
        case 2: if at < bytes.count { bytes[at] = UInt8(random.whole(in: 0...255)) }
        case 3:
            bytes.insert(contentsOf: pieces[random.whole(in: 0...pieces.count - 1)].utf8, at: at)
        default: bytes.removeSubrange(at..<min(bytes.count, at + random.whole(in: 0...20)))
        }
    }
}

/// Codes that a body alone can earn.
private let codes: Set<RejectionCode> = [
    .badJSON, .missingField, .badValue, .unknownGesture, .unknownCommand, .badScene,
]

@Test("Any body is an event or is refused by one code", arguments: 0..<48 as Range<UInt64>)
func anyBodyIsJudged(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let decoder = EventDecoder()
    for round in 0..<300 {
        let topic = try Topic(topics[random.whole(in: 0...3)])
        var body: [UInt8]
        if round % 3 == 0 {
            body = (0..<random.whole(in: 0...80)).map { _ in UInt8(random.whole(in: 0...255)) }
        } else {
            body = Array(seeds[random.whole(in: 0...seeds.count - 1)].utf8)
            mutate(&body, &random)
        }
        let first = Result { try decoder.decode(topic: topic, body: body) }
        let second = Result { try EventDecoder().decode(topic: topic, body: body) }
        switch (first, second) {
        case (.success(let a), .success(let b)):
            #expect(a == b, "seed \(seed), round \(round)")
            // Both readers accept the same bodies.
            #expect(throws: Never.self) { try Document.json(body) }
        case (.failure(let a as DecodingFailure), .failure(let b as DecodingFailure)):
            #expect(a == b, "seed \(seed), round \(round)")
            #expect(codes.contains(a.rejection.code) && !a.rejection.message.isEmpty)
            if a.rejection.code == .badJSON, let tree = try? Document.json(body) {
                #expect(tree.members == nil, "seed \(seed), round \(round)")
            }
        default: Issue.record("seed \(seed), round \(round): a fresh decoder judges otherwise")
        }
    }
}

@Test("Any bytes are a topic or are refused", arguments: 0..<16 as Range<UInt64>)
func anyTopicIsJudged(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
        var bytes = Array(topics[random.whole(in: 0...3)].utf8)
        mutate(&bytes, &random)
        let session = unsafe Topic.session(in: bytes.span.bytes)
        guard let topic = try? Topic(bytes) else { continue }
        #expect(Name.isValid(topic.session))
        #expect(session?.hash.value == StableHash(topic.session).value)
    }
}

@Test("Any text is a scene or is refused", arguments: 0..<16 as Range<UInt64>)
func anySceneIsJudged(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let whole = """
        viewport = [320, 568]
        [[components]]
        id = "t"
        kind = "tabs"
        items = [{id = "a", glow = ["x"]}, {id = "b"}]
        height = 44.5
        """
    for _ in 0..<100 {
        var bytes = Array(whole.utf8)
        mutate(&bytes, &random)
        do {
            let scene = try SceneReader.scene(toml: bytes, file: "f", fallbackName: nil)
            #expect(!scene.components.isEmpty)
        } catch {
            #expect(error.description.hasPrefix("f:"))
            #expect(!error.message.isEmpty)
        }
    }
}

@Test("Any string is written as JSON that reads back as it", arguments: 0..<32 as Range<UInt64>)
func anyStringReadsBack(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
        let bytes = (0..<random.whole(in: 0...40)).map { _ in UInt8(random.whole(in: 0...160)) }
        let text = String(decoding: bytes, as: UTF8.self)
        var buffer = ByteBuffer(capacity: 0)
        buffer.json(text)
        let node = try Document.json(buffer.array())
        #expect(node.string?.utf8.elementsEqual(text.utf8) == true, "seed \(seed)")
    }
}
