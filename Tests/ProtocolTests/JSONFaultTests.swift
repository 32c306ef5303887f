import Geometry
import Protocol
import Testing

@Suite struct JSONFaultTests {
    @Test(arguments: [
        ("", 1), ("\n\n", 1), ("{", 1), ("[\n1,\n]", 3), ("[\n1\n2]", 3), ("{\"a\":\n1,}", 2),
        ("{\n\"a\" 1}", 2), ("{\n1:2}", 2), ("[1,\n2", 2), ("[1,\n2\n\n\n", 2), ("[\n\"a\nb\"]", 2),
        ("[\n\"a", 2), ("[\n\"a\\", 2), ("[]\n[]", 2), ("[\n}", 2), ("[\n01]", 2), ("[\n1.]", 2),
        ("[\n-]", 2), ("[\n1e]", 2), ("[\n+1]", 2), ("[\n.5]", 2), ("[\ntru]", 2), ("[\nNaN]", 2),
        ("[\n'a']", 2), ("[\n\"\\q\"]", 2), ("[\n\"\\u12g4\"]", 2), ("{\"a\":1,\n\"b\"}", 2),
        ("]", 1),
    ])
    func theLineIsWhereItStopsBeingJSON(text: String, line: Int) {
        #expect(throws: DocumentError.self) { try Document.json(Array(text.utf8)) }
        #expect(Document.faultLine(inJSON: Array(text.utf8)) == line)
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
            #expect(
                (Document.faultLine(inJSON: bytes) == nil) == isRead,
                "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(refused > 100 && refused < 500)
    }
}
