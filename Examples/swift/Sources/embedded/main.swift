// Runs a session without a daemon and prints each state as a line of a table: the same bits as
// `gesturectl simulate RECORDING --format csv`.
//
//     swift run embedded                 a view that is tossed
//     swift run embedded RECORDING       our recording of one session, its scene an object
import Foundation
import GesturedCore

let scene: Value = [
    "viewport": [320, 568],
    "components": [["id": "card", "kind": "toss", "size": [254, 172]]],
]

/// A hand that throws the card to the right: its touches, in milliseconds and points.
let flick: [Touch] =
    [Touch(at: 0, .began, x: 160, y: 223)]
    + (1...6).map { Touch(at: Double($0) * 16, .changed, x: 160 + Double($0) * 20, y: 223) }
    + [Touch(at: 112, .ended, x: 300, y: 223)]

struct Touch {
    let time: Double
    let component: String?
    let gesture: Gesture

    init(at time: Double, _ phase: Gesture.Phase, x: Double, y: Double) {
        self.time = time
        component = nil
        gesture = .pointer(phase, number: 1, at: Point(x, y))
    }

    /// A line of a recording; nil where it is no gesture that this example knows.
    init?(_ line: Value) {
        guard let time = line["t"]?.double, let topic = line["topic"]?.string,
            let body = line["body"], let x = body["x"]?.double, let y = body["y"]?.double,
            let phase = body["phase"]?.string.flatMap(Gesture.Phase.init)
        else { return nil }
        let parts = topic.split(separator: "/")
        self.time = time
        component = parts.count > 2 ? String(parts[2]) : nil
        switch body["gesture"]?.string {
        case "pointer":
            let number = Int64(body["pointer"]?.double ?? 1)
            gesture = .pointer(phase, number: number, at: Point(x, y))
        case "pan":
            let vx = body["vx"]?.double
            let vy = body["vy"]?.double
            let isMeasured = vx != nil || vy != nil
            gesture = .pan(
                phase, at: Point(x, y), velocity: isMeasured ? Point(vx ?? 0, vy ?? 0) : nil)
        default: return nil
        }
    }
}

/// Rounded as on the wire, halves away from 0.
func text(_ number: Double, digits: Int) -> String {
    let scale = digits == 3 ? 1e3 : 1e6
    let rounded = (number * scale).rounded() / scale
    let shown = String(format: "%.\(digits)f", rounded == 0 ? 0 : rounded)
    guard shown.contains(".") else { return shown }
    return String(shown.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
}

/// In (−π, π].
func wrapped(_ angle: Double) -> Double {
    let turned = angle.remainder(dividingBy: 2 * Double.pi)
    return turned <= -Double.pi ? turned + 2 * Double.pi : turned
}

func print(_ frame: Frame, of session: String) {
    for state in frame.states {
        for view in state.views {
            let numbers = [
                text(view.center.x, digits: 3), text(view.center.y, digits: 3),
                text(view.width, digits: 3), text(view.height, digits: 3),
                text(wrapped(view.rotation), digits: 6), text(view.scale, digits: 6),
                text(view.alpha, digits: 6), "\(view.z)", "\(view.cut)",
            ]
            let time = (frame.time * 1e3).rounded() / 1e3
            let names = ["\(time)", session, state.component, state.phase, view.name]
            print((names + numbers).joined(separator: ","))
        }
    }
}

var lines: [Value] = []
if CommandLine.arguments.count > 1 {
    let recording = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
    lines = try recording.split(separator: "\n").map {
        try JSONDecoder().decode(Value.self, from: Data($0.utf8))
    }
}
let touches = lines.isEmpty ? flick : lines.compactMap(Touch.init)
let name = lines.compactMap { $0["topic"]?.string }.first?.split(separator: "/")[1] ?? "local"
let seed = lines.first?["seed"]?.double.map { UInt64($0) }
var session = try LocalSession(
    scene: lines.first?["scene"] ?? scene, id: String(name), at: touches.first?.time ?? 0, seed: seed)
print("t,session,component,phase,view,x,y,w,h,rotation,scale,alpha,z,cut")
for touch in touches {
    try session.send(touch.gesture, to: touch.component, at: touch.time)
}
// Ten minutes are more than any motion takes.
let end = (touches.last?.time ?? 0) + 600_000
for frame in try session.frames(to: end) { print(frame, of: String(name)) }
