import Foundation
import Notation
import Protocol
import Testing

@testable import Recordings

/// The package's own recordings of each format, and public ones beside the repository.
enum Hands {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let own = tests.appendingPathComponent("../../Examples/recordings").standardized
    static let shared = tests.appendingPathComponent("../../../shared/data").standardized

    static let areMissing: Bool = {
        let isThere = FileManager.default.fileExists(atPath: shared.path)
        if !isThere { print("skipped: no recordings of real hands at \(shared.path)") }
        return !isThere
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: own.appendingPathComponent(name)))
    }

    /// The files below a folder of the public ones with one of these endings, sorted.
    static func files(_ folder: String, _ endings: String...) throws -> [URL] {
        let base = shared.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: base.path)
            .filter { name in endings.contains { name.hasSuffix($0) } }
            .sorted().map { base.appendingPathComponent($0) }
    }
}

/// One event as a line: `12.5 began 0 3,4`, `8 wheel 0,120 at 160,284`.
func short(_ event: Recording.Event) throws -> String {
    let body = try Document.json(event.body)
    func number(_ name: String) -> String {
        guard let value = body[name]?.double else { return "?" }
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }
    let time = Int(exactly: event.time).map(String.init) ?? "\(event.time)"
    let phase = body["phase"]?.string ?? ""
    switch body["gesture"]?.string {
    case "pointer": return "\(time) \(phase) \(number("pointer")) \(number("x")),\(number("y"))"
    case "wheel":
        let way = "\(body["dx"] == nil ? "0" : number("dx")),\(number("dy"))"
        return "\(time) wheel \(way) at \(number("x")),\(number("y"))"
    case "swipe": return "\(time) swipe \(body["direction"]?.string ?? "?")"
    case let other: return "\(time) \(other ?? "?") \(phase) \(number("x")),\(number("y"))"
    }
}

func read(
    _ text: String, _ change: (inout ReadingOptions) -> Void = { _ in }
) throws -> Reading {
    var options = ReadingOptions()
    change(&options)
    return try Reading(Array(text.utf8), file: "f", options: options)
}

/// The events of a text as short lines, with one point for each unit.
func shorts(_ text: String) throws -> [String] {
    try read(text) { $0.scale = 1 }.recording.events.map(short)
}

/// A text of evemu, from lines `time code value` with milliseconds.
func evemu(_ lines: String...) -> String {
    let reports = lines.map { line -> String in
        let words = line.split(separator: " ")
        guard let time = Int(words[0]) else { return line }
        let fraction = String(time % 1_000 * 1_000)
        let zeros = String(repeating: "0", count: 6 - fraction.count)
        let name = [
            "slot": "3 2f", "id": "3 39", "x": "3 35", "y": "3 36", "major": "3 30",
            "pressure": "3 18", "tool": "3 37", "above": "3 3b", "pen": "1 140",
            "rubber": "1 141", "finger": "1 145", "left": "1 110", "right": "1 111",
            "force": "3 3a", "across": "2 0",
        ]
        switch words[1] {
        case "sync": return "E: \(time / 1_000).\(zeros)\(fraction) 0000 0000 0"
        case "mt": return "E: \(time / 1_000).\(zeros)\(fraction) 0000 0002 0"
        case "lost": return "E: \(time / 1_000).\(zeros)\(fraction) 0000 0003 0"
        case "touch": return "E: \(time / 1_000).\(zeros)\(fraction) 0001 014a \(words[2])"
        case "x1": return "E: \(time / 1_000).\(zeros)\(fraction) 0003 0000 \(words[2])"
        case "y1": return "E: \(time / 1_000).\(zeros)\(fraction) 0003 0001 \(words[2])"
        default:
            let code = name[String(words[1])] ?? "?"
            return "E: \(time / 1_000).\(zeros)\(fraction) \(code) \(words[2])"
        }
    }
    return reports.joined(separator: "\n") + "\n"
}
