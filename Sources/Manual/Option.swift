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

    /// Options that are typed often, by their letters. A letter means the same in every command.
    package static let shortNames: [Character: String] = [
        "c": "--critical", "d": "--delay", "e": "--expect", "f": "--format", "h": "--help",
        "i": "--instance", "j": "--json", "n": "--count", "o": "--output", "p": "--port",
        "q": "--quiet", "s": "--session", "t": "--timestamps", "u": "--update", "v": "--verbose",
        "V": "--version", "w": "--warning",
    ]
    private static let letters = Dictionary(
        uniqueKeysWithValues: shortNames.map { ($0.value, $0.key) })

    /// The letter behind one dash that means this option; nil: it has none.
    package var letter: Character? { Self.letters[name] }

    /// The name, behind its letter if it has one, with its value's placeholder.
    package var heading: String {
        (letter.map { "-\($0), " } ?? "") + name + (value.map { " \($0)" } ?? "")
    }

    /// One word of letters behind one dash, such as `-tn5`, by what it means: the names of flags,
    /// then at most one option with a value, which is the rest of the word or the next word.
    package struct Cluster: Equatable, Sendable {
        package var flags: [Option] = []
        /// The option whose value follows, and the part of the value in this word.
        package var last: (option: Option, value: String)?
        /// The first letter that means no option of the command.
        package var unknown: Character?

        /// Nil: the word is no cluster.
        package init?(_ word: String, of options: [Option]) {
            guard word.count > 1, word.hasPrefix("-"), !word.hasPrefix("--") else { return nil }
            var rest = word.dropFirst()
            while let letter = rest.popFirst() {
                let name = Option.shortNames[letter]
                guard let option = options.first(where: { $0.name == name }) else {
                    unknown = letter
                    return
                }
                guard option.value == nil else {
                    // As behind a long name: -o=FILE is -o FILE.
                    if rest.first == "=" { rest.removeFirst() }
                    last = (option, String(rest))
                    return
                }
                flags.append(option)
            }
        }

        package static func == (one: Cluster, other: Cluster) -> Bool {
            one.flags == other.flags && one.unknown == other.unknown
                && one.last?.option == other.last?.option && one.last?.value == other.last?.value
        }
    }
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
