// Runs a session without a daemon and prints its states as a table: byte for byte what
// `gesturectl simulate RECORDING --format csv` prints.
//
//     swift run embedded                 a view that a hand throws
//     swift run embedded RECORDING       pans and contacts of one session, its scene an object
import Foundation
import GesturedCore

let scene: Value = [
    "viewport": [320, 568], "components": [["id": "card", "kind": "toss"]],
]

/// A hand that throws the card to the right: its samples, in milliseconds and points.
let flick: [Sample] =
    [Sample(0, .began, x: 160)]
    + (1...6).map { Sample(16 * Double($0), .changed, x: 160 + 20 * Double($0)) }
    + [Sample(112, .ended, x: 300)]

do {
    try run()
} catch {
    complain("\(error)")
    exit(1)
}

func complain(_ text: String) {
    FileHandle.standardError.write(Data("embedded: \(text)\n".utf8))
}

func run() throws {
    let lines = try CommandLine.arguments.dropFirst().first.map(recording) ?? []
    let samples = lines.isEmpty ? flick : lines.compactMap(Sample.init)
    let name = lines.compactMap { $0["topic"]?.string }.first.map { $0.split(separator: "/")[1] }
    let id = String(name ?? "local")
    var session = try LocalSession(
        scene: lines.first?["scene"] ?? scene, id: id, at: samples.first?.time ?? 0,
        seed: lines.first?["seed"]?.double.map { UInt64($0) })
    print("t,session,component,phase,view,x,y,w,h,rotation,scale,alpha,z,cut")
    for sample in samples {
        do {
            try session.send(sample.gesture, to: sample.component, at: sample.time)
        } catch {
            // A refused event changes nothing, and the daemon goes on, too.
            complain("\(sample.time) ms: \(error)")
        }
        for frame in session.takeFrames() { show(frame, of: id) }
    }
    // Ten minutes are more than any motion takes.
    let end = (samples.last?.time ?? 0) + 600_000
    for frame in try session.frames(to: end) { show(frame, of: id) }
}

/// The lines of a recording as tables.
func recording(at path: String) throws -> [Value] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
        try JSONDecoder().decode(Value.self, from: Data($0.utf8))
    }
}

/// One sample of a gesture, and when it came.
struct Sample {
    let time: Double
    let component: String?
    let gesture: Gesture

    init(_ time: Double, _ phase: Gesture.Phase, x: Double) {
        self.time = time
        component = nil
        gesture = .pointer(phase, number: 1, at: Point(x, 223))
    }

    /// Nil where the line is no pan and no contact.
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
            let velocity = body["vx"]?.double.map { Point($0, body["vy"]?.double ?? 0) }
            gesture = .pan(phase, at: Point(x, y), velocity: velocity)
        default: return nil
        }
    }
}

func show(_ frame: Frame, of session: String) {
    let time = "\(rounded(frame.time, to: 1e3))"
    for state in frame.states {
        let head = [time, session, state.component, state.phase]
        let views = state.views.map(row)
        for view in views.isEmpty ? [Array(repeating: "", count: 10)] : views {
            print((head + view).joined(separator: ","))
        }
    }
}

/// A view's name and its numbers.
func row(_ view: View) -> [String] {
    let points = [view.center.x, view.center.y, view.width, view.height]
    let fine = [wrapped(view.rotation), view.scale, view.alpha]
    return [view.name] + points.map { text($0, to: 1e3) } + fine.map { text($0, to: 1e6) }
        + ["\(view.z)", "\(view.cut)"]
}

/// Rounded as on the wire: points to 1/1,000, all else to 1/1,000,000.
func rounded(_ number: Double, to scale: Double) -> Double { (number * scale).rounded() / scale }

func text(_ number: Double, to scale: Double) -> String {
    let rounded = rounded(number, to: scale)
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
}

/// The same direction in (−π, π].
func wrapped(_ angle: Double) -> Double {
    let turned = angle.remainder(dividingBy: 2 * Double.pi)
    return turned <= -Double.pi ? Double.pi : turned
}
