import GesturedClient
import Manual
import Notation

/// The name, arguments, help and action of one command.
struct Command: Sendable {
    /// One word, or two: commands that share their first word form a group.
    var name: String
    /// The arguments as in the help, `SESSION [SCENE|FILE]`. The words in capitals also say how
    /// to complete an argument; `Completion` lists them.
    var arguments: String
    /// The action in one line.
    var summary: String
    /// More paragraphs for `--help` and the manual page: whole lines.
    var details: String = ""
    /// False: the command needs no daemon, so that no endpoint is looked up.
    var usesDaemon = true
    /// The options of this command alone.
    var options: [Option] = []
    /// False: all words are positionals, also those that look like options.
    var readsOptions = true
    /// Prints a failure and returns the exit status, for a command whose callers have their own
    /// rules for both; nil: as all commands do.
    var report: (@Sendable (Failure) -> Int32)?
    /// Lines to type, each with its effect.
    var examples: [(line: String, effect: String)]
    var run: @Sendable (Context) throws(Failure) -> Void

    /// The options of all commands.
    static let commonOptions = [
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
    static let version = Option("--version", nil, "show the version")
    /// For commands that print a reply.
    static let json = Option("--json", nil, "print the whole reply as JSON")
}

/// The input of a command.
struct Context {
    var arguments: Arguments
    var connection: Connection
}

extension Context {
    /// Sends a request to the daemon and returns its reply; throws its refusal or silence.
    func request(
        _ operation: String, _ fields: [Node.Member] = []
    ) throws(Failure) -> Node {
        try requireDaemon()
        return try daemon { () throws(ClientError) in
            try connection.control().request(operation, fields)
        }
    }

    /// A way to ask the daemon again and again; throws if it is not there.
    func control() throws(Failure) -> Control {
        try requireDaemon()
        return try daemon { () throws(ClientError) in try connection.control() }
    }

    /// Sends a request about one session.
    func request(_ operation: String, session: String) throws(Failure) -> Node {
        try request(operation, [Node.Member("session", Node(.string(session)))])
    }

    /// Throws if no daemon is there, after a moment in which it may start. A command calls it once
    /// its arguments and files are found good, before it connects.
    func requireDaemon() throws(Failure) {
        // A person who waits for an answer this long waits for a daemon as long.
        let seconds = try arguments.number("--timeout", in: Tool.timeoutSeconds)
        try DaemonProbe.requireDaemon(
            at: connection.endpoints, instance: arguments.values["--instance"],
            within: .seconds(seconds ?? DaemonProbe.patienceSeconds))
        try DaemonProbe.requireHandshake(connection)
    }
}
