import Geometry
import Testing

@testable import Pictures

@Suite struct PictureTests {
    @Test func aFrameChangesWhatItNames() throws {
        var shown = try picture(
            world("") + "," + world("", id: "v"),
            state(view("a", 1, 1)) + "," + state(view("b", 2, 2), of: "v"))
        shown.take(frame: try node(#"{"states":[\#(state(view("a", 9, 9)))]}"#))
        #expect(shown.states["w"]?.views.first?.x == 9 && shown.states["v"]?.views.first?.x == 2)
    }

    @Test func aSceneDropsComponentsThatAreGone() throws {
        var shown = try picture(world(""), state(view("a", 1, 1)))
        shown.take(scene: try node(#"{"viewport":[10,20],"components":[]}"#))
        #expect(shown.states.isEmpty && shown.viewport.height == 20)
    }

    @Test func countsAndTransitionsStay() throws {
        var shown = try picture(world(""), state(""))
        shown.take(
            frame: try node(
                #"{"states":[],"transitions":[{"component":"w","name":"wake","event":"began"}],"#
                    + #""badge":{"total":5,"counts":{"likes":3,"news":2}}}"#))
        shown.take(frame: try node(#"{"states":[]}"#))
        #expect(shown.total == 5 && shown.counts.map(\.kind) == ["likes", "news"])
        #expect(shown.passages.map(\.name) == ["wake"])
        shown.clear()
        #expect(shown == Picture())
    }
}
