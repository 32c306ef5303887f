import Codec
import Foundation
import Interactions
import Manual
import Protocol
import Recordings
import Sessions
import Simulation

extension Command {
    static let simulate = Command(
        name: "simulate", arguments: "FILE",
        summary: "Run a recording on virtual time and print the updates",
        details: """
            Needs no daemon. Prints what a subscriber of everything would get, one
            {"topic":…,"body":…} a line; the same file gives the same bytes, always. FILE is any
            recording that replay takes; - is standard input.
            """,
        options: [
            Option("--until", "MS", "end so many milliseconds after the first event"),
            Option("--frame-rate", "N", "30, 60 or 120, where the scene names none (default 60)"),
            Option("--scenes", "DIR", "the folder of scenes that a recording may name"),
        ] + sourceOptions,
        examples: [
            ("gesturectl simulate toss.jsonl > toss.updates", "tell what a client would get"),
            (
                "gesturectl simulate --until 500 --frame-rate 120 toss.jsonl",
                "tell the first half second at 120 states a second"
            ),
            (
                "gesturectl simulate wheel.json --component reader",
                "tell what the turns of a wheel do to the reader"
            ),
        ]
    ) { context throws(Failure) in
        let arguments = context.arguments
        try arguments.expect(["FILE"])
        let until = try arguments.number("--until", in: 0...Recording.spanMillisecondsMax)
        let frameRate = try arguments.number("--frame-rate", in: 30...120) ?? 60
        guard [30, 60, 120].contains(frameRate) else {
            throw .usage("--frame-rate must be 30, 60 or 120")
        }
        let source = try Source(arguments)
        let scenes = try scenesToName(arguments)
        let recording = try source.read { source.viewport(of: scenes) }.recording
        var lines = LineSink()
        do throws(Rejection) {
            var simulator = try Simulator(
                recording, scenes: scenes, frameRate: Int(frameRate), until: until)
            simulator.run(into: &lines)
        } catch {
            // The header is the first line; a scene that it does not name is none of its faults.
            let isNamed = !arguments.has("--scene") && recording.scene != nil
            let place = isNamed ? "\(inputName(arguments.positionals[0])):1: " : ""
            let hint =
                scenes.isEmpty && error.code == .unknownScene
                ? "; no folder of scenes was found, --scenes names one" : ""
            throw .file("\(place)\(error.code.rawValue): \(error.message)\(hint)")
        }
        try lines.finish()
    }
}

/// The scenes of the folder that is named, or of the first that is found; none is no error, since
/// a recording may bring its own.
func scenesToName(_ arguments: Arguments) throws(Failure) -> [String: Scene] {
    guard let folder = arguments.values["--scenes"] ?? findScenes() else { return [:] }
    do throws(SceneError) {
        return try SceneFolder.read(folder)
    } catch {
        throw .file(error.description)
    }
}

/// `$GESTURED_SCENES`, the project's own folder around here or around the tool, or the system's.
private func findScenes() -> String? {
    if let folder = ProcessInfo.processInfo.environment["GESTURED_SCENES"], !folder.isEmpty {
        return folder
    }
    var candidates = ["config/scenes"]
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/" {
        folder.deleteLastPathComponent()
        candidates.append(folder.appendingPathComponent("config/scenes").path)
    }
    candidates.append("/etc/gestured/scenes")
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
}

/// Prints every message as one line; a failure is kept for `finish`.
private final class LineSink: MessageSink {
    private var scratch = ByteBuffer()
    private var failure: Failure?

    let isFull = false

    func message(_ topic: UpdateTopic, _ body: (inout ByteBuffer) -> Void) {
        guard failure == nil else { return }
        scratch.removeAll()
        scratch.append("{\"topic\":")
        scratch.json(topic.text)
        scratch.append(",\"body\":")
        body(&scratch)
        scratch.append("}")
        do throws(Failure) {
            try Console.line(scratch.array())
        } catch {
            failure = error
        }
    }

    func finish() throws(Failure) {
        if let failure { throw failure }
    }
}
