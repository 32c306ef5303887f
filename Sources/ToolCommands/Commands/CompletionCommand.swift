import Commands
import GesturedClient
import Manual
import Notation

extension Command {
    static let completion = Command(
        name: "completion", arguments: "bash|zsh|fish",
        summary: "Print a shell's completion of gesturectl and gestured",
        details: """
            The Debian package installs it already. It completes commands, options, files, and the
            daemon's sessions and scenes.
            """, usesDaemon: false,
        examples: [
            ("source <(gesturectl completion bash)", "complete in this shell"),
            (
                "gesturectl completion fish > ~/.config/fish/completions/gesturectl.fish",
                "complete in every fish"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["SHELL"])
        let name = context.arguments.positionals[0]
        guard let shell = Shell(rawValue: name) else {
            throw .usage("no completion for '\(name)'; SHELL is bash, zsh or fish")
        }
        try Console.printLine(ShownText(ownLines: shell.script))
    }

    /// Answers a shell that completes a command line. The words are the program's name, then all
    /// words up to the one being typed.
    ///
    /// It prints no errors: the person is still typing.
    static let complete = Command(
        name: "complete", arguments: "", summary: "Answer a shell's completion", usesDaemon: false,
        readsOptions: false,
        examples: [("gesturectl complete gesturectl op", "complete the word op")]
    ) { context throws(Failure) in
        let words = context.arguments.positionals
        let programs = [Tool.program, Program.gestured, Program.gestureWeb]
        guard let program = programs.first(where: { $0.name == words.first }) else { return }
        try printCompletion(Completion(of: program, after: Array(words.dropFirst())))
    }
}

private func printCompletion(_ completion: Completion) throws(Failure) {
    for word in completion.words {
        try Console.printLine("\(completion.lead)\(word.text)\t\(word.help)")
    }
    for kind in completion.kinds {
        switch kind {
        case .nothing: break
        case .files: try Console.printLine(":files")
        case .folders: try Console.printLine(":folders")
        case .sessions, .scenes, .instances, .topics: try printNames(kind, completion)
        }
    }
}

private func printNames(
    _ kind: Completion.Kind, _ completion: Completion
) throws(Failure) {
    var names: [String]
    switch kind {
    case .sessions: names = sessionNames(completion)
    case .scenes: names = sceneNames(completion)
    case .instances: names = Service().instances()
    case .topics(let kinds):
        if completion.typed.contains("/") {
            let sessions = sessionNames(completion)
            names = kinds.flatMap { kind in sessions.map { "\(kind)/\($0)" } }
        } else {
            names = kinds.map { "\($0)/" }
            try Console.printLine(":open")
        }
    case .nothing, .files, .folders: names = []
    }
    names = names.filter { $0.hasPrefix(completion.typed) }
    for name in names { try Console.printLine("\(completion.lead)\(name)\t") }
}

private func sessionNames(_ completion: Completion) -> [String] {
    ((try? connection(completion).control().sessions()) ?? []).filter(Name.isValid)
}

private func sceneNames(_ completion: Completion) -> [String] {
    let reply = try? connection(completion).control().request("scenes", [])
    return (reply?["scenes"]?.array ?? []).compactMap(\.string).filter(Name.isValid)
}

/// A person waits at the keyboard: names that come later are left out.
private func connection(_ completion: Completion) throws -> Connection {
    try Connection(
        to: Tool.endpoints(completion.values), timeoutMilliseconds: 300,
        keys: Tool.keys(completion.values, warn: { _ in }))
}
