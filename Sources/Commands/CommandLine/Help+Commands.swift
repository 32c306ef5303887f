package import Manual

/// The output of `--help`.
extension Help {
    static func overview(_ all: [Command]) -> String {
        let width = (all.map { $0.described.heading.count }.max() ?? 0) + 2
        let commands = all.map { "  \(padded($0.described.heading, to: width))\($0.summary)" }
        return """
            Usage: gesturectl [OPTIONS] COMMAND [ARGUMENTS]

            Talks to gestured, the motion server.

            Commands:
            \(commands.joined(separator: "\n"))

            Options of all commands:
            \(list(Command.commonOptions + [Command.version]))

            \(Tool.endpointOrder)
            Exit status: 0 done; 1 no daemon, no answer, or a refusal; 2 bad usage or a bad file.
            'gesturectl COMMAND --help' explains one command.
            """
    }

    /// The commands that begin with one word.
    package static func of(group: String, _ all: [Command]) -> String {
        let commands = all.filter { $0.name.hasPrefix(group + " ") }
        let width = (commands.map { $0.described.heading.count }.max() ?? 0) + 2
        let lines = commands.map { "  \(padded($0.described.heading, to: width))\($0.summary)" }
        return """
            Usage: gesturectl \(group) NAME [OPTIONS]

            \(lines.joined(separator: "\n"))

            'gesturectl \(group) NAME --help' explains one of them.
            """
    }

    package static func of(_ command: Command) -> String {
        let described = command.described
        var text = "Usage: gesturectl \(described.heading) [OPTIONS]\n\n\(command.summary)."
        if !command.details.isEmpty { text += "\n\n" + command.details }
        if !command.options.isEmpty { text += "\n\nOptions:\n" + list(command.options) }
        text += "\n\nOptions of all commands:\n" + list(Command.commonOptions)
        return text + "\n\nExamples:\n" + list(described.examples)
    }
}

extension Command {
    /// The second words of the commands that begin with a word, as a list.
    package static func seconds(of group: String, _ all: [Command]) -> String {
        all.map(\.name).filter { $0.hasPrefix(group + " ") }
            .map { String($0.dropFirst(group.count + 1)) }.joined(separator: ", ")
    }

    /// The parts that help, manual page and completion need.
    package var described: Program.CommandHelp {
        Program.CommandHelp(
            name: name, arguments: arguments, summary: summary, details: details, options: options,
            examples: examples.map { Example($0.line, $0.effect) })
    }
}
