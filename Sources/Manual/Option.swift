/// One option that a program or a command knows: a flag, or with a value where it names one.
package struct Option: Hashable, Sendable {
    /// With its dashes.
    package var name: String
    /// What stands for the value in the help, and says what completes it: `FILE`, `DIR`,
    /// `SESSION`, `NAME` of an instance, anything else nothing; nil for a flag.
    package var value: String?
    /// What it does, in one line.
    package var help: String
    /// What its command's arguments are where it is given; nil: the same as without it.
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

    /// The name with what stands for the value.
    package var heading: String { value.map { "\(name) \($0)" } ?? name }
}

/// A line to type, and what it does.
package struct Example: Hashable, Sendable {
    package var line: String
    package var effect: String

    package init(_ line: String, _ effect: String) {
        self.line = line
        self.effect = effect
    }
}
