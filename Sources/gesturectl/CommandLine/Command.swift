import GesturedClient
import Glibc
import Manual
import Notation
import Protocol

/// What one command is called, takes and does.
struct Command: Sendable {
    var name: String
    /// Its arguments, as in the help.
    var arguments: String
    /// What it does, in one line.
    var summary: String
    /// What else there is to know: whole lines.
    var details: String = ""
    /// Its own options, beside the common ones.
    var options: [Option] = []
    /// Lines to type, each with what it does.
    var examples: [(line: String, effect: String)]
    var run: @Sendable (Context) throws(Failure) -> Void

    /// The commands in the order of the help.
    static let all: [Command] = [
        .hello, .sessions, .open, .close, .scenes, .snapshot, .export, .import, .stats, .publish,
        .watch, .record, .replay, .simulate, .convert, .completion,
    ]
    /// What scripts call and no help tells of.
    static let hidden: [Command] = [.manual]

    static let commonOptions = [
        Option("--instance", "NAME", "the service gestured@NAME (GESTURED_INSTANCE)"),
        Option("--events", "EP", "where the daemon takes events (GESTURED_EVENTS)"),
        Option("--updates", "EP", "where it publishes updates (GESTURED_UPDATES)"),
        Option("--control", "EP", "where it answers requests (GESTURED_CONTROL)"),
        Option("--timeout", "SECONDS", "how long to wait for an answer (default 5)"),
        Option("--help", nil, "show this help"),
    ]
    /// For commands that print a reply.
    static let json = Option("--json", nil, "print the reply as it came, as JSON")
}

/// What a command works with.
struct Context {
    var arguments: Arguments
    var connection: Connection
}

/// The tool: finds the command, runs it, turns its end into an exit status.
enum Tool {
    static func run(_ words: [String]) -> Int32 {
        // A closed pipe shall be an error of write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        do throws(Failure) {
            try dispatch(words)
            return 0
        } catch {
            let name = Style.errors("gesturectl:", .red)
            switch error {
            case .usage(let message):
                Console.say("\(name) \(message)\nTry 'gesturectl --help'.")
            case .file(let message), .daemon(let message):
                Console.say("\(name) \(message)")
            case .outputClosed, .interrupted: break
            }
            return error.status
        }
    }

    private static func dispatch(_ words: [String]) throws(Failure) {
        if words.first == "complete" {
            try complete(Array(words.dropFirst()))
            return
        }
        // What other tools call it.
        if words.first == "help" {
            try dispatch(words.dropFirst() + ["--help"])
            return
        }
        var rest = words
        guard let place = commandPlace(in: words) else {
            let known = Command.commonOptions + [Option("--version", nil, "show the version")]
            let arguments = try Arguments(parsing: words, options: known)
            if arguments.has("--version") {
                try Console.line("gesturectl \(Version.text)")
            } else if arguments.has("--help") {
                try Console.line(Help.overview)
            } else {
                throw .usage("no command")
            }
            return
        }
        let name = rest.remove(at: place)
        guard let command = (Command.all + Command.hidden).first(where: { $0.name == name }) else {
            let nearest = nearestName(to: name, among: Command.all.map(\.name))
            throw .usage("unknown command '\(name)'" + (nearest.map { "; is it \($0)?" } ?? ""))
        }
        let arguments = try Arguments(
            parsing: rest, options: command.options + Command.commonOptions)
        if arguments.has("--help") {
            try Console.line(Help.of(command))
            return
        }
        let timeout = try arguments.number("--timeout", in: 0.001...3_600) ?? 5
        let endpoints = try endpoints(arguments.values)
        let connection = try daemon { () throws(ClientError) in
            try Connection(
                to: endpoints, timeoutMilliseconds: Int((timeout * 1_000).rounded()))
        }
        try command.run(Context(arguments: arguments, connection: connection))
    }

    /// The first word that is neither an option nor a common option's value.
    static func commandPlace(in words: [String]) -> Int? {
        var place = 0
        while place < words.count {
            let word = words[place]
            if !word.hasPrefix("-") { return place }
            let takesNext = Command.commonOptions.contains { $0.name == word && $0.value != nil }
            place += takesNext ? 2 : 1
        }
        return nil
    }
}
