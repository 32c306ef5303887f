import Commands
import Notation

/// `simulate --expect`: what a recording must lead to, read from a file and compared with a run.
///
/// `ExpectationFile` reads `Expectation`s, `ObservedRun` collects what a simulation publishes,
/// `Judgement` compares both, and `Verdict`s go to a person (`VerdictText`), to a CI server
/// (`JUnitReport`) or back into the file (`ExpectationUpdate`). `ExpectationDraft` writes a first
/// file, `SeedSweep` runs one recording with many seeds.
struct Expectation {
    /// When it is checked, or the end of the time in which transitions are looked for.
    enum Moment: Hashable {
        /// Milliseconds after the first event.
        case at(Double)
        /// The event of this number, from 1, and so many milliseconds.
        case event(Int, plus: Double)
        /// The first caption that contains this text, and so many milliseconds.
        case caption(String, plus: Double)
        /// When everything has come to rest, or the run ends.
        case end
    }

    enum Subject {
        case field(path: String, ExpectedValue)
        case transitions([ExpectedTransition], from: Moment)
    }

    /// A person's name of the table that it stands in; empty: none.
    var title: String
    /// Nil: the first session of the recording.
    var session: String?
    var moment: Moment
    var subject: Subject
    /// Its line in the file.
    var line: Int
    /// Its key in the file, table by table; empty in a list.
    var keys: [String]
    /// The place of its table among the tables `expect`.
    var table: Int
}

/// All that a file of expectations says.
struct Expectations {
    /// Entries of one file: more than anybody writes, and each is kept with its verdict.
    static let countMax = 10_000
    /// Transitions of one list.
    static let transitionsMax = 1_000
    /// Points by which x, y, w and h may differ, unless the file says otherwise; 0.001 of any
    /// other unit. It is the precision of the wire.
    static let toleranceDefault = 0.001

    enum Rejections: Equatable {
        case any
        /// The codes, in order.
        case codes([String])
    }

    /// The scene in which the recording is played, or a file of it, beside this one; nil: that of
    /// the recording.
    var scene: String?
    var all: [Expectation] = []
    var rejections = Rejections.codes([])
    var rejectionsLine: Int?
}

/// A value that a field must have.
enum ExpectedValue: Equatable {
    /// Within so much, inclusive.
    case number(Double, within: Double)
    /// Nil: no bound. `isOpen` leaves the bounds out.
    case range(low: Double?, high: Double?, isOpen: Bool)
    case text(String)
    case truth(Bool)
    /// Element by element.
    case list([ExpectedValue])
    /// The view or value is there, whatever it is.
    case present
    /// It is not, or is null.
    case absent

    /// Whether a value is as expected; nil: there is none.
    func accepts(_ value: Node?) -> Bool {
        let isThere = value.map { !$0.isNull } ?? false
        switch self {
        case .present: return isThere
        case .absent: return !isThere
        case .number, .range: return distance(to: value) == 0
        case .text(let text):
            return value?.string == text
        case .truth(let truth): return value?.bool == truth
        case .list(let expected):
            guard let values = value?.array, values.count == expected.count else { return false }
            return zip(expected, values).allSatisfy { $0.accepts($1) }
        }
    }

    /// How far a number is from being accepted; nil where numbers do not compare.
    func distance(to value: Node?) -> Double? {
        guard let number = value?.double else { return nil }
        // Decimals of the file are not exact in binary.
        let slack = 1e-9 * max(1, number.magnitude)
        switch self {
        case .number(let wanted, let tolerance):
            return Self.positive((number - wanted).magnitude - tolerance, slack)
        case .range(let low, let high, let isOpen):
            if isOpen, number == low || number == high { return slack }
            let below = low.map { $0 - number } ?? 0
            let above = high.map { number - $0 } ?? 0
            return isOpen ? max(0, below, above) : Self.positive(max(below, above), slack)
        case .text, .truth, .list, .present, .absent: return nil
        }
    }

    private static func positive(_ value: Double, _ slack: Double) -> Double {
        value <= slack ? 0 : value
    }

    /// As a person writes it.
    var text: String {
        switch self {
        case .number(let value, let tolerance):
            let isUsual = tolerance == Expectations.toleranceDefault
            return short(value, decimals: 6)
                + (isUsual ? "" : " ± \(short(tolerance, decimals: 6))")
        case .range(let low?, let high?, _):
            return "\(short(low, decimals: 6))..\(short(high, decimals: 6))"
        case .range(let low?, nil, let isOpen):
            return (isOpen ? "> " : ">= ") + short(low, decimals: 6)
        case .range(nil, let high, let isOpen):
            return (isOpen ? "< " : "<= ") + short(high ?? 0, decimals: 6)
        case .text(let text): return "\"\(text)\""
        case .truth(let truth): return "\(truth)"
        case .list(let values): return "[" + values.map(\.text).joined(separator: ", ") + "]"
        case .present: return "present"
        case .absent: return "absent"
        }
    }
}

/// A transition as a file describes it; nil: whatever it is.
struct ExpectedTransition: Equatable {
    /// Any number of others may come here.
    var isGap = false
    var component: String?
    var name: String?
    var event: String?
    var from: ExpectedValue?
    var to: ExpectedValue?
    var time: ExpectedValue?
    /// The line of its entry in the file.
    var line: Int?

    func accepts(_ transition: ObservedRun.Transition, first: Double) -> Bool {
        guard !isGap, component.map({ $0 == transition.component }) ?? true,
            name.map({ $0 == transition.name }) ?? true,
            event.map({ $0 == transition.event }) ?? true
        else { return false }
        if let from, !from.accepts(transition.from) { return false }
        if let to, !to.accepts(transition.to) { return false }
        if let time, !time.accepts(Node(.number(transition.time - first))) { return false }
        return true
    }

    var text: String {
        if isGap { return "…" }
        var parts = [component ?? "*", name ?? "*", event ?? "*"]
        if from != nil || to != nil { parts.append("\(from?.text ?? "")→\(to?.text ?? "")") }
        if let time { parts.append("at \(time.text)") }
        return parts.joined(separator: " ")
    }
}
