import Geometry
import Testing

@testable import Pictures

/// Bars of screens, the frame of a list and its selected row, and the shadow of a panel.
@Suite struct LookPictureTests {
    private func shown(
        _ kind: String, _ content: String, _ model: String, _ views: String, side: Int = 40
    ) throws -> Picture {
        try picture(
            #"{"id":"c","kind":"\#(kind)","parent":null,"slot":null,"clip":false,"#
                + #""frame":[0,0,\#(side),\#(side)],"parameters":{},"content":\#(content)}"#,
            #"{"component":"c","phase":"","model":\#(model),"views":{\#(views)}}"#,
            viewport: "[\(side),\(side)]")
    }

    // MARK: Bars

    /// The bar of a screen of 200 points: words, a line below, an arrow that leads back.
    private func bar(_ model: String) throws -> (words: [String], hasLine: Bool, hasArrow: Bool) {
        let picture = try shown(
            "navigation", ##"{"background":"#ffffff","color":"#000000"}"##, model,
            view("high", 100, 100, 200, 200), side: 200)
        let canvas = try Canvas(picture.viewport, scale: 1)
        canvas.leavesText = true
        Painter(picture, on: canvas).paint()
        func isMarked(_ x: Int, _ y: Int) -> Bool { (canvas.color(x: x, y: y)?.red ?? 0) < 0.95 }
        let places = (8..<28).flatMap { x in (12..<32).map { (x, $0) } }
        return (
            canvas.texts.map(\.words), isMarked(150, 43), places.contains { isMarked($0.0, $0.1) }
        )
    }

    @Test(arguments: [
        (#"["low","high"]"#, #""Mail""#, #""Heute""#, ["Heute", "Mail"], true, true),
        (#"["low","high"]"#, "null", #""Heute""#, ["Heute"], true, true),
        // A word of ours would be in one language: an arrow alone.
        (#"["low","high"]"#, #""Mail""#, "null", ["Mail"], true, true),
        // It comes onto the stack, or leaves it.
        (#"["low"]"#, #""Mail""#, "null", ["Mail"], true, true),
        (#"["high"]"#, #""Heute""#, "null", ["Heute"], true, false),
        // A scene without titles has no bar.
        (#"["low","high"]"#, "null", "null", [], false, false),
        (#"["high"]"#, "null", "null", [], false, false),
    ])
    func aBarShowsTheTitlesThatTheSceneGives(
        stack: String, title: String, back: String, words: [String], hasLine: Bool, hasArrow: Bool
    ) throws {
        let titles = #""title":\#(title),"back_title":\#(back)"#
        let found = try bar(
            #"{"stack":\#(stack),\#(titles),"screens":[{"name":"high",\#(titles)}]}"#)
        #expect(found.words == words)
        #expect(found.hasLine == hasLine && found.hasArrow == hasArrow, "\(found)")
    }

    /// The look of a screen that nobody describes.
    @Test func aScreenWithoutADescriptionHasTheWordThatTheModelTells() throws {
        let found = try bar(#"{"stack":["low","high"],"title":null,"back_title":"Zur Liste"}"#)
        #expect(found.words.first == "Zur Liste" && found.hasArrow)
        let bare = try bar(#"{"stack":["low","high"],"title":null,"back_title":null}"#)
        #expect(!bare.words.contains("Back") && bare.hasArrow)
    }

    // MARK: Lists

    private let colors = ##""background":"#102030","color":"#f0e0d0""##
    private let paper = Color(0x102030)

    @Test func aListFillsItsFrame() throws {
        let row = view("row-0", 20, 10, 40, 20)
        expect(try drawn(shown("list", "{\(colors)}", "{}", row)), 5, 35, paper)
        expect(try drawn(shown("list", "{}", "{}", row)), 5, 35, .white)
        let hidden = try shown("list", #"{\#(colors),"hidden":true}"#, "{}", row)
        expect(try drawn(hidden), 5, 35, .white)
    }

    /// A part of the color of its words, as on the page.
    @Test func theSelectedRowHasTheColorOfItsWords() throws {
        let views = view("row-0", 20, 10, 40, 20) + "," + view("row-1", 20, 30, 40, 20)
        var picture = try shown("list", "{\(colors)}", #"{"row":null,"selected":1}"#, views)
        picture.take(
            frame: try node(
                #"{"states":[],"rows":{"c":{"version":1,"count":2,"from":0,"rows":"#
                    + #"[{"id":"a","content":{}},{"id":"b","content":{}}]}}}"#))
        let canvas = try drawn(picture)
        expect(canvas, 20, 5, paper)
        expect(canvas, 20, 25, paper.mixed(with: Color(0xf0e0d0), 0.09))
    }

    // MARK: Panels

    /// The shadow of a panel that is out of sight would lie along the edge of the screen.
    @Test(arguments: [
        (20.0, 45.0, 20, 23, true), (20, 60, 20, 39, false), (20, -20, 20, 0, false),
        (60, 20, 39, 20, false), (-20, 20, 0, 20, false),
    ])
    func aPanelInItsFrameCastsAShadow(
        x: Double, y: Double, atX: Int, atY: Int, isThere: Bool
    ) throws {
        let canvas = try drawn(shown("panel", "{}", "{}", view("panel", x, y, 40, 40)))
        let found = try #require(canvas.color(x: atX, y: atY))
        #expect((found.red < 0.99) == isThere, "\(found)")
    }
}
