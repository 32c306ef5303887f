/// Text of others as one line that a person can read and that forges nothing.
enum Printable {
    /// Control characters, line ends, and what turns the direction of writing are shown by their
    /// numbers, as `\u{a}`; of what is too long, the beginning.
    static func line(_ text: String, bytesMax: Int) -> String {
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

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            true
        default: false
        }
    }
}
