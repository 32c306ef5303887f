import Geometry
import Notation
import Protocol
import Testing

@testable import Commands

/// Characters that command a terminal, forge a line, or turn the writing direction around.
private let hostile =
    ["\u{0}", "\t", "\n", "\r", "\u{1B}[2J", "\u{7F}", "\u{80}", "\u{9B}", "\u{9F}", "\u{AD}"]
    + ["\u{61C}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}"]
    + ["\u{202E}", "\u{2066}", "\u{2069}", "\u{FEFF}", "\u{E000}", "\u{E0001}", "\u{10FFFF}"]

private func isShown(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
        !hostile.contains { $0.unicodeScalars.first == scalar }
    }
}

@Suite struct ShownTextTests {
    @Test(arguments: hostile) func whatIsInterpolatedCommandsNothing(text: String) {
        let shown: ShownText = "a\n\(text)\(ShownText(text))\(Substring(text))b"
        #expect(shown.text.hasPrefix("a\n") && isShown(String(shown.text.dropFirst(2))))
        #expect(isShown(Style(isOn: false)(text, .red).text))
        #expect(isShown(ShownText(ownLines: text).text) || text == "\n" || text == "\t")
    }

    @Test func literalsAndColorsAreTheProgramsOwn() {
        let red = Style(isOn: true)("x\u{9B}", .red)
        let shown: ShownText = "\(red)\n\("é🚀")\t"
        #expect(shown.text == "\u{1B}[31mx\\u{9b}\u{1B}[0m\né🚀\t")
        #expect(ShownText(ownLines: "a\n\tb\u{1B}\n").text == "a\n\tb\\u{1b}\n")
    }

    @Test(arguments: hostile) func jsonKeepsItsValueAndCommandsNothing(text: String) throws {
        let tree = Node(.object([.init(text, Node(.array([Node(.string("é\(text)🚀"))])))]))
        let shown = Printable.json(tree.json())
        #expect(isShown(String(decoding: shown, as: UTF8.self)))
        #expect(try Document.json(shown) == tree)
    }

    @Test func jsonBecomesOneLineAndLinesStayLines() {
        let text = "{\r\n\t\"a\u{9B}\u{10FFFF}\":[1,\n2]}\n"
        let line = #"{   "a\u009b\udbff\udfff":[1, 2]} "#
        #expect(String(decoding: Printable.json(Array(text.utf8)), as: UTF8.self) == line)
        let lines = "{\"a\":\"\u{7F}\"}\n{\"b\":1}\n"
        let shown = ShownJSON(lines: Array(lines.utf8))
        #expect(String(decoding: shown.bytes, as: UTF8.self) == "{\"a\":\"\\u007f\"}\n{\"b\":1}\n")
        #expect(Array(shown.pieces(bytesMax: 5).map(\.bytes).joined()) == shown.bytes)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func jsonOfAnyTextKeepsItsValue(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<20).compactMap { _ in Unicode.Scalar(UInt32(random.whole(in: 0...0x3000)))
                    }))
            let tree = Node(.string(text))
            #expect(try Document.json(Printable.json(tree.json())) == tree)
        }
    }
}
