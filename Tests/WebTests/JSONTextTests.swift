import Notation
import Protocol
import Testing

@testable import Web

struct JSONTextTests {
    private static func members(_ text: String) -> [String: String]? {
        let bytes = Array(text.utf8)
        guard let members = try? JSONText.members(of: bytes) else { return nil }
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
        let texts = try JSONText.elements(of: bytes).map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
        #expect(texts == ["1", "[2,3]", #"{"a":"]"}"#, #""x""#])
        #expect(try JSONText.elements(of: Array("[]".utf8)).isEmpty)
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

    @Test func nestingHasABound() {
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        #expect(Self.members(nested(JSONText.depthMax)) != nil)
        #expect(Self.members(nested(JSONText.depthMax + 1)) == nil)
        #expect(Self.members(String(repeating: #"{"a":"#, count: 100_000)) == nil)
    }

    /// The daemon's own reader is somebody else's: both must agree on what is an object.
    @Test func anotherReaderAgreesOnSpoiledTexts() {
        var chance = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0 ... .max, using: &chance)
        var dice = Dice(state: seed)
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
            let other = try? Document.json(bytes).members
            let own = try? JSONText.members(of: bytes)
            // Half a pair of surrogates is passed on for the daemon to refuse.
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains(#"\u"#), !text.contains(#"\u00e9"#) { continue }
            #expect((own != nil) == (other != nil), "seed \(seed): \(text)")
        }
    }
}

/// SplitMix64.
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
