package import Manual
import Notation
import Protocol

/// The words after the command's name, sorted into positionals and options.
package struct Arguments: Hashable, Sendable {
    package var positionals: [String] = []
    /// Values by option name. A repeated option has its last value, a flag an empty one.
    package var values: [String: String] = [:]

    /// Takes all words as positionals.
    package init(positionals: [String]) { self.positionals = positionals }

    /// `--` ends the options; a lone `-` is a positional.
    package init(parsing words: [String], options: [Option]) throws(Failure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positionals += rest
                return
            }
            if let cluster = Option.Cluster(word, of: options) {
                try take(cluster, of: word, followedBy: &rest)
                continue
            }
            guard word.hasPrefix("-") && word != "-" else {
                positionals.append(word)
                continue
            }
            if let used = try option(word, followedBy: rest.first, of: options), used {
                rest.removeFirst()
            }
        }
    }

    /// Reads letters behind one dash.
    private mutating func take(
        _ cluster: Option.Cluster, of word: String, followedBy rest: inout ArraySlice<String>
    ) throws(Failure) {
        if let unknown = cluster.unknown {
            let name = word.count == 2 ? word : "-\(unknown) in \(word)"
            throw .usage("unknown option \(name)")
        }
        for option in cluster.flags { values[option.name] = "" }
        guard let (option, value) = cluster.last else { return }
        guard let value = value.isEmpty ? rest.popFirst() : value else {
            throw .usage("\(option.heading.prefix(2)) needs a value: \(option.value ?? "")")
        }
        values[option.name] = value
    }

    /// Reads one option; returns whether it used the next word too.
    private mutating func option(
        _ word: String, followedBy next: String?, of options: [Option]
    ) throws(Failure) -> Bool? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            let nearest = nearestName(to: name, among: options.map(\.name))
            throw .usage("unknown option \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
        }
        guard let value = option.value else {
            if parts.count > 1 { throw .usage("\(name) takes no value") }
            values[name] = ""
            return false
        }
        if parts.count > 1 {
            values[name] = String(parts[1])
            return false
        }
        guard let next else { throw .usage("\(name) needs a value: \(value)") }
        values[name] = next
        return true
    }

    /// The same words without some options.
    package func without(_ names: [String]) -> Arguments {
        var rest = self
        for name in names { rest.values[name] = nil }
        return rest
    }

    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The number of an option, within a range; nil without the option.
    package func number(
        _ name: String, in range: ClosedRange<Double>
    ) throws(Failure) -> Double? {
        guard let text = values[name] else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw .usage(
                "\(name) must be a number from \(short(range.lowerBound, decimals: 6)) to "
                    + "\(short(range.upperBound)), not '\(text)'")
        }
        return number
    }

    /// The whole number of an option, within a range; nil without the option.
    package func whole(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "\(name) must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// Throws where there are too few or too many positionals; `names` are for the message.
    package func requirePositionals(_ names: [String], optional: Int = 0) throws(Failure) {
        let needed = names.count - optional
        if positionals.count < needed {
            throw .usage("\(names[positionals.count]) is missing")
        }
        if positionals.count > names.count {
            throw .usage("'\(positionals[names.count])' is one argument too many")
        }
    }
}
