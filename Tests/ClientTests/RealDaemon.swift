import Foundation
import GesturedClient

/// The daemon that was built with these tests, in a process of its own with sockets in a folder.
final class RealDaemon {
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
