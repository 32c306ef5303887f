import GesturedClient
import Glibc
import Manual
import Notation

/// The command line of gesturectl and its parts: finds the command, runs it, and turns its end into
/// an exit status.
///
/// This folder reads the command line. `Tool` splits off the command, `Arguments` sorts the rest by
/// the options of the command, `Help` prints what `Command` declares, `ToolPart` starts the program
/// of a part, and `Failure` names every way to end early. Nothing here knows a single command.
package struct Tool: Sendable {
    static let timeoutSeconds = 0.001...3_600.0

    /// In the order of the help.
    package let commands: [Command]
    /// Commands that only scripts call; the help leaves them out.
    private let hidden: [Command]
    /// The part that this program is; nil: gesturectl itself.
    private let part: ToolPart?

    package init(_ commands: [Command], hidden: [Command] = [], part: ToolPart? = nil) {
        self.commands = commands
        self.hidden = hidden
        self.part = part
    }

    /// Runs this process' command line to its end.
    package func main() -> Never {
        Console.holdStandardStreams()
        let status = run(Array(CommandLine.arguments.dropFirst()))
        // A feed's thread may still wait in libzmq, whose objects an orderly exit would take from
        // it.
        fflush(nil)
        _exit(status)
    }

    private func run(_ words: [String]) -> Int32 {
        // A closed pipe becomes an error of write instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        var called: Command?
        do throws(Failure) {
            try dispatch(words, &called)
            return 0
        } catch {
            if let message = error.message {
                Console.printError("\(Style.errors("gesturectl:", .red)) \(message)")
            }
            if case .usage = error {
                let name = called.map { "\($0.name) " } ?? ""
                Console.printError("Try 'gesturectl \(name)--help'.")
            }
            return error.status
        }
    }

    /// Sets `called` as soon as it knows the command.
    private func dispatch(_ words: [String], _ called: inout Command?) throws(Failure) {
        // Other tools have a command help.
        if words.first == "help" {
            try dispatch(words.dropFirst() + ["--help"], &called)
            return
        }
        guard let place = Self.commandPlace(in: words) else {
            try runWithoutCommand(words)
            return
        }
        var (name, rest) = (words[place], words)
        rest.remove(at: place)
        if Program.groups(of: commands.map(\.name)).contains(name) {
            guard let second = Self.commandPlace(in: rest, from: place) else {
                try runWithoutCommand(rest, group: name)
                return
            }
            name += " " + rest.remove(at: second)
        }
        guard let command = (commands + hidden).first(where: { $0.name == name }) else {
            let nearest = nearestName(to: name, among: commands.map(\.name))
            throw .usage(
                "unknown command '\(name)'" + (nearest.map { "; did you mean \($0)?" } ?? ""))
        }
        called = command
        do throws(Failure) {
            try run(command, rest)
        } catch {
            guard let report = command.report else { throw error }
            throw .told(report(error))
        }
    }

    private func run(_ command: Command, _ words: [String]) throws(Failure) {
        let options = command.options + Command.commonOptions
        let arguments =
            command.readsOptions
            ? try Arguments(parsing: words, options: options) : Arguments(positionals: words)
        if arguments.has("--help") {
            try Console.printLine(ShownText(ownLines: Help.of(command)))
            return
        }
        let wanted = command.part(arguments)
        if let wanted, wanted != part { try wanted.perform(command.name) }
        guard wanted == part, let run = command.run else {
            throw .usage("gesturectl itself performs this '\(command.name)'")
        }
        let timeout = try arguments.number("--timeout", in: Self.timeoutSeconds) ?? 5
        let endpoints =
            command.usesDaemon ? try Self.endpoints(arguments.values) : Endpoints()
        let keys = command.usesDaemon ? try Self.keys(arguments.values) : nil
        let connection = try daemon { () throws(ClientError) in
            try Connection(
                to: endpoints, timeoutMilliseconds: Int((timeout * 1_000).rounded()), keys: keys)
        }
        do throws(Failure) {
            try run(Context(arguments: arguments, connection: connection))
        } catch .silence(let message, let endpoint) {
            guard let reason = Self.reasonOfSilence(at: endpoint, hasKeys: keys != nil) else {
                throw .silence(message, endpoint: endpoint)
            }
            throw .silence("\(message)\n\(reason)", endpoint: endpoint)
        }
    }

    /// - Parameter group: the first word of commands of two words.
    private func runWithoutCommand(_ words: [String], group: String? = nil) throws(Failure) {
        let known = Command.commonOptions + [Command.version]
        let arguments = try Arguments(parsing: words, options: known)
        if arguments.has(Command.version.name) {
            try Console.printLine("gesturectl \(Version.text)")
        } else if arguments.has("--help") {
            let text = group.map { Help.of(group: $0, commands) } ?? Help.overview(commands)
            try Console.printLine(ShownText(ownLines: text))
        } else if let group {
            throw .usage("\(group) needs one of \(Command.seconds(of: group, commands))")
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
