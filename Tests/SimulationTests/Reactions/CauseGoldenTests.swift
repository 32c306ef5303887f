import Foundation
import Geometry
import TestSupport
import Testing

/// A timeline of each cause, to the bit: when a reaction to it happens, and every byte that the
/// session tells.
@Suite struct CauseGoldenTests {
    private struct Row {
        var when: String
        var events: [String]

        init(_ when: String, _ events: [String]) { (self.when, self.events) = (when, events) }
    }

    private static func command(_ t: Double, _ component: String, _ body: String) -> String {
        event(t, "command/s/\(component)", "{\(body)}")
    }

    /// A finger that comes to a place, rests or moves in 20 samples, and lifts.
    private static func stroke(
        _ t: Double, from: Vector, to: Vector, milliseconds: Double = 400
    ) -> [String] {
        func sample(_ phase: String, _ part: Double) -> String {
            let place = from + (to - from) * part
            return event(
                t + milliseconds * part, "gesture/s",
                #"""
                {"gesture":"pointer","pointer":1,"phase":"\#(phase)",\#
                "x":\#(place.x),"y":\#(place.y)}
                """#)
        }
        return [sample("began", 0)] + (1...20).map { sample("changed", Double($0) / 20) }
            + [sample("ended", 1)]
    }

    private static let one = Vector(50, 20)
    private static let rows: [Row] = [
        Row(#"{"component":"one","transition":"tap"}"#, touch(0, x: 50, y: 20)),
        Row(
            #"{"component":"one","transition":"long-press"}"#,
            stroke(0, from: one, to: one, milliseconds: 700)),
        Row(#"{"component":"two","transition":"tap"}"#, [tap(0, "two"), tap(300, "two")]),
        Row(
            #"{"component":"hold","transition":"tap"}"#,
            stroke(0, from: Vector(270, 20), to: Vector(270, 20), milliseconds: 900)),
        Row(
            #"{"component":"tabs","transition":"select","item":"b"}"#,
            [
                command(0, "tabs", #""command":"select","index":1"#),
                command(500, "tabs", #""command":"select","index":2"#),
            ]),
        Row(
            #"{"component":"list","transition":"select","item":"bread"}"#,
            [
                command(0, "list", #""command":"select","row":0"#),
                command(100, "list", #""command":"select","item":"bread""#),
            ]),
        Row(
            #"{"component":"list","transition":"open","row":0}"#,
            [event(0, "gesture/s/list", #"{"gesture":"swipe","direction":"left","row":0}"#)]),
        Row(
            #"{"component":"sheet","transition":"settle","event":"ended","to":"high"}"#,
            stroke(0, from: Vector(160, 480), to: Vector(160, 330))),
        Row(
            #"{"component":"sheet","phase":"dragging"}"#,
            stroke(0, from: Vector(160, 480), to: Vector(160, 510))),
        Row(#"{"component":"world","transition":"contact","boundary":"floor"}"#, [tap(0, "one")]),
        Row(
            #"{"component":"world","transition":"contact","item":"plate","with":"ball"}"#,
            [tap(0, "one")]),
        Row(
            #"{"component":"world","transition":"tap","item":"plate"}"#,
            touch(0, x: 70, y: 449)),
        Row(
            #"{"component":"tips","transition":"tap"}"#,
            [command(0, "tips", #""command":"present""#)] + touch(2_000, x: 160, y: 284)),
        Row(#"{"component":"toss","transition":"tap"}"#, touch(0, x: 230, y: 150)),
        Row(
            #"{"component":"points","transition":"change"}"#,
            [
                event(
                    0, "command/s",
                    #"{"command":"set","component":"points","values":{"text":"{name}"}}"#)
            ]),
        Row(
            #"{"component":"hello","transition":"hide","event":"ended"}"#,
            [
                command(0, "hello", #""command":"hide""#),
                command(100, "hello", #""command":"show""#),
                command(500, "hello", #""command":"hide""#),
            ]),
        Row(#"{"session":"opened"}"#, [tap(0, "one")]),
        Row(
            #"{"session":"resized"}"#,
            [event(100, "command/s", #"{"command":"resize","viewport":[400,640]}"#)]),
        Row(
            #"{"notification":"n"}"#,
            [notify(0, #"{"kind":"n","data":{"x":3}}"#), notify(100, #"{"kind":"n","set":1}"#)]),
        Row(
            #"{"badge":"k","above":2}"#,
            [notify(0, #"{"kind":"k","add":2}"#), notify(100, #"{"kind":"k"}"#)]),
        Row(
            #"{"badge":"k","below":2}"#,
            [
                notify(0, #"{"kind":"k","add":3}"#),
                command(100, "badges", #""command":"clear""#),
            ]),
        Row(
            #"{"variable":"open"}"#,
            [
                event(0, "command/s", #"{"command":"assign","values":{"open":true}}"#),
                event(100, "command/s", #"{"command":"assign","values":{"open":true}}"#),
            ]),
        Row(
            #"{"variable":"name","is":"Ann"}"#,
            [event(0, "command/s", #"{"command":"assign","values":{"name":"Ann"}}"#)]),
        Row(
            #"{"variable":"score","below":-1}"#,
            [event(0, "command/s", #"{"command":"assign","values":{"score":-1.5}}"#)]),
        Row(#"{"idle":0.4}"#, touch(100) + touch(800)),
        Row(#"{"every":0.3}"#, [tap(0, "one"), tap(1_000, "one")]),
        Row(
            #"[{"every":0.5},{"idle":0.2},{"component":"one","transition":"tap"}]"#,
            touch(0, x: 50, y: 20) + touch(700)),
    ]

    @Test func eachCauseKeepsItsTime() throws {
        var text = ""
        for row in Self.rows {
            let reaction = #"{"when":\#(row.when),"do":{"variable":"score","add":1}}"#
            let scene = AppStorm.scene([reaction])
            var last: [String] = []
            for rate in [30, 60, 120] {
                let ofRate = scene.replacingOccurrences(of: "RATE", with: "\(rate)")
                let lines = try simulate(scene: ofRate, row.events, until: 4_000)
                let values = lines.variables("score")
                // A rate tells a step's change with its next frame; the value is the same.
                last.append(values.last.map { String($0.drop { $0 != " " }) } ?? "")
                guard rate == 60 else { continue }
                var hash = StableHash()
                for line in lines { for byte in line.utf8 { hash.combine(byte) } }
                text +=
                    "\(row.when)\n  score \(values.joined(separator: ", "))\n"
                    + "  \(lines.count) lines \(String(hash.value, radix: 16))\n"
            }
            #expect(Set(last).count == 1, "\(row.when): \(last)")
            #expect(last.first != " 0" && last.first != "", "\(row.when) never happens")
        }
        try expectGolden(text, named: "causes.txt")
    }
}
