import Geometry
import Notation
import Testing

@testable import Protocol

@Suite struct JSONWalkTests {
    @Test(arguments: [
        ("", 1), ("\n\n", 1), ("{", 1), ("[\n1,\n]", 3), ("[\n1\n2]", 3), ("{\"a\":\n1,}", 2),
        ("{\n\"a\" 1}", 2), ("{\n1:2}", 2), ("[1,\n2", 2), ("[1,\n2\n\n\n", 2), ("[\n\"a\nb\"]", 2),
        ("[\n\"a", 2), ("[\n\"a\\", 2), ("[]\n[]", 2), ("[\n}", 2), ("[\n01]", 2), ("[\n1.]", 2),
        ("[\n-]", 2), ("[\n1e]", 2), ("[\n+1]", 2), ("[\n.5]", 2), ("[\ntru]", 2), ("[\nNaN]", 2),
        ("[\n'a']", 2), ("[\n\"\\q\"]", 2), ("[\n\"\\u12g4\"]", 2), ("{\"a\":1,\n\"b\"}", 2),
        ("]", 1),
    ])
    func theLineIsWhereItStopsBeingJSON(text: String, line: Int) {
        let error = #expect(throws: DocumentError.self) {
            try Document.jsonFile(Array(text.utf8))
        }
        #expect(error?.line == line)
    }

    /// It must find nothing wrong with what the reader takes, and something with what it refuses.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func itAgreesWithTheReader(seed: UInt64) {
        let whole = Array(
            #"{"a":[1,-2.5e3,{"b":"x\"\u00e4\\"},[]],"c":{},"d":[true,false,null,0.1E-2]}"#.utf8)
        let spare = Array(#"{}[],:"\0-.e9 tn"#.utf8)
        var random = SplitMix64(seed: seed)
        var refused = 0
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<random.whole(in: 1...2) {
                bytes[random.whole(in: 0...bytes.count - 1)] =
                    spare[random.whole(in: 0...spare.count - 1)]
            }
            let isRead = (try? Document.json(bytes)) != nil
            refused += isRead ? 0 : 1
            var walk = JSONWalk(bytes: bytes)
            #expect(
                (walk.fault() == nil) == isRead,
                "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(refused > 100 && refused < 500)
    }

    @Test func everyValueOfAFileHasItsLine() throws {
        let text = """
            {
              "name": "a",
              "list": [1,
                {"x": [],
                 "y":
                   -2.5e3}, "z"],
              "name": null
            }
            """
        let node = try Document.jsonFile(Array(text.utf8))
        #expect(node.line == 1)
        #expect(node.members?.map(\.value.line) == [2, 3, 7])
        let list = try #require(node["list"]?.array)
        #expect(list.map(\.line) == [3, 4, 6])
        #expect(list[1].members?.map(\.value.line) == [4, 5])
        #expect(node.json() == (try Document.json(Array(text.utf8))).json())
    }

    @Test func aDocumentThatIsNoFileHasNoLines() throws {
        let node = try Document.json(Array("[\n1]".utf8))
        #expect(node.line == nil && node.array?.first?.line == nil)
    }
}
