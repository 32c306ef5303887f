import Notation

/// All that is wrong with a configuration, for a person to correct at once.
struct ConfigurationFaults {
    private(set) var errors: [StartError] = []
    /// Flaws that a start under another user, or at another time, would not have.
    private(set) var warnings: [String] = []
    /// Keys that were wrong, as `events` and `sessions.max`. They have their defaults, so that
    /// nothing is said of how these go together with other values.
    private(set) var wrongKeys: Set<String> = []

    mutating func note(_ error: StartError) { errors.append(error) }

    mutating func note(_ error: TableError, in file: String) {
        let key = error.unknownKey ?? error.key ?? ""
        wrongKeys.insert(error.path.isEmpty ? key : "\(error.path).\(key)")
        for var error in error.all {
            if let place = ConfigurationKeys.rightPlace(of: error) {
                error.message = "unknown key \"\(key)\": it stands \(place)"
            }
            note(StartError("\(Configuration.place(file, error.line)) \(error)"))
        }
    }

    mutating func warn(_ text: String) { warnings.append(text) }

    mutating func collect(_ body: () throws(StartError) -> Void) {
        do throws(StartError) {
            try body()
        } catch {
            note(error)
        }
    }

    /// The error of a start: the first one, and how many more there are.
    func told(of file: String) -> StartError? {
        guard var first = errors.first else { return nil }
        if errors.count > 1 {
            first.message +=
                " (and \(errors.count - 1) more: gestured --check --config \(file) names all)"
        }
        return first
    }
}

extension Node {
    /// The configuration without what an error names; nil: it names nothing in it.
    func without(whatIsWrong error: TableError) -> Node? {
        var steps = error.path.split(separator: ".", maxSplits: 2).map(String.init)
        if let key = error.unknownKey ?? error.key { steps.append(key) }
        return without(steps[...])
    }

    private func without(_ steps: ArraySlice<String>) -> Node? {
        guard let step = steps.first, let value = self[step] else { return nil }
        guard steps.count > 1 else { return without(step) }
        // A table whose key is not found goes as a whole.
        return value.without(steps.dropFirst()).map { setting(step, $0) } ?? without(step)
    }
}

extension Limits {
    /// Errors of a configuration's keys that are told at once: each is found by reading all keys
    /// once more.
    static let configurationErrorsMax = 100
}
