import Notation
import Protocol
import Testing

struct PeerTextTests {
    /// A letter with so many combining marks, of two classes, in an order that is no normal form.
    private static func marked(_ count: Int) -> String {
        "p" + String(repeating: "\u{0301}\u{0316}", count: count / 2)
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    @Test(arguments: [
        "", "toss", "naïve", "e\u{0301}", "각", "ग्राम", "木曽路", "👩‍👩‍👧‍👦", "z̷̗̈́a̴̰͝l̵̦͌g̶̪̑o̸̙͝",
        String(repeating: "ab\u{0301}", count: 400), marked(30),
    ])
    func textsOfLanguagesStayAsTheyAre(text: String) {
        #expect(Self.scalars(PeerText.text(text.utf8)) == Self.scalars(text))
    }

    @Test(arguments: [32, 60, 62, 1_000])
    func thirtyMarksAtMostAreInARow(count: Int) {
        let text = Self.marked(count)
        let safe = Self.scalars(PeerText.text(text.utf8))
        #expect(safe.filter { $0 != 0x34F } == Self.scalars(text))
        #expect(safe.split(separator: 0x34F).map { $0.count { $0 != 0x70 } }.max() == 30)
        // Text that was made safe stays.
        let twice = PeerText.streamSafe(PeerText.text(text.utf8))
        #expect(Self.scalars(twice) == safe)
    }

    @Test func invalidBytesAreRepaired() {
        #expect(PeerText.text([0x61, 0xFF]) == "a\u{FFFD}")
    }

    /// A text of 128 KB took seconds to compare, and a minute to hash.
    @Test(arguments: [
        "\"\(marked(64_000))\"", "\"p\(String(repeating: "\\u0301\\u0316", count: 32_000))\"",
    ])
    func documentsOfMarksAreReadInNoTime(name: String) throws {
        let clock = ContinuousClock()
        let took = try clock.measure {
            let document = try Document.json(Array("{\(name):\(name)}".utf8))
            let member = try #require(document.members?.first)
            #expect(Set([member.name]).contains("op") == false)
            #expect(document["op"] == nil)
            #expect(member.value.string == member.name)
        }
        #expect(took < .seconds(1), "\(took)")
    }
}
