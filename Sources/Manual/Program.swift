/// The table from which a program's help, manual page and completion are made.
package struct Program: Sendable {
    /// A command of a program.
    package struct Command: Sendable {
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

    /// A section of the manual page, such as FILES: paragraphs, then items.
    package struct Part: Sendable {
        package var title: String
        package var text: String
        /// The names and their explanations.
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
    /// The section of the manual.
    package var section: Int
    /// A summary of half a line.
    package var summary: String
    /// The ways to call it, without the program's name.
    package var synopsis: [String]
    package var description: String
    /// The options of the program, or of all its commands.
    package var options: [Option]
    package var commands: [Command]
    package var examples: [Example]
    package var parts: [Part]
    /// Related pages, such as `gestured(8)`.
    package var related: [String]

    package init(
        name: String, section: Int, summary: String, synopsis: [String], description: String,
        options: [Option], commands: [Command] = [], examples: [Example], parts: [Part],
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
