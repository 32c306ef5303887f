import Notation
import Testing

/// Texts that name values. The expected texts are what Python 3.11 makes of the same formats.
@Suite struct TextTemplateTests {
    static let formats: [(Double, String, String)] = [
        (2.675, ".2f", "2.67"),
        (0.1, ".0%", "10%"),
        (1234567.891, "+.1f", "+1234567.9"),
        (0.5, "=+8", "+    0.5"),
        (2.675, "_>6", "_2.675"),
        (12345.0, "d", "12345"),
        (12345.0, " d", " 12345"),
        (-0.125, ".2f", "-0.12"),
        (2.5, "*^9", "***2.5***"),
        (1.5, "_>6", "___1.5"),
        (-0.125, "^8", " -0.125 "),
        (9007199254740992.0, "^8", "9007199254740992"),
        (1234567.891, ",.2f", "1,234,567.89"),
        (0.1, ">8", "     0.1"),
        (12345.0, "=+8", "+  12345"),
        (12345.0, "+d", "+12345"),
        (1e-09, "d", "0"),
        (-7.0, "*^9", "***-7****"),
        (0.5, "03", "0.5"),
        (1234567.891, "x=8d", "x1234568"),
        (12345.0, "+.1f", "+12345.0"),
        (7.0, "<8", "7       "),
        (0.0, "^8", "   0    "),
        (1.5, ".1%", "150.0%"),
        (1.5, "f", "1.500000"),
        (9007199254740992.0, "_>6", "9007199254740992"),
        (0.0, "03", "000"),
        (-0.125, "08.3f", "-000.125"),
        (2.5, "^8", "  2.5   "),
        (0.5, " d", " 0"),
        (0.1, "08.3f", "0000.100"),
        (2.675, "f", "2.675000"),
        (2.675, "+d", "+3"),
        (2.5, ".1%", "250.0%"),
        (7.0, ".2f", "7.00"),
        (0.5, "8", "     0.5"),
        (0.5, "x=8d", "xxxxxxx0"),
        (-0.125, "03", "-0.125"),
        (1234567.891, "03", "1234567.891"),
        (0.0, "f", "0.000000"),
        (2.5, ".0%", "250%"),
        (-7.0, "03", "-07"),
        (1e-09, "x=8d", "xxxxxxx0"),
        (-7.0, "08.3f", "-007.000"),
        (1234567.891, "+d", "+1234568"),
        (9007199254740992.0, "<8", "9007199254740992"),
        (1e-09, "08.3f", "0000.000"),
        (7.0, "+.1f", "+7.0"),
        (7.0, ".0%", "700%"),
        (0.5, "+d", "+0"),
        (0.0, "x=8d", "xxxxxxx0"),
        (-7.0, "^8", "   -7   "),
        (2.5, "f", "2.500000"),
        (0.5, ".0%", "50%"),
        (9007199254740992.0, "+d", "+9007199254740992"),
        (-7.0, ">8", "      -7"),
        (0.5, "_>6", "___0.5"),
        (0.0, "08.3f", "0000.000"),
        (0.0, "=+8", "+      0"),
        (0.5, "^8", "  0.5   "),
        (0.0, "8", "       0"),
        (0.0, "+.1f", "+0.0"),
        (1.5, "<8", "1.5     "),
        (1.5, ".0%", "150%"),
        (2.5, ",.2f", "2.50"),
        (0.0, ".2f", "0.00"),
        (9007199254740992.0, ",d", "9,007,199,254,740,992"),
        (7.0, ",.2f", "7.00"),
        (7.0, "8", "       7"),
        (-0.125, "f", "-0.125000"),
    ]

    @Test(arguments: formats)
    func aFormatWritesAsPythonDoes(value: Double, format: String, text: String) throws {
        let read = try #require(NumberFormat(format))
        #expect(read.text(of: .number(value)) == text)
    }

    @Test(arguments: ["x", "65", ".13f", ".f", "e", "2.2.2", "03d4", "{", "..", "999", ",,", ".2d"])
    func othersAreNone(format: String) { #expect(NumberFormat(format) == nil) }

    @Test(arguments: [
        ("{a}", "1"), ("{{a}}", "{a}"), ("{{{a}}}", "{1}"), ("{a}{b}", "1two"),
        ("{none}", "{none}"),
        ("{b:>5}|", "  two|"), ("{c}", "true"), ("{d}", "2.5"), ("no names", "no names"),
        // A text that is no template stays as it stands.
        ("{", "{"), ("}", "}"), ("{a", "{a"), ("{}", "{}"), ("{a:q}", "{a:q}"), ("", ""),
    ])
    func namesBecomeValues(text: String, shown: String) {
        let values: [String: TextValue] = [
            "a": .number(1), "b": .text("two"), "c": .truth(true), "d": .number(2.5),
        ]
        #expect(TextTemplate.filled(text) { values[$0] } == shown)
    }

    @Test func aTextNamesSoManyValuesAndHasSoManyBytes() throws {
        let most = String(repeating: "{a}", count: Limits.templatePartsMax)
        #expect(throws: Never.self) { try TextTemplate.parts(of: most) }
        #expect(throws: TextTemplate.Fault.self) { try TextTemplate.parts(of: most + "{a}") }
        let long = String(repeating: "é", count: 2_000)
        let shown = TextTemplate.filled(String(repeating: "{a}", count: 64)) { _ in .text(long) }
        #expect(shown.utf8.count <= Limits.shownTextBytesMax && shown.hasSuffix("é…"))
        #expect(shown.utf8.count > Limits.shownTextBytesMax - 8)
    }

    /// A hostile scene: each of its texts grows sixty times.
    @Test func theTextsOfOneMessageHaveABound() {
        let long = String(repeating: "x", count: 4_096)
        let context = TextContext(language: "", fallback: "") { _ in .text(long) }
        let text = Node(
            .object([.init("text", Node(.string(String(repeating: "{a}", count: 64))))]))
        let content = Node(.array(Array(repeating: text, count: 1_000)))
        var bytesLeft = Limits.shownTextsBytesMax
        let shown = content.withTexts(context, &bytesLeft)
        #expect(shown.jsonBytes < Limits.shownTextsBytesMax + 300 * 1_024)
        #expect(shown.array?.last == text)
    }

    @Test(arguments: ["text", "detail", "title", "summary", "label"])
    func theseKeysHaveTexts(key: String) {
        let text = Node(
            .object([
                .init("de", Node(.string("{a} Stück"))), .init("en", Node(.string("{a} pieces"))),
            ]))
        let content = Node(.object([.init(key, text), .init("other", text)]))
        let context = TextContext(language: "en", fallback: "de") { _ in .text("3") }
        var bytesLeft = Limits.shownTextsBytesMax
        let shown = content.withTexts(context, &bytesLeft)
        #expect(shown[key]?.string == "3 pieces" && shown["other"] == text)
    }

    @Test func aTextIsShownInALanguageThatItHas() {
        let text = SceneText(
            Node(.object([.init("de", Node(.string("Hallo"))), .init("en", Node(.string("Hi")))])))
        func shown(_ language: String, _ fallback: String) -> String? {
            text?.shown(TextContext(language: language, fallback: fallback) { _ in nil })
        }
        #expect(shown("en", "de") == "Hi" && shown("fr", "en") == "Hi")
        #expect(shown("fr", "it") == "Hallo")
        #expect(SceneText(Node(.object([.init("en", Node(.integer(1)))]))) == nil)
    }
}
