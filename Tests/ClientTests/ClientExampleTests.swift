import Foundation
import GesturedClient
import Glibc
import Testing

/// The example in the documentation of `Connection`, with `print` replaced by a parameter.
private func example(_ endpoints: Endpoints, _ print: (String, String) -> Void) throws {
    // Example begins.
    let connection = try Connection(to: endpoints)
    try connection.control().open("alice", scene: "phone")
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
