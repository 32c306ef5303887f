/// One option of a program or a command: a flag, or an option with a value.
package struct Option: Hashable, Sendable {
    /// With its dashes.
    package var name: String
    /// The value's placeholder in the help. It decides what completes the value: `FILE`, `DIR`,
    /// `SESSION`, `NAME` of an instance; others nothing. Nil for a flag.
    package var value: String?
    /// Its effect, in one line.
    package var help: String
    /// The command's arguments if the option is given; nil: the same as without it.
    package var arguments: String?

    package init(
        _ name: String, _ value: String? = nil, _ help: String, arguments: String? = nil
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.arguments = arguments
    }

    /// Options that are typed often.
    package static let shortNames = ["-h": "--help", "-o": "--output"]

    /// The name with its value's placeholder.
    package var heading: String { value.map { "\(name) \($0)" } ?? name }
}

/// A line to type, and its effect.
package struct Example: Hashable, Sendable {
    package var line: String
    package var effect: String

    package init(_ line: String, _ effect: String) {
        self.line = line
        self.effect = effect
    }
}
