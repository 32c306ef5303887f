/// Makes one printable line of a peer's text. It can neither forge a line nor command a terminal.
package enum Printable {
    /// Shows control characters, line ends and changes of the writing direction by their numbers,
    /// as `\u{a}`, and cuts what is too long.
    package static func line(_ text: String, bytesMax: Int = .max) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            let shown =
                isHidden(scalar)
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(Character(scalar))
            count += shown.utf8.count
            guard count <= bytesMax else { return line + "…" }
            line += shown
        }
        return line
    }

    /// Whether a terminal might obey the character, or show nothing of it.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20..<0x7F).contains(scalar.value) { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            true
        default: false
        }
    }
}
