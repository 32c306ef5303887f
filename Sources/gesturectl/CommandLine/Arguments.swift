import Manual
import Notation
import Protocol

/// What was typed after the command's name, sorted by the options that the command knows.
struct Arguments: Hashable, Sendable {
    var positionals: [String] = []
    /// By option name; of repeated options the last. Flags have an empty value.
    var values: [String: String] = [:]

    /// `--` ends the options; a lone `-` is no option.
    init(parsing words: [String], options: [Option]) throws(Failure) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positionals += rest
                return
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

    /// Takes one option; returns whether it took the next word too.
    private mutating func option(
        _ word: String, followedBy next: String?, of options: [Option]
    ) throws(Failure) -> Bool? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Option.shortNames[String(parts[0])] ?? String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            let nearest = nearestName(to: name, among: options.map(\.name))
            throw .usage("unknown option \(name)" + (nearest.map { "; is it \($0)?" } ?? ""))
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

    func has(_ name: String) -> Bool { values[name] != nil }

    /// A number within a range; nil where the option is not given.
    func number(
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

    /// A whole number within a range; nil where the option is not given.
    func whole(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "\(name) must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// The positionals, as many as the command takes; `names` are theirs, for the message.
    func expect(_ names: [String], optional: Int = 0) throws(Failure) {
        let needed = names.count - optional
        if positionals.count < needed {
            throw .usage("\(names[positionals.count]) is missing")
        }
        if positionals.count > names.count {
            throw .usage("'\(positionals[names.count])' is one argument too many")
        }
    }
}
