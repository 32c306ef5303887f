import Foundation
import GesturedClient
import Glibc
import Testing

/// The example in the documentation of `Connection`, with `print` replaced by a parameter.
private func example(_ endpoints: Endpoints, _ print: (String, String) -> Void) throws {
    // Example begins.
    let connection = try Connection(to: endpoints)
    _ = try connection.control().request(
        "open", fields: #"{"session":"alice","scene":"phone"}"#)
    let subscriber = try connection.subscriber(to: ["state/alice/tips"])
    try connection.publisher().publish(
        topic: "command/alice/tips", body: #"{"command":"dismiss"}"#)
    while let event = try subscriber.next(withinMilliseconds: 1_000) {
        guard case .update(let update) = event else { continue }
        print(update.topic, String(decoding: update.body, as: UTF8.self))
    }
    // Example ends.
}

@Suite struct ClientExampleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func theDocumentationHasTheExampleThatRunsHere() throws {
        let documented = try Self.lines(of: "Sources/Client/Connection.swift")
            .drop { $0 != "/// ```swift" }.dropFirst().prefix { $0 != "/// ```" }
            .map { $0.dropFirst(4) }
        let run = try Self.lines(of: "Tests/ClientTests/ClientExampleTests.swift")
            .drop { $0 != "    // Example begins." }.dropFirst()
            .prefix { $0 != "    // Example ends." }
            .map { $0.dropFirst(4) }
        #expect(!documented.isEmpty && documented == run)
    }

    @Test func theExamplePrintsStatesOfTheRealDaemon() throws {
        let daemon = try RealDaemon(scenes: Self.root.appendingPathComponent("config/scenes"))
        defer { daemon.stop() }
        var phases: [String] = []
        try example(daemon.endpoints) { topic, body in
            #expect(topic == "state/alice/tips")
            let object = try? JSONSerialization.jsonObject(with: Data(body.utf8))
            phases.append((object as? [String: Any])?["phase"] as? String ?? "none")
        }
        #expect(phases.last == "dismissed", "the command had no effect: \(phases)")
        #expect(!phases.contains("none"), "a state without a phase: \(phases)")
    }
}

/// The daemon that was built with these tests, in a process of its own with sockets in a folder.
private final class RealDaemon {
    let endpoints: Endpoints
    private let process = Process()
    private let folder: URL

    init(scenes: URL) throws {
        // Short, because the path of a socket has at most 107 bytes.
        folder = URL(fileURLWithPath: "/tmp/gestured-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sockets = "ipc://\(folder.path)"
        endpoints = Endpoints(
            events: "\(sockets)/events", updates: "\(sockets)/updates",
            control: "\(sockets)/control")
        let configuration = folder.appendingPathComponent("gestured.toml")
        try Data("scenes = \"\(scenes.path)\"\n".utf8).write(to: configuration)
        // Tests are built into the folder of the programs.
        let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("gestured").path
        process.executableURL = URL(
            fileURLWithPath: ProcessInfo.processInfo.environment["GESTURED_BIN"] ?? beside)
        process.arguments = [
            "--config", configuration.path,
            "--state-dir", folder.appendingPathComponent("state").path,
            "--events", endpoints.events, "--updates", endpoints.updates,
            "--control", endpoints.control,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
