import Notation

/// A tree as YAML in block style. Texts are quoted as in JSON, which YAML reads as they are.
enum YAMLText {
    static func text(_ node: Node) -> String {
        var text = ""
        write(node, indent: 0, into: &text)
        return text
    }

    private static func write(_ node: Node, indent: Int, into text: inout String) {
        let space = String(repeating: " ", count: indent)
        for member in node.members ?? [] {
            text += space + key(member.name) + ":"
            writeValue(member.value, indent: indent, into: &text)
        }
        for element in node.array ?? [] {
            guard element.members?.isEmpty == false else {
                text += space + "- " + SchemaText.line(element) + "\n"
                continue
            }
            var inner = ""
            write(element, indent: indent + 2, into: &inner)
            text += space + "- " + inner.dropFirst(indent + 2)
        }
    }

    private static func writeValue(_ node: Node, indent: Int, into text: inout String) {
        let isEmpty = (node.members?.isEmpty ?? true) && (node.array?.isEmpty ?? true)
        if isEmpty {
            text += " " + SchemaText.line(node) + "\n"
        } else {
            text += "\n"
            write(node, indent: indent + 2, into: &text)
        }
    }

    /// Plain where no reader could take it for anything but a text.
    private static func key(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            default: false
            }
        }
        return isPlain ? name : SchemaText.string(name)
    }
}
