import Geometry
import Notation
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

    @Test(arguments: [
        "[1e30,1]", "[1e-30,1]", "[0,10]", "[-1,10]", "[1,100001]", "[10]", "[10,10,10]",
    ])
    func aViewportThatCannotBeDrawnIsPassedOver(viewport: String) throws {
        let shown = try picture(world(""), state(""), viewport: viewport)
        #expect(shown.viewport == Picture().viewport)
    }

    @Test func numbersAreBounded() throws {
        let shown = try picture(
            world(item("a", "red", #","size":[1e30,-9223372036854775808]"#))
                .replacing("[0,0,40,40]", with: "[1e30,-1e30,5,5]"),
            #"{"component":"w","phase":"","model":{"a":[18446744073709551615,-1e30]},"views":"#
                + #"{"a":{"x":1e30,"y":-1e30,"w":-1,"h":1e30,"z":-9223372036854775808}}}"#)
        let view = try #require(shown.states["w"]?.views.first)
        #expect([view.x, view.y, view.width, view.height] == [1e6, -1e6, 0, 1e6])
        #expect(shown.states["w"]?.model["a"]?.numbers == [1e9, -1e9])
        #expect(shown.components.first?.frame.origin.x == 1e6)
        let sizes = shown.components.first?.parameters["items"]?.array?.first?.members?
            .filter { $0.name == "size" }.last?.value.numbers
        #expect(sizes == [1e9, -1e9])
    }

    @Test func anIndexBeginsAnew() {
        #expect(
            [-4, -1, 0, 3, .min, .max].map { ["a", "b", "c"][around: $0] } == [
                "c", "c", "a", "a", "b", "b",
            ])
    }

    @Test func countsAndTransitionsStay() throws {
        var shown = try picture(world(""), state(""))
        shown.take(
            frame: try node(
                #"{"states":[],"transitions":[{"component":"w","name":"wake","event":"began"}],"#
                    + #""badge":{"total":5,"counts":{"likes":3,"news":2}}}"#))
        shown.take(frame: try node(#"{"states":[]}"#))
        #expect(shown.total == 5 && shown.counts.map(\.kind) == ["likes", "news"])
        #expect(shown.transitions.map(\.name) == ["wake"])
        shown.clear()
        #expect(shown == Picture())
    }
}
