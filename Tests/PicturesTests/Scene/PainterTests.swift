import Geometry
import Testing

@testable import Pictures

private let red = Color(0xff0000)
private let green = Color(0x00ff00)
private let blue = Color(0x0000ff)

@Suite struct PainterTests {
    @Test func aViewStandsAroundItsCenter() throws {
        let canvas = try drawn(
            picture(world(item("a", "#ff0000")), state(view("a", 20, 10))))
        expect(canvas, 16, 6, red)
        expect(canvas, 24, 14, red)
        expect(canvas, 36, 36, .white)
    }

    @Test func itIsTurnedClockwiseAndScaled() throws {
        let turned = view("a", 20, 20, 20, 4, #","rotation":1.5707963,"scale":1.5"#)
        let canvas = try drawn(picture(world(item("a", "#ff0000")), state(turned)))
        expect(canvas, 20, 6, red)
        expect(canvas, 20, 33, red)
        expect(canvas, 22, 20, red)
        let quarter = view("a", 20, 20, 20, 4, #","rotation":0.785398"#)
        let other = try drawn(picture(world(item("a", "#ff0000")), state(quarter)))
        expect(other, 26, 26, red)
        #expect(other.color(x: 13, y: 27)?.red != 1 || other.color(x: 13, y: 27)?.green != 0)
    }

    /// A higher `z` is in front; where two are equal, the later one.
    @Test(arguments: [(0, 0, green), (1, 0, red), (0, 1, green)])
    func viewsLieInTheirOrder(first: Int, second: Int, front: Color) throws {
        let views =
            view("a", 20, 20, 10, 10, #","z":\#(first)"#) + ","
            + view("b", 20, 20, 10, 10, #","z":\#(second)"#)
        let canvas = try drawn(
            picture(world(item("a", "#ff0000") + "," + item("b", "#00ff00")), state(views)))
        expect(canvas, 20, 20, front)
    }

    @Test func aCircleIsRoundAndABoxIsNot() throws {
        let round = item("a", "#ff0000", #","shape":"circle""#)
        let canvas = try drawn(picture(world(round), state(view("a", 20, 20, 20, 20))))
        expect(canvas, 20, 12, red)
        #expect(canvas.color(x: 11, y: 11).map { $0.green > 0.5 } == true)
        let box = try drawn(
            picture(world(item("a", "#ff0000")), state(view("a", 20, 20, 20, 20))))
        expect(box, 11, 11, red)
    }

    /// A component in a slot has the slot's place, turn, scale and alpha.
    @Test func whatStandsInASlotMovesWithIt() throws {
        let inner = world(item("b", "#0000ff"), id: "in")
            .replacing(#""parent":null,"slot":null"#, with: #""parent":"w","slot":"a""#)
            .replacing("[0,0,40,40]", with: "[2,3,5,5]")
        let outer = world(item("a", "#ff0000"))
        // Turned by a quarter: the slot's top left corner is at its right, on top.
        let outside = view("a", 20, 20, 20, 20, #","rotation":1.5707963,"alpha":0.5"#)
        let shown = try picture(
            outer + "," + inner, state(outside) + "," + state(view("b", 2, 2, 4, 4), of: "in"))
        let canvas = try drawn(shown)
        // The point (4, 5) of the slot is at 20 − (5 − 10), 20 + (4 − 10).
        expect(canvas, 25, 14, Color(0.5, 0.5, 1))
        expect(canvas, 15, 25, Color(1, 0.5, 0.5))
    }

    @Test func whereASlotIsAbsentNothingStandsInIt() throws {
        let inner = world(item("b", "#0000ff"), id: "in")
            .replacing(#""parent":null,"slot":null"#, with: #""parent":"w","slot":"a""#)
        let shown = try picture(
            world(item("a", "#ff0000")) + "," + inner,
            state("") + "," + state(view("b", 20, 20), of: "in"))
        expect(try drawn(shown), 20, 20, .white)
    }

    @Test func aClipCutsAtTheFrame() throws {
        let clipped = world(item("a", "#ff0000"))
            .replacing("[0,0,40,40]", with: "[10,10,10,10]")
            .replacing(#""clip":false"#, with: #""clip":true"#)
        let canvas = try drawn(picture(clipped, state(view("a", 5, 5, 40, 40))))
        expect(canvas, 12, 12, red)
        expect(canvas, 22, 12, .white)
        expect(canvas, 8, 12, .white)
    }

    @Test func ghostsHaveNoWords() throws {
        let words = #"{"id":"a","size":[20,10],"content":{"text":"word"}}"#
        let before = try picture(world(words), state(view("a", 10, 10, 20, 10)))
        let now = try picture(world(words), state(view("a", 10, 30, 20, 10)))
        let canvas = try Canvas(now.viewport, scale: 1)
        canvas.leavesText = true
        Painter(now, on: canvas, ghosts: [before]).paint()
        #expect(canvas.texts.map(\.words) == ["word"], "the view's own alone")
        #expect(canvas.texts.first?.frame.origin.y ?? 0 > 20)
    }

    /// Without a bound for cycles, two such parts made 8,192 views of one.
    @Test func aComponentThatStandsInItselfIsDrawnOnce() throws {
        let whole = world(#"{"id":"a","size":[20,10],"content":{"text":"word"}}"#)
        let inner = whole.replacing(
            #""parent":null,"slot":null"#, with: #""parent":"w","slot":"a""#)
        let shown = try picture(
            [whole, inner, inner].joined(separator: ","), state(view("a", 20, 20, 20, 10)))
        let canvas = try Canvas(shown.viewport, scale: 1)
        canvas.leavesText = true
        Painter(shown, on: canvas).paint()
        #expect(canvas.texts.map(\.words) == ["word"])
    }

    @Test func ghostsLieFaintlyUnderTheirView() throws {
        let scene = world(item("a", "#ff0000"))
        let before = try picture(scene, state(view("a", 10, 10)))
        let now = try picture(scene, state(view("a", 30, 30)))
        let canvas = try Canvas(now.viewport, scale: 1)
        Painter(now, on: canvas, ghosts: [before]).paint()
        expect(canvas, 30, 30, red)
        expect(canvas, 10, 10, Color(1, 0.68, 0.68))
        let resting = try Canvas(now.viewport, scale: 1)
        Painter(now, on: resting, ghosts: [now]).paint()
        expect(resting, 30, 30, red)
    }

    @Test func chosenComponentsAreDrawnAlone() throws {
        let shown = try picture(
            world(item("a", "#ff0000")) + "," + world(item("b", "#00ff00"), id: "v"),
            state(view("a", 10, 10)) + "," + state(view("b", 30, 30), of: "v"))
        let canvas = try Canvas(shown.viewport, scale: 1)
        Painter(shown, on: canvas, only: ["v"]).paint()
        expect(canvas, 10, 10, .white)
        expect(canvas, 30, 30, green)
    }

    /// Indexes and sizes as no daemon sends them, in the places from which looks take them.
    @Test(arguments: [
        "-1", "1e30", "-1e30", "9007199254740993", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615", "1e-30", "1e308",
    ])
    func strangeNumbersDoNoHarm(number: String) throws {
        let keys = [
            "index", "count", "page", "incoming", "row", "selected", "offset", "likes", "width",
        ]
        let numbers = keys.map { #""\#($0)":\#(number)"# }.joined(separator: ",")
        let model = #"{\#(numbers),"image":"x","bubble":{"counts":{\#(numbers)}}}"#
        let names = [
            "tip", "row--1", "row-9223372036854775807", "row-\(number)", "page", "incoming",
            "header", "content", "avatar", "bar", "bubble", "glow", "item-a", "menu", "touch", "a",
        ]
        let sides = ["20", number].flatMap { side in
            names.map { name in
                #""\#(name)":{"x":20,"y":20,"w":\#(side),"h":\#(side),"z":\#(number)}"#
            }
        }
        let content =
            #"{"corner_radius":\#(number),"font_size":\#(number),"text":"x","#
            + #""gradient":{"height":\#(number),"color":"red"},"color":"#
            + #""rgb(\#(number) \#(number) \#(number))"}"#
        let parameters =
            #"{"avatar":[\#(number),\#(number),1,\#(number)],"menu":[{}],"behaviors":"#
            + #"[{"boundaries":[{"from":[\#(number),0],"to":[0,\#(number)]}]}]}"#
        for kind in ["tips", "navigation", "profile", "list", "reader", "tabs", "dynamics", "toss"]
        {
            let component =
                #"{"id":"w","kind":"\#(kind)","parent":null,"slot":null,"clip":false,"#
                + #""frame":[0,0,40,40],"parameters":\#(parameters),"content":\#(content)}"#
            for side in sides {
                let shown = try picture(
                    component + "," + world(item("b", "#00ff00"), id: "v"),
                    #"{"component":"w","phase":"","model":\#(model),"views":{\#(side)}},"#
                        + state(view("b", 5, 35), of: "v"))
                expect(try drawn(shown), 5, 35, green)
            }
        }
    }

    /// Each component stands in the view of the one before: their scales multiply.
    @Test(arguments: ["1000000", "0.000001", "-1000", "3"])
    func nestedScalesDoNoHarm(scale: String) throws {
        let depth = 40
        let components = (0..<depth).map { level in
            let place = level == 0 ? "null,\"slot\":null" : "\"c\(level - 1)\",\"slot\":\"a\""
            return world(item("a", "red", #","shape":"circle""#), id: "c\(level)")
                .replacing(#"null,"slot":null"#, with: place)
        }
        let states = (0..<depth).map { level in
            state(view("a", 5, 5, 10, 10, #","scale":\#(scale)"#), of: "c\(level)")
        }
        let shown = try picture(
            (components + [world(item("b", "#00ff00"), id: "v")]).joined(separator: ","),
            (states + [state(view("b", 20, 35), of: "v")]).joined(separator: ","))
        expect(try drawn(shown), 20, 35, green)
    }

    /// Bodies as no daemon sends them draw nothing and end nothing.
    @Test(arguments: [
        #""a":{"x":1e300,"y":-1e300,"w":1e300,"h":1e300}"#, #""a":{}"#, #""a":7"#,
        #""a":{"x":20,"y":20,"w":10,"h":10,"scale":0}"#,
        #""a":{"x":20,"y":20,"w":-10,"h":-10,"rotation":1e18}"#,
    ])
    func strangeViewsDoNoHarm(strange: String) throws {
        for kind in ["tips", "toss", "navigation", "profile", "list", "reader", "tabs", "other"] {
            let component = world(item("a", "#ff0000")).replacing("dynamics", with: kind)
            let other = world(item("b", "#00ff00"), id: "v")
            let canvas = try drawn(
                picture(
                    component + "," + other,
                    state(strange) + "," + state(view("b", 5, 35), of: "v")))
            expect(canvas, 5, 35, green)
        }
    }
}
