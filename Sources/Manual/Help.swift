/// The options and examples in the output of `--help`.
package enum Help {
    package static func list(_ options: [Option]) -> String {
        options.map { option in
            let lead = option.letter == nil ? "      " : "  "
            return "\(padded(lead + option.heading, to: 27)) \(option.help)"
        }.joined(separator: "\n")
    }

    /// Each line to type, with its effect below it.
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

    /// The text, filled up with spaces to a width.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
