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
