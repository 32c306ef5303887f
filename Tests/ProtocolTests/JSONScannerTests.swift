import Geometry
import Notation
import Testing

@testable import Protocol

struct JSONScannerTests {
    private static func members(_ text: String) -> [String: String]? {
        let bytes = Array(text.utf8)
        guard let members = try? JSONScanner.members(of: bytes) else { return nil }
        return Dictionary(
            members.map {
                (
                    String(decoding: bytes[$0.name], as: UTF8.self),
                    String(decoding: bytes[$0.value], as: UTF8.self)
                )
            }, uniquingKeysWith: { "\($0) \($1)" })
    }

    @Test func membersAreCutOutAsTheyAreWritten() {
        #expect(Self.members("{}") == [:])
        #expect(Self.members(" { } ") == [:])
        #expect(
            Self.members(#"{ "a" : 1.50e+3 , "b":{"c":[1,"]}"]},"d":"x\"y","e":null}"#) == [
                "a": "1.50e+3", "b": #"{"c":[1,"]}"]}"#, "d": #""x\"y""#, "e": "null",
            ])
    }

    @Test func elementsAreCutOutAsTheyAreWritten() throws {
        let bytes = Array(#" [ 1 , [2,3] ,{"a":"]"},"x" ] "#.utf8)
        var texts: [String] = []
        try JSONScanner.scan(bytes) { (scanner) throws(JSONScanner.Flaw) in
            try scanner.walkList { (scanner) throws(JSONScanner.Flaw) in
                texts.append(String(decoding: bytes[try scanner.skipValue()], as: UTF8.self))
            }
        }
        #expect(texts == ["1", "[2,3]", #"{"a":"]"}"#, #""x""#])
    }

    @Test(arguments: [
        "", " ", "[]", "1", "{", "}", "{]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#,
        #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":+1}"#, #"{"a":.5}"#,
        #"{"a":1.}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":tru}"#, #"{"a":nul}"#, #"{"a":NaN}"#,
        #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\u12"#, "{\"a\":\"\n\"}",
        #"{"a":1}}"#, #"{"a":1}{"#, #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#, "{\u{0}}",
    ])
    func whatIsNoObjectIsRefused(text: String) {
        #expect(Self.members(text) == nil)
    }

    /// A value that another reader checks is passed by its quotes and brackets alone.
    @Test(arguments: [
        (#"{"a":[1,}"]"}]]}, 7"#, #"{"a":[1,}"]"}"#), (#""a\"}\\" "#, #""a\"}\\""#),
        ("tru,", "tru"),
        ("-1.e}", "-1.e"), ("ü ", "ü"), (#"[{"\"#, nil), ("[[]", nil), ("", nil), (",", nil),
        (#""a\"#, nil),
    ])
    func anUncheckedValueEndsWhereItsBracketsDo(text: String, value: String?) {
        let found: String? = unsafe Array(text.utf8).withUnsafeBytes { bytes in
            var scanner = unsafe JSONScanner(bytes)
            guard let place = try? scanner.skipUnchecked() else { return nil }
            return unsafe String(decoding: bytes[place], as: UTF8.self)
        }
        #expect(found == value)
    }

    /// Eight bytes are looked at together: each of them must count, at each place.
    @Test func aPlainStringEndsAtEachSignThatIsNotPlain() {
        for count in 0..<20 {
            for sign in 0...255 as ClosedRange<UInt8> {
                let plain = Array(repeating: UInt8(ascii: "a"), count: count)
                let bytes = [UInt8(ascii: "\"")] + plain + [sign] + Array("b\" and more".utf8)
                let place = unsafe bytes.withUnsafeBytes { bytes in
                    var scanner = unsafe JSONScanner(bytes)
                    return scanner.takePlainString()
                }
                let isPlain = sign >= 0x20 && sign < 0x80 && sign != UInt8(ascii: "\\")
                let length = sign == UInt8(ascii: "\"") ? count : count + 2
                #expect(place == (isPlain ? 1..<1 + length : nil))
            }
        }
    }

    @Test func nestingHasABound() {
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        #expect(Self.members(nested(JSONScanner.depthMax)) != nil)
        #expect(Self.members(nested(JSONScanner.depthMax + 1)) == nil)
        #expect(Self.members(String(repeating: #"{"a":"#, count: 100_000)) == nil)
    }

    /// The daemon's reader is simdjson: both must agree on every object.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func anotherReaderAgreesOnSpoiledTexts(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let whole = Array(#"{"a":[1,-2.5e3,{"b":"x\u00e9\n"},[]],"c":true,"d":null,"e":""}"#.utf8)
        let spoilers = Array(#"{}[]",:\0x -e.tn"#.utf8)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<3, using: &dice) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(spoilers.randomElement(using: &dice) ?? 0, at: place)
                default: bytes[place] = spoilers.randomElement(using: &dice) ?? 0
                }
            }
            let other = try? Document.json(bytes)
            let own = try? JSONScanner.members(of: bytes)
            // Half a pair of surrogates is passed on for the daemon to refuse.
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains(#"\u"#), !text.contains(#"\u00e9"#) { continue }
            #expect((own != nil) == (other?.members != nil), "seed \(seed): \(text)")
        }
    }
}
