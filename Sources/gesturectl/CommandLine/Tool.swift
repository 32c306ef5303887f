import GesturedClient
import Glibc
import Manual
import Notation

/// gesturectl: finds the command, runs it, and turns its end into an exit status.
///
/// This folder reads the command line. `Tool` splits off the command, `Arguments` sorts the rest by
/// the options of the command, `Help` and `ToolPage` print what `Command` declares, and `Failure`
/// names every way to end early. Nothing here knows a single command.
enum Tool {
    static let timeoutSeconds = 0.001...3_600.0

    static func run(_ words: [String]) -> Int32 {
        // A closed pipe becomes an error of write instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        do throws(Failure) {
            try dispatch(words)
            return 0
        } catch {
            if let message = error.message {
                Console.printError("\(Style.errors("gesturectl:", .red)) \(message)")
            }
            return error.status
        }
    }

    private static func dispatch(_ words: [String]) throws(Failure) {
        // Other tools have a command help.
        if words.first == "help" {
            try dispatch(words.dropFirst() + ["--help"])
            return
        }
        guard let place = commandPlace(in: words) else {
            try runWithoutCommand(words)
            return
        }
        var (name, rest) = (words[place], words)
        rest.remove(at: place)
        if Program.groups(of: Command.all.map(\.name)).contains(name) {
            guard let second = commandPlace(in: rest, from: place) else {
                try runWithoutCommand(rest, group: name)
                return
            }
            name += " " + rest.remove(at: second)
        }
        guard let command = (Command.all + Command.hidden).first(where: { $0.name == name }) else {
            let nearest = nearestName(to: name, among: Command.all.map(\.name))
            throw .usage(
                "unknown command '\(name)'" + (nearest.map { "; did you mean \($0)?" } ?? ""))
        }
        do throws(Failure) {
            try run(command, rest)
        } catch {
            guard let report = command.report else { throw error }
            throw .told(report(error))
        }
    }

    private static func run(_ command: Command, _ words: [String]) throws(Failure) {
        let options = command.options + Command.commonOptions
        let arguments =
            command.readsOptions
            ? try Arguments(parsing: words, options: options) : Arguments(positionals: words)
        if arguments.has("--help") {
            try Console.printLine(ShownText(ownLines: Help.of(command)))
            return
        }
        let timeout = try arguments.number("--timeout", in: timeoutSeconds) ?? 5
        let endpoints =
            command.usesDaemon ? try endpoints(arguments.values) : Endpoints()
        let keys = command.usesDaemon ? try keys(arguments.values) : nil
        let connection = try daemon { () throws(ClientError) in
            try Connection(
                to: endpoints, timeoutMilliseconds: Int((timeout * 1_000).rounded()), keys: keys)
        }
        do throws(Failure) {
            try command.run(Context(arguments: arguments, connection: connection))
        } catch .silence(let message, let endpoint) {
            guard let reason = reasonOfSilence(at: endpoint, hasKeys: keys != nil) else {
                throw .silence(message, endpoint: endpoint)
            }
            throw .silence("\(message)\n\(reason)", endpoint: endpoint)
        }
    }

    /// - Parameter group: the first word of commands of two words.
    private static func runWithoutCommand(
        _ words: [String], group: String? = nil
    ) throws(Failure) {
        let known = Command.commonOptions + [Command.version]
        let arguments = try Arguments(parsing: words, options: known)
        if arguments.has(Command.version.name) {
            try Console.printLine("gesturectl \(Version.text)")
        } else if arguments.has("--help") {
            let text = group.map(Help.of(group:)) ?? Help.overview
            try Console.printLine(ShownText(ownLines: text))
        } else if let group {
            throw .usage("\(group) needs one of \(Command.seconds(of: group))")
        } else {
            throw .usage("no command")
        }
    }

    /// The first word that is neither an option nor the value of a common option.
    static func commandPlace(in words: [String], from start: Int = 0) -> Int? {
        var place = start
        while place < words.count {
            let word = words[place]
            if !word.hasPrefix("-") { return place }
            let cluster = Option.Cluster(word, of: Command.commonOptions)
            let takesNext =
                cluster?.last?.value.isEmpty
                ?? Command.commonOptions.contains { $0.name == word && $0.value != nil }
            place += takesNext ? 2 : 1
        }
        return nil
    }
}
