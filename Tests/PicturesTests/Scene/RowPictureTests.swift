import Geometry
import Testing

@testable import Pictures

/// Rows that a list tells look as their own content says.
@Suite struct RowPictureTests {
    private let list =
        #"{"id":"l","kind":"list","parent":null,"slot":null,"frame":[0,0,40,40],"clip":true,"#
        + #""parameters":{"rows":9},"content":{"background":"blue"}}"#

    private func shown(_ rows: String) throws -> Picture {
        let views =
            view("row-4", 20, 10, 40, 20) + "," + view("row-5", 20, 30, 40, 20)
        var shown = try picture(list, state(views, of: "l"))
        shown.take(frame: try node(#"{"states":[],"rows":{\#(rows)}}"#))
        return shown
    }

    @Test func aRowHasItsOwnContentOverTheLists() throws {
        let told =
            #""l":{"version":1,"count":9,"from":4,"rows":"#
            + #"[{"id":"a","content":{"background":"lime"}},{"id":"b","content":{}}]}"#
        let canvas = try drawn(shown(told))
        expect(canvas, 5, 2, Color(0x00ff00))
        expect(canvas, 5, 22, Color(0x0000ff))
    }

    /// Bodies as no daemon sends them draw nothing and end nothing.
    @Test(arguments: [
        #""l":7"#, #""l":{"from":-9223372036854775808,"rows":[{}]}"#,
        #""l":{"from":9223372036854775807,"rows":[7]}"#, #""l":{"rows":{"a":1}}"#,
        #""x":{"from":4,"rows":[{"content":{"background":"lime"}}]}"#,
    ])
    func strangeRowsDoNoHarm(rows: String) throws {
        expect(try drawn(shown(rows)), 5, 2, Color(0x0000ff))
    }
}
