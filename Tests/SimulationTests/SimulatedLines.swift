import Codec
import Foundation
import Geometry
import Protocol
import Recordings
import Sessions
import Simulation

/// Takes a simulation's messages down as lines `topic body`.
struct LineSink: MessageSink {
    let isFull = false
    private(set) var lines: [String] = []

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        var buffer = ByteBuffer(capacity: 1_024)
        body(&buffer)
        lines.append("\(topic.text) \(buffer.text())")
    }
}

/// The package's own files, from the place of this one.
enum Files {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardized

    static func example(_ name: String) throws -> [UInt8] {
        let url = root.appendingPathComponent("Examples/recordings/\(name).jsonl")
        return Array(try Data(contentsOf: url))
    }

    static func scenes() throws -> [String: Scene] {
        try SceneFolder.read(root.appendingPathComponent("config/scenes").path)
    }
}

let exampleNames = [
    "tour", "tips", "toss", "navigation", "profile", "list", "reader", "tabs", "notifications",
    "dock", "button", "label", "panel", "house", "pinball",
]

/// Runs a recording's bytes to its end, or to so many milliseconds after its first event.
func simulate(
    _ bytes: [UInt8], frameRate: Int = 60, until: Double? = nil, scenes: [String: Scene] = [:]
) throws -> [String] {
    let recording = try Recording(parsing: bytes, file: "test.jsonl")
    var simulator = try Simulator(
        recording, scenes: Files.scenes().merging(scenes) { $1 }, frameRate: frameRate,
        until: until)
    var sink = LineSink()
    simulator.run(into: &sink)
    return sink.lines
}

/// Runs the lines of a recording of `scene`, a scene's name or an object in JSON. `scenes` are
/// further ones that may be named.
func simulate(
    scene: String = #""phone""#, _ lines: [String], frameRate: Int = 60, until: Double? = nil,
    scenes: [String: Scene] = [:]
) throws -> [String] {
    let header = #"{"gesture-recording":1,"scene":\#(scene),"seed":7}"#
    let text = ([header] + lines).joined(separator: "\n")
    return try simulate(
        Array(text.utf8), frameRate: frameRate, until: until, scenes: scenes)
}

/// A line of a recording.
func event(_ t: Double, _ topic: String, _ body: String, step: Int? = nil) -> String {
    let place = step.map { #","step":\#($0)"# } ?? ""
    return #"{"t":\#(t)\#(place),"topic":"\#(topic)","body":\#(body)}"#
}

extension String {
    /// The topic of a line of output.
    var topic: String { String(split(separator: " ", maxSplits: 1)[0]) }

    /// A number of a line's body, by the first place its name stands in.
    func number(_ name: String) -> Double? {
        guard let range = range(of: "\"\(name)\":") else { return nil }
        return Double(self[range.upperBound...].prefix { "0123456789.-".contains($0) })
    }

    /// An update's body behind `epoch`, `seq` and `t`.
    var shown: String {
        let first = topic.hasPrefix("variables/") ? "version" : "phase"
        guard let range = range(of: "\"\(first)\":") else { return self }
        return String(self[range.lowerBound...])
    }
}
