package import GesturedClient
package import Manual
package import Notation

/// The name, arguments, help and action of one command.
package struct Command: Sendable {
    /// One word, or two: commands that share their first word form a group.
    package var name: String
    /// The arguments as in the help, `SESSION [SCENE|FILE]`. The words in capitals also say how
    /// to complete an argument; `Completion` lists them.
    package var arguments: String
    /// The action in one line.
    package var summary: String
    /// More paragraphs for `--help` and the manual page: whole lines.
    package var details: String
    /// False: the command needs no daemon, so that no endpoint is looked up.
    package var usesDaemon: Bool
    /// The options of this command alone.
    package var options: [Option]
    /// False: all words are positionals, also those that look like options.
    package var readsOptions = true
    /// Prints a failure and returns the exit status, for a command whose callers have their own
    /// rules for both; nil: as all commands do.
    package var report: (@Sendable (Failure) -> Int32)?
    /// Lines to type, each with its effect.
    package var examples: [(line: String, effect: String)]
    /// The part of the tool that performs it with these arguments; nil: gesturectl itself.
    package var part: @Sendable (Arguments) -> ToolPart?
    /// Nil in a program that leaves it to a part.
    package var run: (@Sendable (Context) throws(Failure) -> Void)?

    /// A command that gesturectl performs itself.
    package init(
        name: String, arguments: String, summary: String, details: String = "",
        usesDaemon: Bool = true, options: [Option] = [], readsOptions: Bool = true,
        report: (@Sendable (Failure) -> Int32)? = nil,
        examples: [(line: String, effect: String)],
        run: @escaping @Sendable (Context) throws(Failure) -> Void
    ) {
        self.init(
            name: name, arguments: arguments, summary: summary, details: details,
            usesDaemon: usesDaemon, options: options, examples: examples, part: { _ in nil })
        self.readsOptions = readsOptions
        self.report = report
        self.run = run
    }

    /// The description of a command that a part of the tool performs.
    init(
        name: String, arguments: String, summary: String, details: String,
        usesDaemon: Bool = true, options: [Option],
        examples: [(line: String, effect: String)],
        part: @escaping @Sendable (Arguments) -> ToolPart?
    ) {
        self.name = name
        self.arguments = arguments
        self.summary = summary
        self.details = details
        self.usesDaemon = usesDaemon
        self.options = options
        self.examples = examples
        self.part = part
    }

    /// The options of all commands.
    package static let commonOptions = [
        Option("--instance", "NAME", "the service gestured@NAME (GESTURED_INSTANCE)"),
        Option("--push", "EP", "the endpoint for events (GESTURED_PUSH)"),
        Option("--events", "EP", "the one for events that are published (GESTURED_EVENTS)"),
        Option("--updates", "EP", "the endpoint of updates (GESTURED_UPDATES)"),
        Option(
            "--control", "EP,…",
            "the endpoint for requests, or those of a cluster (GESTURED_CONTROL)"),
        Option("--key", "FILE", "the secret certificate for tcp:// endpoints (GESTURED_KEY)"),
        Option(
            "--server-key", "KEY|FILE", "the daemon's public key, or a file (GESTURED_SERVER_KEY)"),
        Option("--timeout", "SECONDS", "how long to wait for an answer (default 5)"),
        Option("--help", nil, "show this help"),
    ]
    package static let version = Option("--version", nil, "show the version")
    /// For commands that print a reply.
    package static let json = Option("--json", nil, "print the whole reply as JSON")
}

extension Command {
    /// A copy that performs `run`: the program that has the action makes it.
    package func running(_ run: @escaping @Sendable (Context) throws(Failure) -> Void) -> Command {
        var command = self
        command.run = run
        return command
    }
}

/// The input of a command.
package struct Context {
    package var arguments: Arguments
    package var connection: Connection
}

extension Context {
    /// Sends a request to the daemon and returns its reply; throws its refusal or silence.
    package func request(
        _ operation: String, _ fields: [Node.Member] = []
    ) throws(Failure) -> Node {
        try requireDaemon()
        return try daemon { () throws(ClientError) in
            try connection.control().request(operation, fields)
        }
    }

    /// A way to ask the daemon again and again; throws if it is not there.
    package func control() throws(Failure) -> Control {
        try requireDaemon()
        return try daemon { () throws(ClientError) in try connection.control() }
    }

    /// Sends a request about one session.
    package func request(_ operation: String, session: String) throws(Failure) -> Node {
        try request(operation, [Node.Member("session", Node(.string(session)))])
    }

    /// Throws if no daemon is there, after a moment in which it may start. A command calls it once
    /// its arguments and files are found good, before it connects.
    package func requireDaemon() throws(Failure) {
        // A person who waits for an answer this long waits for a daemon as long.
        let seconds = try arguments.number("--timeout", in: Tool.timeoutSeconds)
        try DaemonProbe.requireDaemon(
            at: connection.endpoints, instance: arguments.values["--instance"],
            within: .seconds(seconds ?? DaemonProbe.patienceSeconds))
        try DaemonProbe.requireHandshake(connection)
    }
}
