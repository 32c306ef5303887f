/// An option of a program or a command: a flag, or an option with a value.
package struct Option: Hashable, Sendable {
    /// The name with its dashes.
    package var name: String
    /// The placeholder of the value, which also says how to complete it: `FILE`, `DIR`, `SESSION`,
    /// `NAME` of an instance; others complete to nothing. Nil for a flag.
    package var value: String?
    /// The effect in one line.
    package var help: String
    /// The command's arguments with this option; nil: the same as without it.
    package var arguments: String?

    package init(
        _ name: String, _ value: String? = nil, _ help: String, arguments: String? = nil
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.arguments = arguments
    }

    /// Short forms.
    package static let shortNames = ["-h": "--help", "-o": "--output"]

    /// The name with the placeholder of its value.
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
