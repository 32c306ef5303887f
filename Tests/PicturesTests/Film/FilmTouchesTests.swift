import Geometry
import Notation
import Recordings
import Sessions
import Testing

@testable import Pictures

private func event(_ time: Double, _ topic: String, _ body: String) -> Recording.Event {
    Recording.Event(time: time, topic: Array(topic.utf8), body: Array(body.utf8), line: 1)
}

private func pointer(_ phase: String, _ x: Double, _ y: Double, _ number: Int = 1) -> String {
    #"{"gesture":"pointer","phase":"\#(phase)","pointer":\#(number),"x":\#(x),"y":\#(y)}"#
}

@Suite struct FilmTouchesTests {
    private let touches = Touches(
        Recording(events: [
            event(1_000, "notification/a", #"{"kind":"likes","x":1,"y":1}"#),
            event(1_100, "gesture/a", pointer("began", 10, 20)),
            event(1_150, "gesture/a", pointer("began", 90, 90, 2)),
            event(1_200, "gesture/a", pointer("changed", 30, 40)),
            event(1_300, "gesture/a", pointer("ended", 50, 40)),
            event(1_300, "gesture/b/toss", #"{"gesture":"tap","x":5,"y":6}"#),
            event(1_300, "gesture/a", "no JSON"),
        ]))

    @Test func aFingerIsBetweenItsSamples() {
        #expect(touches.fingers(on: "a", at: 99).isEmpty, "before it lands")
        let finger = touches.fingers(on: "a", at: 140).first
        #expect(finger?.x == 18 && finger?.y == 28 && finger?.strength == 1)
        #expect(touches.fingers(on: "a", at: 160).map(\.x) == [22, 90], "two are down")
    }

    @Test func aLiftedFingerFades() throws {
        let strengths = [300.0, 350, 400, 470, 490].map { time in
            touches.fingers(on: "a", at: time).first { $0.y == 40 }?.strength ?? 0
        }
        #expect(strengths.first == 1 && strengths.last == 0)
        #expect(strengths == strengths.sorted(by: >))
    }

    @Test func aTouchOfAComponentIsInItsCoordinates() {
        #expect(touches.fingers(on: "b", at: 310).first?.component == "toss")
        #expect(touches.fingers(on: "b", at: 310).first?.x == 5)
    }

    @Test func aHandHasTheColorAndTheNameOfItsUser() {
        let named = Touches(
            Recording(events: [
                event(
                    0, "gesture/a",
                    #"{"gesture":"pointer","phase":"began","pointer":1,"x":1,"y":2,"#
                        + #""user":"anna"}"#),
                event(0, "gesture/a", pointer("began", 90, 90, 2)),
            ]))
        let fingers = named.fingers(on: "a", at: 0)
        #expect(fingers.map(\.user) == ["anna", nil])
        #expect(fingers[0].color == Color(0xa3e635))
        #expect(fingers[1].color == Color(css: ContactColor(pointer: 2).text))
    }

    @Test func placesAreBounded() throws {
        let far = Touches(
            Recording(events: [
                event(0, "gesture/a", pointer("began", 1e308, -1e308)),
                event(100, "gesture/a", pointer("changed", -1e308, 1e308)),
            ]))
        let finger = try #require(far.fingers(on: "a", at: 50).first)
        #expect(finger.x == 0 && finger.y == 0)
        #expect(far.fingers(on: "a", at: 0).first?.x == Picture.placeMax)
        let canvas = try Canvas(Size(40, 40), scale: 1)
        try Painter(picture(world(""), state("")), on: canvas).paint(far.fingers(on: "a", at: 0))
        canvas.fill(.box(0, 0, 40, 40), .white)
        expect(canvas, 20, 20, .white)
    }

    /// As deep as a daemon's scenes may be nested; a scene that stands in itself ends, too.
    @Test func aFingerIsFoundInTheInnermostComponent() throws {
        let depth = Limits.nestingMax + 1
        let components = (0..<depth).map { level in
            let parent = level == 0 ? "null" : "\"c\(level - 1)\""
            return world(item("a", "white"), id: "c\(level)")
                .replacing(#""parent":null"#, with: "\"parent\":" + parent)
                .replacing("[0,0,40,40]", with: "[10,0,40,40]")
        }
        let shown = try picture(components.joined(separator: ","), state(""), viewport: "[200,40]")
        let canvas = try Canvas(shown.viewport, scale: 1)
        let id = "c\(depth - 1)"
        Painter(shown, on: canvas).paint([Touches.Finger(x: 5, y: 20, component: id, strength: 1)])
        #expect(canvas.color(x: 10 * depth + 5, y: 20)?.alpha ?? 0 > 0.3)
        let own = try picture(
            world("").replacing(#""parent":null"#, with: #""parent":"w""#), state(""))
        Painter(own, on: canvas).paint([Touches.Finger(x: 5, y: 5, component: "w", strength: 1)])
    }

    @Test func fingersLieOverThePicture() throws {
        let inner = world(item("b", "blue"), id: "in")
            .replacing(#""parent":null,"slot":null"#, with: #""parent":"w","slot":"a""#)
            .replacing("[0,0,40,40]", with: "[5,5,10,10]")
        let shown = try picture(
            world(item("a", "red")) + "," + inner,
            state(view("a", 50, 50, 80, 80)) + "," + state("", of: "in"), viewport: "[100,100]")
        let canvas = try drawn(shown)
        let before = canvas.color(x: 45, y: 45)
        Painter(shown, on: canvas).paint(
            [Touches.Finger(x: 30, y: 30, component: "in", strength: 1)])
        // The slot begins at (10, 10), the component at (15, 15).
        #expect(canvas.color(x: 45, y: 45) != before)
        expect(canvas, 75, 45, Color(0xff0000))
    }

    @Test func timesPartASpanEvenly() {
        #expect(Screening.times(from: 1, to: 4, count: 4) == [1, 2, 3, 4])
        #expect(Screening.times(from: 1, to: 4, count: 1) == [1])
        #expect([1.0, 2, 2, 3].last(notAfter: 2) { $0 } == 2)
        #expect([1.0, 2].last(notAfter: 0.5) { $0 } == nil)
    }
}
