import Testing

@testable import Daemon

struct InvocationTests {
    @Test func everyFlagIsTakenWithItsValueBesideOrAttached() throws {
        let invocation = try Invocation([
            "--config", "a.toml", "--events", "tcp://127.0.0.1:1", "--events=ipc:///tmp/e",
            "--updates", "tcp://127.0.0.1:*", "--control=tcp://127.0.0.1:3", "--state-dir", "s",
            "--push", "tcp://127.0.0.1:4",
        ])
        var expected = Arguments()
        expected.configuration = "a.toml"
        expected.events = ["tcp://127.0.0.1:1", "ipc:///tmp/e"]
        expected.updates = ["tcp://127.0.0.1:*"]
        expected.control = ["tcp://127.0.0.1:3"]
        expected.push = ["tcp://127.0.0.1:4"]
        expected.stateDirectory = "s"
        #expect(invocation == .run(expected))
    }

    @Test(arguments: [
        (["--version"], Invocation.version), (["--help"], .help), (["-h"], .help),
        (["--check", "--config", "x"], .check(configuration: "x")),
        (["--config=x", "--check"], .check(configuration: "x")),
        (["--check-scene", "s.toml"], .checkScenes(["s.toml"])),
        (["--check-scene", "a", "--check-scene=b"], .checkScenes(["a", "b"])),
        ([], .run(Arguments())),
    ])
    func modes(words: [String], expected: Invocation) throws {
        #expect(try Invocation(words) == expected)
    }

    private static let checkAlone =
        "--check reads FILE alone: endpoints and --state-dir have no place"

    @Test(arguments: [
        (["--frobnicate"], "unknown argument \"--frobnicate\"; --help lists what there is"),
        (["config.toml"], "unknown argument \"config.toml\"; --help lists what there is"),
        (["--config"], "--config needs a value"),
        (["--events="], "--events needs a value"),
        (["--check-scene"], "--check-scene needs a value"),
        (["--check-scene", "s", "--config", "c"], "--check-scene FILE stands alone"),
        (["--check"], "--check needs --config FILE"),
        (["--check", "--config", "x", "--state-dir", "y"], Self.checkAlone),
        (["--check", "--config", "x", "--events", "tcp://127.0.0.1:1"], Self.checkAlone),
    ])
    func wrongArgumentsAreReportedInOneLine(words: [String], message: String) {
        #expect(throws: StartError(message)) { try Invocation(words) }
    }
}
