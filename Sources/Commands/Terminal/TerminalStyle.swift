import Glibc

/// Colors words, if the output is a terminal and the person wants colors.
package struct Style: Sendable {
    /// Colors by the number of their escape sequence.
    package enum Paint: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
    }

    package static let plain = Style(isOn: false)
    /// For standard output, and for standard error.
    package static let output = Style(isOn: isWanted(on: STDOUT_FILENO))
    package static let errors = Style(isOn: isWanted(on: STDERR_FILENO))

    package let isOn: Bool

    package func callAsFunction(_ text: String, _ paint: Paint) -> ShownText {
        self(ShownText(text), paint)
    }

    package func callAsFunction(_ text: ShownText, _ paint: Paint) -> ShownText {
        isOn && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Follows no-color.org; a `dumb` terminal has no colors.
    static func isWanted(isTerminal: Bool, noColor: String?, terminal: String?) -> Bool {
        isTerminal && noColor?.isEmpty ?? true && terminal != "dumb" && terminal?.isEmpty == false
    }

    private static func isWanted(on descriptor: Int32) -> Bool {
        isWanted(
            isTerminal: isatty(descriptor) == 1, noColor: environment("NO_COLOR"),
            terminal: environment("TERM"))
    }
}

/// A variable of the environment; nil if unset or empty.
package func environment(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
}
