import Testing

@testable import Pictures

@Suite struct ColorTests {
    @Test func colorsAreReadAsCSSWritesThem() {
        #expect(Color(css: "#ff8000") == Color(0xff8000))
        #expect(Color(css: "#f80") == Color(1, 136.0 / 255, 0))
        #expect(Color(css: "tomato") == Color(0xff6347))
        #expect(Color(css: "transparent")?.alpha == 0)
        let half = Color(css: "#ff000080")
        #expect(half?.red == 1 && ((half?.alpha ?? 0) - 128.0 / 255).magnitude < 1e-3)
    }

    @Test(arguments: ["", "#", "#ff80", "#gggggg", "reddish", "12", "#ff8000 ", "\u{0}"])
    func otherTextsAreNoColors(text: String) {
        // Four digits are red, green, blue and alpha.
        if text == "#ff80" {
            #expect(Color(css: text)?.alpha == 0)
        } else {
            #expect(Color(css: text) == nil)
        }
    }

    @Test func aLongTextIsNoColor() {
        #expect(Color(css: "#" + String(repeating: "f", count: 100_000)) == nil)
    }

    @Test func inkCanBeRead() {
        #expect(Color.white.ink.isDark && !Color.black.ink.isDark && Color(0xffcc00).ink.isDark)
    }

    @Test func aNameKeepsItsColor() {
        let names = ["toss", "tips", "tabs", "list", "reader", "profile", "navigation"]
        let colors = names.map { Color.of($0) }
        #expect(colors == names.map { Color.of($0) } && Set(colors).count > 3)
    }
}
