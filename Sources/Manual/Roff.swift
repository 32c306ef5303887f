import Notation

/// Writes a manual page in the macros of man(7).
package struct Roff {
    private(set) var text: String

    /// Begins a page; `name` as it is called, without its section.
    package init(name: String, section: Int, manual: String) {
        text =
            ".TH \(Self.escaped(name).uppercased()) \(section) \(Version.date) "
            + "\"gestured \(Version.text)\" \"\(manual)\"\n"
    }

    mutating func section(_ title: String) { text += ".SH \(Self.quoted(title))\n" }
    mutating func subsection(_ title: String) { text += ".SS \(Self.quoted(title))\n" }

    /// Paragraphs as they are written in the sources: an empty line between two, and lines that
    /// begin with four spaces as they are.
    mutating func paragraphs(_ source: String, isFirst: Bool = true, break: String = ".PP") {
        var isFirst = isFirst
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        for paragraph in lines.split(separator: "") {
            if !isFirst { text += `break` + "\n" }
            isFirst = false
            if paragraph.first?.hasPrefix("    ") == true {
                literal(paragraph.map { String($0.dropFirst(4)) })
            } else {
                line(paragraph.joined(separator: " "))
            }
        }
    }

    /// A bold name with an indented text.
    mutating func item(_ name: String, _ explanation: String) {
        text += ".TP\n\\fB\(Self.escaped(name))\\fR\n"
        paragraphs(explanation, break: ".IP")
    }

    /// An option, its value in italics.
    mutating func item(_ option: Option) {
        let value = option.value.map { " \\fI\(Self.escaped($0))\\fR" } ?? ""
        let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
        text += ".TP\n\(letter)\\fB\(Self.escaped(option.name))\\fR\(value)\n"
        line(sentence(option.help))
    }

    mutating func literal(_ lines: [String]) {
        text += ".EX\n"
        for each in lines { line(each) }
        text += ".EE\n"
    }

    /// One call of a program: its name in bold, continued lines indented.
    mutating func call(_ name: String, _ arguments: String) {
        text += ".HP\n\\fB\(Self.escaped(name))\\fR\n"
        line(arguments.replacingEach("\n", with: " "))
    }

    mutating func line(_ source: String) {
        let escaped = Self.escaped(source)
        // A dot or an apostrophe at the beginning would be a macro's.
        text += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
    }

    /// Pages are ASCII, and a dash that can be pasted is not a hyphen.
    static func escaped(_ source: String) -> String {
        var escaped = ""
        for character in source {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "…": escaped += "..."
            case "×": escaped += "x"
            case "→": escaped += "\\->"
            case "²": escaped += "^2"
            case "'": escaped += "\\(aq"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "`": escaped += "\\(ga"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    private static func quoted(_ title: String) -> String {
        guard title.contains(" ") else { return escaped(title) }
        return "\"\(escaped(title).replacingEach("\"", with: "\\(dq"))\""
    }

    /// The help's text as a sentence.
    private func sentence(_ help: String) -> String {
        help.prefix(1).uppercased() + help.dropFirst() + (help.hasSuffix(".") ? "" : ".")
    }
}

extension Program {
    /// The program's manual page, as text for man(1).
    package var page: String {
        let manual = section == 8 ? "System Manager's Manual" : "User Commands"
        var roff = Roff(name: name, section: section, manual: manual)
        roff.section("NAME")
        roff.text(name, is: summary)
        roff.section("SYNOPSIS")
        for call in synopsis { roff.call(name, call) }
        roff.section("DESCRIPTION")
        roff.paragraphs(description)
        roff.section("OPTIONS")
        for option in options { roff.item(option) }
        if !commands.isEmpty {
            roff.section("COMMANDS")
            for command in commands { roff.command(command, of: name) }
        }
        for part in parts {
            roff.section(part.title)
            roff.paragraphs(part.text)
            for item in part.items { roff.item(item.name, item.text) }
        }
        if !examples.isEmpty {
            roff.section("EXAMPLES")
            roff.examples(examples)
        }
        roff.section("SEE ALSO")
        roff.related(related)
        return roff.text
    }
}

extension Roff {
    mutating func text(_ name: String, is summary: String) {
        text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
    }

    mutating func related(_ pages: [String]) {
        for (index, page) in pages.enumerated() {
            let parts = page.split(separator: "(")
            let end = index == pages.count - 1 ? "" : ","
            text += ".BR \(Self.escaped(String(parts[0]))) (\(parts[1])\(end)\n"
        }
    }

    mutating func examples(_ examples: [Example]) {
        for example in examples {
            text += ".TP\n\\fB\(Self.escaped(example.line))\\fR\n"
            line(sentenceOf(example))
        }
    }

    private func sentenceOf(_ example: Example) -> String {
        example.effect.prefix(1).uppercased() + example.effect.dropFirst() + "."
    }

    fileprivate mutating func command(_ command: Program.CommandHelp, of program: String) {
        subsection("\(program) \(command.heading)")
        paragraphs("\(command.summary).")
        if !command.details.isEmpty { paragraphs(command.details, isFirst: false) }
        for option in command.options { item(option) }
        if !command.examples.isEmpty {
            text += ".PP\n"
            line(command.examples.count == 1 ? "Example:" : "Examples:")
            examples(command.examples)
        }
    }
}
