/// The texts of `--help`.
enum Help {
    static var overview: String {
        let width = (Command.all.map { heading($0).count }.max() ?? 0) + 2
        let commands = Command.all.map { "  \(padded(heading($0), to: width))\($0.summary)" }
        return """
            Usage: gesturectl [OPTIONS] COMMAND [ARGUMENTS]

            Speaks to gestured, the motion server.

            Commands:
            \(commands.joined(separator: "\n"))

            Options of all commands:
            \(list(Command.commonOptions + [Option("--version", nil, "show the version")]))

            Endpoints without an option or a variable: tcp://127.0.0.1:7411, :7412 and :7413.
            Exit status: 0 done; 1 the daemon refused or did not answer; 2 bad usage or file.
            'gesturectl COMMAND --help' tells more of a command.
            """
    }

    static func of(_ command: Command) -> String {
        var text = "Usage: gesturectl \(heading(command)) [OPTIONS]\n\n\(command.summary)."
        if !command.details.isEmpty { text += "\n\n" + command.details }
        if !command.options.isEmpty { text += "\n\nOptions:\n" + list(command.options) }
        text += "\n\nOptions of all commands:\n" + list(Command.commonOptions)
        if command.examples.isEmpty { return text }
        let examples = command.examples.map { "  \($0.line)\n      \($0.effect)" }
        return text + "\n\nExamples:\n" + examples.joined(separator: "\n")
    }

    private static func heading(_ command: Command) -> String {
        command.arguments.isEmpty ? command.name : "\(command.name) \(command.arguments)"
    }

    private static func list(_ options: [Option]) -> String {
        options.map { option in
            let name = option.value.map { "\(option.name) \($0)" } ?? option.name
            return "  \(padded(name, to: 22))\(option.help)"
        }.joined(separator: "\n")
    }
}
