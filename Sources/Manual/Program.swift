// Manual: the options and commands of both programs as tables, and every text made from them.
//
// A `Program` lists commands, options and examples. `Help` prints it for `--help`, `Roff` as a
// manual page, `Completion` answers the shells' scripts of `Shell`. `ConfigurationPage` makes
// gestured.toml(5) from the comments of config/gestured.toml. `Gestured.swift` is the daemon's
// table; gesturectl's commands have theirs beside their code.
//
// Change a table and all texts follow. Tests check that every option is explained.

/// The table of one program, for its help, manual page and completion.
package struct Program: Sendable {
    /// One of a program's commands.
    package struct CommandHelp: Sendable {
        package var name: String
        /// Its arguments, as in the help: `SESSION [SCENE|FILE]`.
        package var arguments: String
        package var summary: String
        package var details: String
        package var options: [Option]
        package var examples: [Example]

        package init(
            name: String, arguments: String, summary: String, details: String,
            options: [Option], examples: [Example]
        ) {
            self.name = name
            self.arguments = arguments
            self.summary = summary
            self.details = details
            self.options = options
            self.examples = examples
        }

        package var heading: String { arguments.isEmpty ? name : "\(name) \(arguments)" }
    }

    /// A section of the manual page, such as FILES: paragraphs and items.
    package struct Part: Sendable {
        package var title: String
        package var text: String
        /// The explained names and their texts.
        package var items: [(name: String, text: String)]

        package init(
            _ title: String, _ text: String = "", items: [(name: String, text: String)] = []
        ) {
            self.title = title
            self.text = text
            self.items = items
        }
    }

    package var name: String
    /// The manual's section.
    package var section: Int
    /// A description in half a line.
    package var summary: String
    /// The ways to call it, without its name.
    package var synopsis: [String]
    package var description: String
    /// Options of all commands, where there are commands.
    package var options: [Option]
    package var commands: [CommandHelp]
    package var examples: [Example]
    package var parts: [Part]
    /// Related pages, such as `gestured(8)`.
    package var related: [String]

    package init(
        name: String, section: Int, summary: String, synopsis: [String], description: String,
        options: [Option], commands: [CommandHelp] = [], examples: [Example], parts: [Part],
        related: [String]
    ) {
        self.name = name
        self.section = section
        self.summary = summary
        self.synopsis = synopsis
        self.description = description
        self.options = options
        self.commands = commands
        self.examples = examples
        self.parts = parts
        self.related = related
    }
}
