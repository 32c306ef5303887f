/// Lists of plain values. All wrong entries of a list are told at once.
extension TableReader {
    package mutating func bools(_ key: String, default: [Bool]) throws(TableError) -> [Bool] {
        guard let node = node(key) else { return `default` }
        guard let elements = node.array else { throw error(key, "must be a list") }
        var (truths, errors) = ([Bool](), [TableError]())
        truths.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let truth = element.bool else {
                errors.append(error(key, entry: index, "entry \(index + 1) must be true or false"))
                if errors.count == Limits.entriesToldMax { break }
                continue
            }
            truths.append(truth)
        }
        try TableError.throwFirst(of: errors)
        return truths
    }

    /// A list of texts. `flaw` completes the error of an entry that cannot be; nil: it can. All
    /// wrong entries are told.
    package mutating func strings(
        _ key: String, countMax: Int, bytesMax: Int = TableReader.textBytesMax,
        flaw: (_ number: Int, _ text: String) -> String? = { _, _ in nil }
    ) throws(TableError) -> [String]? {
        guard let node = node(key) else { return nil }
        guard let elements = node.array else { throw error(key, "must be a list of strings") }
        guard elements.count <= countMax else {
            throw error(key, "must have at most \(countMax) entries")
        }
        var (texts, errors) = ([String](), [TableError]())
        for (index, element) in elements.enumerated() where errors.count < Limits.entriesToldMax {
            guard let text = element.string, text.utf8.count <= bytesMax else {
                let bound = bytesMax == .max ? "" : " of at most \(bytesMax) bytes"
                errors.append(
                    error(key, entry: index, "entry \(index + 1) must be a string\(bound)"))
                continue
            }
            if let flaw = flaw(index + 1, text) {
                errors.append(error(key, entry: index, flaw))
            } else {
                texts.append(text)
            }
        }
        try TableError.throwFirst(of: errors)
        return texts
    }

    package mutating func strings(
        _ key: String, default: [String], countMax: Int, bytesMax: Int = TableReader.textBytesMax
    ) throws(TableError) -> [String] {
        try strings(key, countMax: countMax, bytesMax: bytesMax) ?? `default`
    }

    /// A list of names as in topics.
    package mutating func names(
        _ key: String, default: [String], countMax: Int
    ) throws(TableError) -> [String] {
        let texts = try strings(key, countMax: countMax) { number, text in
            Name.isValid(text) ? nil : "entry \(number) must be " + Name.rule
        }
        return texts ?? `default`
    }
}

extension TableError {
    /// It and the errors of the other entries, each by itself.
    package var all: [TableError] {
        var first = self
        first.others = []
        return [first] + others
    }

    /// Throws the first of the errors of a list's entries with the others in it.
    package static func throwFirst(of errors: [TableError]) throws(TableError) {
        guard var first = errors.first else { return }
        first.others = Array(errors.dropFirst().prefix(Limits.entriesToldMax - 1))
        throw first
    }
}

extension Limits {
    /// Entries of one list whose errors are told at once: a peer's list may have many.
    package static let entriesToldMax = 16
}
