import Notation

/// Schemas as text for people: two spaces a level, and what is short in one line.
enum SchemaText {
    /// Characters of a line.
    private static let width = 98

    static func text(_ node: Node) -> String {
        var text = ""
        write(node, indent: 0, column: 0, into: &text)
        return text + "\n"
    }

    private static func write(_ node: Node, indent: Int, column: Int, into text: inout String) {
        let short = line(node)
        if column + short.count <= width || (node.array == nil && node.members == nil) {
            text += short
            return
        }
        let inner = String(repeating: " ", count: indent + 2)
        let (open, close) = node.array == nil ? ("{", "}") : ("[", "]")
        var parts: [(name: String, value: Node)] = []
        for element in node.array ?? [] { parts.append(("", element)) }
        for member in node.members ?? [] {
            parts.append((string(member.name) + ": ", member.value))
        }
        text += open + "\n"
        for (place, part) in parts.enumerated() {
            text += inner + part.name
            let column = indent + 2 + part.name.count + 1
            write(part.value, indent: indent + 2, column: column, into: &text)
            text += place == parts.count - 1 ? "\n" : ",\n"
        }
        text += String(repeating: " ", count: indent) + close
    }

    /// A value in one line.
    static func line(_ node: Node) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let truth): truth ? "true" : "false"
        case .integer(let whole): "\(whole)"
        case .unsigned(let whole): "\(whole)"
        case .number(let number): self.number(number)
        case .string(let text): string(text)
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        case .object(let members):
            members.isEmpty
                ? "{}"
                : "{ "
                    + members.map { string($0.name) + ": " + line($0.value) }
                    .joined(separator: ", ") + " }"
        }
    }

    private static func number(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return "\(whole)" }
        return "\(number)"
    }

    static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case "\n": quoted += "\\n"
            case _: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
