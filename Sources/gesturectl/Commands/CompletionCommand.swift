import GesturedClient
import Manual
import Notation

extension Command {
    static let completion = Command(
        name: "completion", arguments: "bash|zsh|fish",
        summary: "Print what makes a shell complete gesturectl and gestured",
        details: """
            The package installs these already. Commands, options, files, and the names that the
            daemon knows are completed.
            """,
        examples: [
            ("source <(gesturectl completion bash)", "complete in this bash"),
            (
                "gesturectl completion fish > ~/.config/fish/completions/gesturectl.fish",
                "complete in every fish of yours"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.expect(["SHELL"])
        let name = context.arguments.positionals[0]
        guard let shell = Shell(rawValue: name) else {
            throw .usage("no completion for '\(name)': bash, zsh or fish")
        }
        try Console.line(shell.script)
    }
}

extension Tool {
    /// The tool itself, for its manual page and its completion.
    static let program = Program(
        name: "gesturectl", section: 1, summary: "speaks to gestured, the motion server",
        synopsis: ["[OPTIONS] COMMAND [ARGUMENTS]", "COMMAND --help", "--version"],
        description: """
            gesturectl publishes events to gestured, shows what it makes of them, and asks and tells
            it all else that its protocol has. Data goes to standard output, words for a person to
            standard error.
            """,
        options: Command.commonOptions + [Option("--version", nil, "show the version")],
        commands: Command.all.map(\.described), examples: [],
        parts: [
            Program.Part(
                "ENDPOINTS",
                """
                \(endpointOrder)

                Of the service on this machine it is its socket in /run/gestured, if you may write \
                to it (join the group gestured), else what its configuration in /etc/gestured \
                names; of the instance NAME, what is in /run/gestured-NAME and \
                /etc/gestured/NAME.toml.
                """),
            Program.Part(
                "EXIT STATUS",
                items: [
                    ("0", "done, or nobody reads the output any more."),
                    ("1", "the daemon refused, or did not answer in time."),
                    ("2", "bad usage, or a file that cannot be read or is not what it should be."),
                ]),
            Program.Part(
                "ENVIRONMENT",
                items: [
                    (
                        "GESTURED_EVENTS, GESTURED_UPDATES, GESTURED_CONTROL",
                        "endpoints, where neither an option nor --instance gives them."
                    ),
                    ("GESTURED_INSTANCE", "the service's instance, where no option gives it."),
                    ("GESTURED_SCENES", "the folder of scenes that simulate looks in."),
                ]),
        ],
        related: ["gestured(8)", "gestured.toml(5)"])
}

extension Tool {
    /// Answers a shell that completes: the program's name, then its words up to the one that is
    /// typed. Says nothing of what goes wrong, since nobody has asked for anything yet.
    static func complete(_ words: [String]) throws(Failure) {
        let programs = [program, Program.gestured]
        guard let program = programs.first(where: { $0.name == words.first }) else { return }
        let completion = Completion(of: program, after: Array(words.dropFirst()))
        for word in completion.words {
            try Console.line("\(completion.lead)\(word.text)\t\(word.help)")
        }
        for kind in completion.kinds {
            switch kind {
            case .nothing: break
            case .files: try Console.line(":files")
            case .folders: try Console.line(":folders")
            case .sessions, .scenes, .instances, .topics: try offer(kind, completion)
            }
        }
    }

    private static func offer(
        _ kind: Completion.Kind, _ completion: Completion
    ) throws(Failure) {
        var names: [String]
        switch kind {
        case .sessions: names = sessions(completion)
        case .scenes: names = scenes(completion)
        case .instances: names = Service().instances()
        case .topics(let kinds):
            if completion.typed.contains("/") {
                let sessions = sessions(completion)
                names = kinds.flatMap { kind in sessions.map { "\(kind)/\($0)" } }
            } else {
                names = kinds.map { "\($0)/" }
                try Console.line(":open")
            }
        case .nothing, .files, .folders: names = []
        }
        names = names.filter { $0.hasPrefix(completion.typed) }
        for name in names { try Console.line("\(completion.lead)\(name)\t") }
    }

    private static func sessions(_ completion: Completion) -> [String] {
        (try? connection(completion).control().sessions()) ?? []
    }

    private static func scenes(_ completion: Completion) -> [String] {
        let reply = try? connection(completion).control().request("scenes", [])
        return (reply?["scenes"]?.array ?? []).compactMap(\.string)
    }

    /// A person waits for the key that was pressed: what takes longer is not offered.
    private static func connection(_ completion: Completion) throws -> Connection {
        try Connection(to: endpoints(completion.values), timeoutMilliseconds: 300)
    }
}
