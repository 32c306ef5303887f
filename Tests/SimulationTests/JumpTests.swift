import Codec
import Foundation
import Geometry
import Interactions
import Notation
import Protocol
import Recordings
import Simulation
import TestSupport
import Testing

/// Plays a recording and watches every component's states for jumps, as a client sees them.
private struct JumpSink: MessageSink {
    private struct Component {
        var detector = JumpDetector()
        var phase = ""
        var running = 0
        /// Milliseconds.
        var time: Double?
    }

    let isFull = false
    /// The times of the recording's events, in milliseconds from the first, and its fastest input
    /// in points a step.
    let events: [Double]
    let fastest: Double
    private var opened: Double?
    private var components: [String: Component] = [:]
    private(set) var faults: [String] = []
    private(set) var states = 0

    init(_ recording: Recording) throws {
        let first = recording.events.first?.time ?? 0
        events = recording.events.map { $0.time - first }
        fastest = try Self.fastestInput(of: recording)
    }

    /// The most points that any input moves in a step.
    private static func fastestInput(of recording: Recording) throws -> Double {
        var last: [String: (time: Double, place: Vector)] = [:]
        var fastest = 0.0
        for event in recording.events {
            let body = try Document.json(event.body)
            let steps = { (time: Double) in max(1, (event.time - time) * 0.12) }
            let finger =
                String(decoding: event.topic, as: UTF8.self)
                + " \(body["gesture"]?.string ?? "") \(body["pointer"]?.int ?? 0)"
            let place = Vector(
                body["x"]?.double ?? 0,
                (body["y"]?.double ?? 0) + (body["offset"]?.double ?? 0))
            if let former = last[finger], body["phase"]?.string != "began" {
                fastest = max(fastest, (place - former.place).length / steps(former.time))
            }
            last[finger] = (event.time, place)
            fastest = max(fastest, abs(body["dy"]?.double ?? 0))
            let velocity = Vector(body["vx"]?.double ?? 0, body["vy"]?.double ?? 0)
            fastest = max(fastest, velocity.length / 120)
        }
        return fastest
    }

    mutating func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        guard topic.text.hasPrefix("state/") else { return }
        var buffer = ByteBuffer(capacity: 4_096)
        body(&buffer)
        guard let state = try? Document.json(buffer.array()), let time = state["t"]?.double else {
            faults.append("\(topic.text) has no state")
            return
        }
        look(topic.text, state, time)
    }

    private mutating func look(_ name: String, _ state: Node, _ time: Double) {
        states += 1
        let start = opened ?? time
        opened = start
        var component = components[name] ?? Component()
        let last = component.time ?? start
        let steps = max(1, Int(((time - last) * 0.12).rounded()))
        let phase = state["phase"]?.string ?? ""
        let running = state["running"]?.array?.count ?? 0
        let isNew = phase != component.phase || running != component.running
        // Events of the two frames before may show in this one.
        let isTouched = events.contains { $0 >= last - start - 34 && $0 <= time - start + 1 }
        if isNew || isTouched { component.detector.begins() }
        if isTouched { component.detector.moved(by: fastest * Double(steps)) }
        var look = Look()
        for view in state["views"]?.members ?? [] {
            look.views.append(Look.View(view.name, ViewState(view.value)))
        }
        for jump in component.detector.look(look, steps: steps) {
            faults.append("\(name) at \(time - start) ms, \(phase): \(jump)")
        }
        component.phase = phase
        component.running = running
        component.time = time
        components[name] = component
    }
}

extension ViewState {
    fileprivate init(_ view: Node) {
        func number(_ name: String) -> Double { view[name]?.double ?? 0 }
        self.init(
            center: Vector(number("x"), number("y")), size: Size(number("w"), number("h")),
            rotation: number("rotation"), scale: number("scale"), alpha: number("alpha"),
            z: view["z"]?.int ?? 0, cut: view["cut"]?.int ?? 0)
    }
}

// Jumps are decided in the core, which the sanitizers leave out: they would take minutes.
@Suite(
    .disabled(
        if: ProcessInfo.processInfo.environment["TESTS"] == "edge", "the core has other tests"))
struct JumpTests {
    /// Returns how many states were shown.
    @discardableResult
    private func play(_ recording: Recording, _ name: String) throws -> Int {
        var simulator = try Simulator(recording, scenes: Files.scenes(), frameRate: 60)
        var sink = try JumpSink(recording)
        simulator.run(into: &sink)
        #expect(sink.faults.isEmpty, "\(name): \(sink.faults.prefix(6).joined(separator: "\n"))")
        return sink.states
    }

    @Test(arguments: exampleNames)
    func nothingJumpsInAnExample(name: String) throws {
        let states = try play(try Recording(parsing: Files.example(name), file: name), name)
        #expect(states > 0)
    }

    private static let formats = Files.root.appendingPathComponent("Examples/recordings/others")
    private static let shared = Files.root.appendingPathComponent("../shared/data").standardized

    /// The files of a folder that hold recordings of hands.
    private static func hands(_ folder: URL) -> [URL] {
        let endings = ["events", "txt", "json", "csv", "evemu", "getevent", "xml", "evtest", "yml"]
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }
            .filter { endings.contains($0.pathExtension) }
    }

    /// Real hands play every component that a finger or a wheel moves.
    @Test(arguments: [formats, shared])
    func nothingJumpsUnderRealHands(folder: URL) throws {
        let files = Self.hands(folder)
        if files.isEmpty { return print("skipped: no recordings of real hands at \(folder.path)") }
        var played = 0
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            for component in ["tips", "toss", "list", "reader", "profile", "tabs", "navigation"] {
                var options = ReadingOptions()
                options.session = "alice"
                options.component = component
                // Some files describe devices and hold no hand.
                guard
                    let reading = try? Reading(
                        bytes, file: file.lastPathComponent, options: options)
                else { continue }
                let states = try play(
                    reading.recording, "\(file.lastPathComponent) on \(component)")
                if states > 0 { played += 1 }
            }
        }
        #expect(played > 5)
    }
}
