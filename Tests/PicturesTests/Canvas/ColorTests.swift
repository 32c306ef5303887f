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

    @Test(arguments: [
        "", "#", "#ff80", "#gggggg", "reddish", "12", "\u{0}",
        "#fff000fff", "gray50", "light blue", "VioletRed", "red\u{0}", "#ff8000;",
    ])
    func otherTextsAreNoColors(text: String) {
        // Four digits are red, green, blue and alpha.
        if text == "#ff80" {
            #expect(Color(css: text)?.alpha == 0)
        } else {
            #expect(Color(css: text) == nil)
        }
    }

    /// The values are those that Chromium computes.
    @Test(arguments: [
        ("rgb(255, 128, 0)", 0xff8000, 1.0), ("rgb(255 128 0)", 0xff8000, 1),
        ("RGBA(100%,50%,0%,50%)", 0xff8000, 0.5), ("rgba( 255 , 128,0 , .25 )", 0xff8000, 0.25),
        ("rgb(255 128 0 / 50%)", 0xff8000, 0.5), ("rgb(300 -5 none/2)", 0xff0000, 1),
        ("rgb(1e2 2.55e2 +0.4)", 0x64ff00, 1), ("rgb(255-1 50%)", 0xff0080, 1),
        ("rgb(1e999 0 0)", 0xff0000, 1), ("hsl(30, 100%, 50%)", 0xff8000, 1),
        ("hsla(120deg 100% 25% / 0.5)", 0x008000, 0.5), ("hsl(-120 100% 50%)", 0x0000ff, 1),
        ("hsl(0.5turn 100 50)", 0x00ffff, 1), ("hsl(200grad 100% 50%)", 0x00ffff, 1),
        ("hsl(3.14159265rad 100% 50%)", 0x00ffff, 1), ("hsl(210 40% 60%)", 0x7099c2, 1),
        ("hsl(none 0% 100%)", 0xffffff, 1), ("hsl(1e400 200% 50%)", 0xff0000, 1),
        (" #FF8000\n", 0xff8000, 1), ("Tomato", 0xff6347, 1), ("green", 0x008000, 1),
    ])
    func functionsAreReadAsBrowsersDo(text: String, hex: Int, alpha: Double) {
        #expect(Color(css: text) == Color(hex, alpha: alpha))
    }

    @Test(arguments: [
        "rgb()", "rgb(1,2)", "rgb(1,2,3", "rgb(1,2,3))", "rgb (1,2,3)", "rgb(1,2,3,4,5)",
        "rgb(1,,2)", "rgb(,1,2,3)", "rgb(1,2,3,)", "rgb(1,2 3)", "rgb(1 2 3 4)", "rgb(1 2 3/)",
        "rgb(1,2,3/1)", "rgb(1/2/3)", "rgb(1%,2,3)", "rgb(none,1,2)", "rgb(1 2 3 / 1deg)",
        "rgb(5. 1 2)", "rgb(1deg 2 3)", "rgb(nan 1 2)", "rgb(0x1 2 3)", "rgb(none5 1 2)",
        "rgb(1 2 - 3)", "rgb(1 2 3%%)", "hsl(1,2,3)", "hsl(1%,2%,3%)", "hsl(1em 2% 3%)",
        "hsl(1deg2 2% 3%)", "hwb(1 2% 3%)", "url(x)", "(1,2,3)", "rgb(ä 1 2)",
    ])
    func brokenFunctionsAreNoColors(text: String) {
        #expect(Color(css: text) == nil)
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
