/// Makes the configuration's manual page from its commented file: every key with its default and
/// the comment above it.
package enum ConfigurationPage {
    /// The reason why a file is no commented configuration.
    package struct Flaw: Error, Hashable, Sendable {
        /// From 1.
        package var line: Int
        package var message: String
    }

    /// The page; throws where a key is not explained, since it would be missing there.
    package static func page(from file: String) throws(Flaw) -> String {
        var roff = Roff(name: "gestured.toml", section: 5, manual: "File Formats Manual")
        roff.section("NAME")
        roff.text("gestured.toml", is: "configuration of the motion server")
        roff.section("DESCRIPTION")
        roff.paragraphs(
            """
            The file that gestured(8) is given with --config, in TOML. Every key is here with its \
            default; what is left out has it, and a key that is not here is an error. Lists, \
            strings and numbers are written as their defaults are.
            """)
        roff.section("KEYS")
        try keys(file, into: &roff)
        roff.section("FILES")
        roff.item(
            "/etc/gestured/gestured.toml", "the service's; the package adds ipc:// endpoints.")
        roff.item("/etc/gestured/NAME.toml", "that of the instance gestured@NAME.")
        roff.section("EXAMPLES")
        roff.examples([
            Example(
                "gestured --check --config /etc/gestured/gestured.toml",
                "say what is wrong with the file, by line and key"),
            Example(
                "systemctl reload gestured",
                "have the service read it again; a bad file changes nothing"),
        ])
        roff.section("SEE ALSO")
        roff.related(["gesturectl(1)", "gestured(8)"])
        return roff.text
    }

    private static func keys(_ file: String, into roff: inout Roff) throws(Flaw) {
        var comment: [String] = []
        // The text at the top describes the file and ends with an empty line.
        var isHead = true
        var table = ""
        for (index, line) in file.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("#") {
                comment.append(String(line.drop { $0 == "#" }.drop { $0 == " " }))
            } else if line.hasPrefix("[") {
                table = String(line.dropFirst().prefix { $0 != "]" })
                roff.subsection("[\(table)]")
                roff.paragraphs(comment.joined(separator: "\n"))
                comment = []
            } else if let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].filter { $0 != " " }
                let value = line[line.index(after: equals)...].drop { $0 == " " }
                guard !comment.isEmpty else {
                    throw Flaw(line: index + 1, message: "nothing explains \(key)")
                }
                roff.item(
                    table.isEmpty ? key : "\(table).\(key)",
                    "\(comment.joined(separator: "\n"))\n\nDefault: \(value)")
                comment = []
            } else if line.isEmpty {
                if isHead { comment = [] }
                isHead = false
            } else {
                throw Flaw(line: index + 1, message: "neither a comment, nor a table, nor a key")
            }
        }
    }
}
