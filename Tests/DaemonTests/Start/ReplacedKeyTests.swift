import Testing

@testable import Daemon

/// An option of the command line replaces a key of the file: an error names what the person wrote.
struct ReplacedKeyTests {
    private static let open = "tcp://9.9.9.9:7411"
    private static let reached = "\"\(open)\" is reached from other machines"

    @Test(arguments: [
        ("--events", open, "--events: \(reached)"),
        ("--updates", open, "--updates: \(reached)"),
        ("--control", open, "--control: \(reached)"),
        ("--push", open, "--push: \(reached)"),
        (
            "--updates", "ipc:///file-control",
            "FILE:2: key control: \"ipc:///file-control\" is in use by --updates"
        ),
        (
            "--push", "ipc:///file-events",
            "--push: \"ipc:///file-events\" is in use by key events"
        ),
    ])
    func anErrorNamesTheOption(option: String, endpoint: String, message: String) throws {
        let folder = try ConfigurationFolder(
            "events = [\"ipc:///file-events\"]\ncontrol = [\"ipc:///file-control\"]")
        let words = ["--config", folder.file, option, endpoint]
        guard case .run(let arguments) = try Invocation(words) else {
            Issue.record("\(words) start nothing")
            return
        }
        let error = #expect(throws: StartError.self) { try Configuration(arguments) }
        let expected = message.replacing("FILE", with: folder.file)
        #expect(error?.message.hasPrefix(expected) == true, "\(error as Any)")
    }
}
