import Codec
import Foundation
import Geometry
import Notation
import Protocol
import Recordings
import Testing

@testable import Pictures

/// A picture of one scene and the states of one frame, both as JSON.
func picture(_ components: String, _ states: String, viewport: String = "[40,40]") throws -> Picture
{
    var picture = Picture()
    picture.take(
        scene: try node(
            #"{"viewport":\#(viewport),"content":{"background":"white"},"#
                + #""components":[\#(components)]}"#
        ))
    picture.take(frame: try node(#"{"states":[\#(states)]}"#))
    return picture
}

func node(_ text: String) throws -> Node { try Document.json(Array(text.utf8)) }

/// A world of boxes, each with its color.
func world(_ items: String, id: String = "w", more: String = "") -> String {
    #"{"id":"\#(id)","kind":"dynamics","parent":null,"slot":null,"frame":[0,0,40,40],"clip":false,"#
        + #""parameters":{"items":[\#(items)]},"content":{}\#(more)}"#
}

func item(_ id: String, _ color: String, _ more: String = "") -> String {
    #"{"id":"\#(id)","size":[10,10],"content":{"background":"\#(color)"}\#(more)}"#
}

func state(_ views: String, of id: String = "w") -> String {
    #"{"component":"\#(id)","phase":"resting","model":{},"views":{\#(views)}}"#
}

func view(
    _ name: String, _ x: Double, _ y: Double, _ w: Double = 10, _ h: Double = 10,
    _ more: String = ""
) -> String {
    #""\#(name)":{"x":\#(x),"y":\#(y),"w":\#(w),"h":\#(h)\#(more)}"#
}

/// Draws a picture, a pixel for each point.
func drawn(_ picture: Picture, scale: Double = 1) throws -> Canvas {
    let canvas = try Canvas(picture.viewport, scale: scale)
    Painter(picture, on: canvas).paint()
    return canvas
}

/// Whether a pixel has a color, but for what rounding does.
func expect(
    _ canvas: Canvas, _ x: Int, _ y: Int, _ color: Color,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let found = canvas.color(x: x, y: y) else {
        Issue.record("no pixel at \(x), \(y)", sourceLocation: sourceLocation)
        return
    }
    let off =
        [
            found.red - color.red, found.green - color.green, found.blue - color.blue,
        ].map(\.magnitude).max() ?? 0
    #expect(off < 0.012, "\(found) at \(x), \(y)", sourceLocation: sourceLocation)
}

private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// One of the examples.
func film(_ name: String) throws -> Film {
    let file = root.appendingPathComponent("Examples/recordings/\(name).jsonl")
    let reading = try Reading(Array(try Data(contentsOf: file)), file: name)
    let scenes = try SceneFolder.read(root.appendingPathComponent("config/scenes").path)
    return try Film(reading.recording, scenes: scenes)
}
