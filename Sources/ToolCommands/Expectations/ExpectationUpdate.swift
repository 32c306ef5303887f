import Notation
import Protocol
import Recordings

/// `--update`: writes the values of a run into the file of expectations where they differ.
/// Comments, order, tolerances and everything that is met stay.
struct ExpectationUpdate {
    /// A value that was written anew.
    struct Change: Equatable {
        var name: String
        var before: String
        var after: String
    }

    private(set) var changes: [Change] = []
    private(set) var bytes: [UInt8]
    private let text: TOMLText
    private var edits: [(range: Range<Int>, text: String)] = []

    init(_ file: [UInt8], _ verdicts: [Verdict]) {
        text = TOMLText(file)
        bytes = file
        for verdict in verdicts where !verdict.isMet { take(verdict) }
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
        }
    }

    private mutating func take(_ verdict: Verdict) {
        // The others stay as they are: a person must look at them.
        guard let (range, written) = edit(for: verdict) else { return }
        edits.append((range, written))
        var after = String(written.trimmed)
        if case .transitions(let transitions, _) = verdict.actual {
            after = counted(transitions.count, "transition")
        }
        changes.append(Change(name: verdict.name, before: verdict.expected, after: after))
    }

    private func edit(for verdict: Verdict) -> (Range<Int>, String)? {
        switch verdict.actual {
        case nil: return nil
        case .rejections(let codes):
            let list = "[" + codes.map { quoted($0) }.joined(separator: ", ") + "]"
            if let entry = text.entry(table: nil, keys: ["rejections"]) {
                return (entry.value, list)
            }
            let place = text.firstTable ?? text.bytes.count
            return (place..<place, "rejections = \(list)\n\n")
        case .field(let value):
            guard let expectation = verdict.expectation,
                let entry = text.entry(table: expectation.table, keys: expectation.keys),
                case .field(_, let expected) = expectation.subject,
                let written = written(value, instead: expected, text.text(entry.value))
            else { return nil }
            return (entry.value, written)
        case .transitions(let transitions, let first):
            guard let expectation = verdict.expectation,
                let entry = text.entry(table: expectation.table, keys: expectation.keys),
                case .transitions(let expected, _) = expectation.subject,
                expected.count == entry.elements.count
            else { return nil }
            let list = TransitionListText(text, entry, expected, transitions, first: first)
            return (entry.value, list.written)
        }
    }

    /// The value as TOML; a tolerance stays as it was written. Nil: TOML cannot say it.
    private func written(_ value: Node?, instead expected: ExpectedValue, _ former: String)
        -> String?
    {
        guard let value, !value.isNull else { return quoted("absent") }
        if value.members != nil { return quoted("present") }
        let json = String(decoding: value.json(), as: UTF8.self)
        if case .number = expected, value.double != nil,
            former.hasPrefix("\"") || former.hasPrefix("'")
        {
            guard let number = WrittenNumber.range(in: former) else { return former }
            return former[..<number.lowerBound] + json + former[number.upperBound...]
        }
        if value.array != nil, json.holds("null") || json.contains("{") { return nil }
        return value.array == nil ? json : json.replacingEach(",", with: ", ")
    }

    private func quoted(_ text: String) -> String {
        String(decoding: Node(.string(text)).json(), as: UTF8.self)
    }
}

/// A list of transitions, written anew: entries that came stay as they are, with their comments.
private struct TransitionListText {
    let written: String

    init(
        _ text: TOMLText, _ entry: TOMLText.Entry, _ expected: [ExpectedTransition],
        _ transitions: [ObservedRun.Transition], first: Double
    ) {
        let matches = Self.matches(expected, transitions, first)
        let lines = Self.lines(text, entry)
        let parts = transitions.enumerated().map { index, transition in
            matches[index].map { lines[$0] } ?? "\"\(transition.words)\""
        }
        let former = text.text(entry.value)
        if former.contains("\n") || parts.joined(separator: ", ").count > 80 {
            let indent = Self.indentation(text, entry)
            written = "[\n" + parts.map { "\(indent)\(Self.withComma($0))\n" }.joined() + "]"
        } else {
            written = "[" + parts.joined(separator: ", ") + "]"
        }
    }

    /// The place of the entry that a transition is, for each transition.
    private static func matches(
        _ expected: [ExpectedTransition], _ transitions: [ObservedRun.Transition], _ first: Double
    ) -> [Int?] {
        var matches = [Int?](repeating: nil, count: transitions.count)
        var next = 0
        for (place, entry) in expected.enumerated() where !entry.isGap {
            guard
                let found = (next..<transitions.count).first(where: {
                    entry.accepts(transitions[$0], first: first)
                })
            else { continue }
            matches[found] = place
            next = found + 1
        }
        return matches
    }

    /// Each entry with the comment on its line.
    private static func lines(_ text: TOMLText, _ entry: TOMLText.Entry) -> [String] {
        entry.elements.enumerated().map { index, range in
            let own = text.text(range)
            let limit =
                index + 1 < entry.elements.count
                ? entry.elements[index + 1].lowerBound : entry.value.upperBound
            let rest = text.text(range.upperBound..<limit).prefix { $0 != "\n" }
            guard let comment = rest.firstIndex(of: "#") else { return own }
            return "\(own),  \(rest[comment...])"
        }
    }

    /// The blanks before the first entry, if it stands on a line of its own.
    private static func indentation(_ text: TOMLText, _ entry: TOMLText.Entry) -> String {
        guard let first = entry.elements.first else { return "    " }
        let before = text.bytes[entry.value.lowerBound..<first.lowerBound]
        guard let end = before.lastIndex(of: UInt8(ascii: "\n")) else { return "    " }
        return String(decoding: before[(end + 1)...], as: UTF8.self)
    }

    private static func withComma(_ part: String) -> String {
        part.holds(",  #") ? part : part + ","
    }
}

extension ObservedRun.Transition {
    /// Component, name and event, as a file has them.
    var words: String { "\(component) \(name) \(event)" }
}
