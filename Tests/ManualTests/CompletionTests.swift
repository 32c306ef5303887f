import Testing

@testable import Manual

private let tool = Program(
    name: "tool", section: 1, summary: "", synopsis: [], description: "",
    options: [Option("--control", "EP", "where"), Option("--help", nil, "help")],
    commands: [
        Program.CommandHelp(
            name: "open", arguments: "SESSION [SCENE|FILE]", summary: "Open", details: "",
            options: [
                Option("--as", "SESSION", "name"), Option("--dir", "DIR", "folder"),
                Option("--output", "FILE", "file"),
            ],
            examples: []),
        Program.CommandHelp(
            name: "once", arguments: "bash|zsh", summary: "One", details: "", options: [],
            examples: []),
        Program.CommandHelp(
            name: "watch", arguments: "[PREFIX…]", summary: "Watch", details: "",
            options: [Option("--draw", nil, "draw", arguments: "[SESSION] [COMPONENT…]")],
            examples: []),
        Program.CommandHelp(
            name: "publish", arguments: "TOPIC BODY|-", summary: "Publish", details: "",
            options: [], examples: []),
        Program.CommandHelp(
            name: "update", arguments: "SESSION… SCENE|FILE", summary: "Update", details: "",
            options: [Option("--all-of", "SCENE", "all", arguments: "[SCENE|FILE]")],
            examples: []),
    ], examples: [], parts: [], related: [])

/// Commands of two words, beside one of one.
private let grouped = Program(
    name: "tool", section: 1, summary: "", synopsis: [], description: "", options: [],
    commands: [
        Program.CommandHelp(
            name: "hello", arguments: "", summary: "Greet", details: "", options: [], examples: []),
        Program.CommandHelp(
            name: "link up", arguments: "FILE", summary: "Begin", details: "",
            options: [Option("--session", "SESSION", "name")], examples: []),
        Program.CommandHelp(
            name: "link down", arguments: "", summary: "End", details: "", options: [],
            examples: []),
    ], examples: [], parts: [], related: [])

@Suite struct CompletionTests {
    /// The typed text, the words that fit, and the other names that fit.
    @Test(
        arguments: [
            ([], ["open", "once", "watch", "publish", "update"], []),
            ([""], ["open", "once", "watch", "publish", "update"], []),
            (["o"], ["open", "once"], []),
            (["--"], ["--control", "--help"], []),
            (["--control", "x", "w"], ["watch"], []),
            (["--control=x", "w"], ["watch"], []),
            (["--control", "="], [], []),
            (["--control", "=", "x", "w"], ["watch"], []),
            (["watch", "--draw", ""], [], [.sessions]),
            (["watch", "--draw", "alice", ""], [], []),
            (["open", ""], [], [.sessions]),
            (["open", "al"], [], [.sessions]),
            (["open", "alice", ""], [], [.scenes, .files]),
            (["open", "alice", "phone", ""], [], []),
            (["open", "--a"], ["--as"], []),
            (["open", "--as", ""], [], [.sessions]),
            (["open", "--as=b"], [], [.sessions]),
            (["open", "--dir", "="], [], [.folders]),
            (["open", "--as", "bob", ""], [], [.sessions]),
            (["open", "-o", ""], [], [.files]),
            (["open", "-o", "f", ""], [], [.sessions]),
            (["open", "-of", ""], [], [.sessions]),
            (["open", "-ho", ""], [], [.files]),
            (["open", "-x", ""], [], [.sessions]),
            (["open", "--", "-"], [], [.sessions]),
            (["once", "z"], ["zsh"], []),
            (["watch", "a", "heart"], ["heartbeat"], [.topics(Self.told)]),
            (["update", ""], [], [.sessions]),
            (["update", "a", "b", ""], [], [.sessions, .scenes, .files]),
            (["update", "--all-of", ""], [], [.scenes]),
            (["update", "--all-of", "a", ""], [], [.scenes, .files]),
            (["publish", "ge"], [], [.topics(["command", "gesture", "notification"])]),
            (["publish", "a/b", ""], [], []),
            (["unknown", ""], tool.commands.map(\.name), []),
        ] as [([String], [String], [Completion.Kind])])
    func fittingWordsAreOffered(typed: [String], words: [String], kinds: [Completion.Kind]) {
        let completion = Completion(of: tool, after: typed)
        #expect(completion.words.map(\.text) == words)
        #expect(completion.kinds == kinds)
    }

    private static let told = ["badge", "rejected", "session", "state", "transition"]

    @Test func aValueBehindItsSignKeepsWhatStandsBeforeIt() {
        let completion = Completion(of: tool, after: ["open", "--as=al"])
        #expect(completion.lead == "--as=")
        #expect(completion.typed == "al")
    }

    @Test func theDaemonIsAskedWhereTheLineSaysItIs() {
        let completion = Completion(of: tool, after: ["--control", "ipc://x", "open", ""])
        #expect(completion.values == ["--control": "ipc://x"])
    }

    @Test func theDaemonsOwnOptionsAreOffered() {
        let words = Completion(of: .gestured, after: ["--"]).words.map(\.text)
        #expect(words == Program.gestured.options.map(\.name))
        #expect(Completion(of: .gestured, after: ["--config", ""]).kinds == [.files])
        #expect(Completion(of: .gestured, after: ["--state-dir=/v"]).kinds == [.folders])
        #expect(Completion(of: .gestured, after: [""]) == Completion(of: .gestured, after: []))
    }

    @Test(
        arguments: [
            ([""], ["hello", "link"], []), (["l"], ["link"], []),
            (["link", ""], ["up", "down"], []),
            (["link", "d"], ["down"], []), (["link", "up", ""], [], [.files]),
            (["link", "up", "--s"], ["--session"], []),
            (["link", "up", "--session", ""], [], [.sessions]),
            (["link", "no", ""], ["up", "down"], []),
        ] as [([String], [String], [Completion.Kind])])
    func theSecondWordOfACommandIsOfferedBehindTheFirst(
        typed: [String], words: [String], kinds: [Completion.Kind]
    ) {
        let completion = Completion(of: grouped, after: typed)
        #expect(completion.words.map(\.text) == words)
        #expect(completion.kinds == kinds)
    }
}
