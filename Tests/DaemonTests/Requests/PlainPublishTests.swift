import Geometry
import Notation
import Protocol
import Testing

@testable import Daemon

struct PlainPublishTests {
    private func read(_ text: [UInt8]) -> PlainPublish? {
        unsafe text.withUnsafeBytes { unsafe PlainPublish($0) }
    }

    @Test(arguments: [
        #"{"op":"publish","topic":"notification/s","body":{"kind":"likes"}}"#,
        #"{"id": 17, "op": "publish", "topic": "gesture/s/c", "body": {"x": [1, {}], "y": 2}}"#,
        #"{"topic":"","body":{"a":"}\"{\\","b":"ü"},"id":"a-b c/d","op":"publish"}"#,
        #"{ "body" : {} , "op" : "publish" , "id" : 0 , "topic" : "a topic of many letters" }"#,
        #"{"id":999999999999999999,"op":"publish","topic":"t","body":{"a":[}}}"#,
        "\t{\"op\":\n  \"publish\",  \"topic\":\"t\",\r\n\"body\":{}}",
    ])
    func aPlainPublishSaysWhatItsTextSays(text: String) throws {
        let bytes = Array(text.utf8)
        let fields = try RequestFields(bytes)
        let publish = try #require(read(bytes))
        #expect(Array(bytes[publish.topic]) == Array(try fields.string("topic").utf8))
        #expect(bytes[publish.body] == fields.body)
        #expect(try publish.id == fields.id())
    }

    @Test(arguments: [
        "", "{", "{}", "[]", #"{"op":"hello","topic":"t","body":{}}"#,
        #"{"op":"publish","topic":"t"}"#, #"{"op":"publish","body":{}}"#,
        #"{"topic":"t","body":{}}"#, #"{"op":"publish","topic":"t","body":{},"more":1}"#,
        #"{"op":"publish","topic":"t","topic":"t","body":{}}"#,
        #"{"op":"publish","topic":"t","body":{},"body":{}}"#,
        #"{"op":"publish","op":"publish","topic":"t","body":{}}"#,
        #"{"op":"publish","topic":"t","body":{},"id":1,"id":1}"#,
        #"{"op":"publish","topic":"t","body":{}} 1"#, #"{"op":"publish","topic":"t","body":{}}}"#,
        #"{"op":"publish","topic":"t","body":{}"#, #"{"op":"publish","topic":"t","body":[]}"#,
        #"{"op":"publish","topic":"t","body":1}"#, #"{"op":"publish","topic":7,"body":{}}"#,
        #"{"op":"publish","topic":"\u0041","body":{}}"#, #"{"op":"publish","topic":"é","body":{}}"#,
        #"{"op":"publish","topic":"t","body":{},}"#,
        #"{"id":01,"op":"publish","topic":"t","body":{}}"#,
        #"{"id":1.5,"op":"publish","topic":"t","body":{}}"#,
        #"{"id":-1,"op":"publish","topic":"t","body":{}}"#,
        #"{"id":1e2,"op":"publish","topic":"t","body":{}}"#,
        #"{"id":1000000000000000000,"op":"publish","topic":"t","body":{}}"#,
        #"{"id":null,"op":"publish","topic":"t","body":{}}"#,
        #"{"id":"7\u0038","op":"publish","topic":"t","body":{}}"#,
        #"{"id":,"op":"publish","topic":"t","body":{}}"#,
    ])
    func othersAreLeftToTheReaderOfAll(text: String) {
        #expect(read(Array(text.utf8))?.topic == nil)
    }

    @Test func aLongIDIsLeftToo() {
        for (count, isRead) in [(0, true), (-1, true), (1, false)] {
            let id = String(repeating: "i", count: Limits.requestIdBytesMax - 2 + count)
            let text = #"{"id":"\#(id)","op":"publish","topic":"t","body":{}}"#
            #expect((read(Array(text.utf8)) != nil) == isRead)
        }
    }

    /// The reader of all requests takes the same from a damaged request, where it takes anything.
    @Test(arguments: 0..<64 as Range<UInt64>)
    func itTakesNothingElseThanTheReaderOfAll(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let signs = Array("{}[]\",:\\nbody 0123é".utf8)
        var taken = 0
        for _ in 0..<400 {
            var text = Array(
                #"{"id": 7, "op": "publish", "topic":"t", "body": {"a":[1,"x\"y"],"b":null}}"#.utf8)
            random.damage(&text, by: signs)
            guard let publish = read(text) else { continue }
            taken += 1
            let fields = try RequestFields(text)
            #expect(fields["op"]?.string == PublishRequest.operation)
            #expect(Array(text[publish.topic]) == Array(try fields.string("topic").utf8))
            #expect(text[publish.body] == fields.body)
            #expect(try publish.id == fields.id())
        }
        #expect(taken > 0, "nothing is tested")
    }
}
