/// The output of `--help`.
///
/// This module turns a `Program`, a table of commands and options, into help, manual pages (`Roff`)
/// and completions (`Completion`, `Shell`). Nothing is written by hand twice. To change the text of
/// an option, change the table.
package enum Help {
    package static func list(_ options: [Option]) -> String {
        options.map { "  \(padded($0.heading, to: 22))\($0.help)" }.joined(separator: "\n")
    }

    /// Each line to type, with its effect below.
    package static func list(_ examples: [Example]) -> String {
        examples.map { "  \($0.line)\n      \($0.effect)" }.joined(separator: "\n")
    }

    /// The help of a program without commands.
    package static func text(of program: Program) -> String {
        let calls = program.synopsis.enumerated().map { index, call in
            let lead = index == 0 ? "usage: " : "       "
            let indented = call.split(separator: "\n").joined(
                separator: "\n" + String(repeating: " ", count: 8 + program.name.count))
            return "\(lead)\(program.name) \(indented)"
        }
        return """
            \(calls.joined(separator: "\n"))

            \(program.description)

            \(list(program.options))

            Examples:
            \(list(program.examples))
            """
    }

    /// The text with spaces up to a width.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
