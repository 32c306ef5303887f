import Geometry
import Testing

@testable import Pictures

/// The hands that a session tells, over its picture.
@Suite struct HandPictureTests {
    private func touches(_ list: String) -> String { #"{"states":[],"touches":[\#(list)]}"# }

    private let red =
        ##"{"pointer":1,"x":50,"y":50,"kind":"finger","color":"#ff0000","user":"anna"}"##

    @Test func aHandIsADiscInItsColor() throws {
        var shown = try picture("", "", viewport: "[100,100]")
        shown.take(frame: try node(touches(red)))
        #expect(shown.touches.map(\.user) == ["anna"])
        let canvas = try drawn(shown)
        expect(canvas, 50, 50, Color(1, 0.6, 0.6))
        expect(canvas, 50, 80, .white)
        expect(canvas, 29, 50, Color(0xff0000))
    }

    @Test func handsStayUntilTheNextListComes() throws {
        var shown = try picture("", "", viewport: "[100,100]")
        shown.take(frame: try node(touches(red)))
        shown.take(frame: try node(#"{"states":[]}"#))
        #expect(shown.touches.count == 1)
        shown.take(frame: try node(touches("")))
        #expect(shown.touches.isEmpty)
        expect(try drawn(shown), 50, 50, .white)
    }

    @Test func handsOfAnotherLifeAreGone() throws {
        var shown = try picture("", "", viewport: "[100,100]")
        shown.take(frame: try node(#"{"epoch":"a.1","states":[],"touches":[\#(red)]}"#))
        shown.take(frame: try node(#"{"epoch":"a.2","states":[]}"#))
        #expect(shown.touches.isEmpty)
    }

    @Test func aListThatNoDaemonSendsDrawsWhatItCan() throws {
        var shown = try picture("", "", viewport: "[100,100]")
        let odd = #"{"x":1e300,"y":-1e300},{"x":"1","y":2},7,{"x":5,"y":5,"color":"none at all"}"#
        shown.take(frame: try node(touches(odd)))
        #expect(shown.touches.map(\.x) == [Picture.placeMax, 5])
        let many = Array(repeating: red, count: 500).joined(separator: ",")
        shown.take(frame: try node(touches(many)))
        #expect(shown.touches.count == 64)
        _ = try drawn(shown)
    }
}
