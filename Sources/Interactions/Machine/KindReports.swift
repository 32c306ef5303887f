import Gestures
package import Notation

/// A component as reactions of a scene see it: they wait for its transitions and phases, and give
/// it commands.
///
/// Each kind says it in its `<Kind>+Reports.swift`, so that a scene is checked when it is read.
/// A new transition or command of a kind is one line there.
package struct KindReports: Sendable {
    package var transitions: [TransitionReport]
    /// Every phase, named as in states.
    package var phases: [String]
    package var commands: [CommandReport]
    /// The states that its parts can be in, with the forms of the parts' names.
    package var parts: [PartReport]

    package init(
        transitions: [TransitionReport], phases: [String], commands: [CommandReport],
        parts: [PartReport] = []
    ) {
        self.transitions = transitions
        self.phases = phases
        self.commands = commands
        self.parts = parts
    }

    package func transition(_ name: String) -> TransitionReport? {
        transitions.first { $0.name == name }
    }

    package func command(_ name: String) -> CommandReport? { commands.first { $0.name == name } }
}

/// One transition of a kind, and what it tells.
package struct TransitionReport: Sendable {
    /// Reads one value of a transition; nil where this one has none.
    package typealias Reader = @Sendable (Transition) -> ReportedValue?

    package var name: String
    /// The form of `from` and `to`; nil: the transition has no ends.
    package var ends: ValueForm?
    private var readers: [Placeholder: Reader]
    /// Narrower forms of values, where the component's parameters say what they can be.
    private var forms: [Placeholder: ValueForm]

    package init(
        _ name: String, ends: ValueForm? = nil, tells readers: [Placeholder: Reader] = [:],
        as forms: [Placeholder: ValueForm] = [:]
    ) {
        self.name = name
        self.ends = ends
        self.readers = readers
        self.forms = forms
    }

    /// The values that it tells, in the order in which an error lists them.
    package var placeholders: [Placeholder] {
        Placeholder.allCases.filter { form(of: $0) != nil }
    }

    /// The form of a value that it tells; nil: it does not tell it.
    package func form(of placeholder: Placeholder) -> ValueForm? {
        switch placeholder {
        case .from, .to: ends
        default: readers[placeholder] == nil ? nil : forms[placeholder] ?? placeholder.form
        }
    }

    package func value(_ placeholder: Placeholder, of transition: Transition) -> ReportedValue? {
        switch placeholder {
        case .from: transition.from.map(ReportedValue.init)
        case .to: transition.to.map(ReportedValue.init)
        default: readers[placeholder]?(transition)
        }
    }
}

extension TransitionReport {
    /// A tap on an item; `item` is the only one, where there is only one.
    static func tap(tells placeholders: Set<Placeholder>, item: String? = nil) -> TransitionReport {
        let readers: [Placeholder: Reader] = [
            .item: { $0.item.map { .text($0) } }, .index: { $0.index.map { .whole($0) } },
        ]
        return TransitionReport(
            "tap", tells: readers.filter { placeholders.contains($0.key) },
            as: item.map { [.item: .choice([$0])] } ?? [:])
    }
}

/// A state that parts of a component can be in.
package struct PartReport: Sendable {
    package var state: PartState
    /// The form of a row's number; nil: it has no rows.
    package var row: ValueForm?
    /// The form of an item's name; nil: it has no named items.
    package var item: ValueForm?

    package init(_ state: PartState, row: ValueForm? = nil, item: ValueForm? = nil) {
        (self.state, self.row, self.item) = (state, row, item)
    }
}

/// One command of a kind with its arguments.
package struct CommandReport: Sendable {
    package struct Argument: Sendable {
        package var name: String
        package var form: ValueForm
        package var isRequired: Bool
    }

    package var name: String
    package var arguments: [Argument] = []

    package init(_ name: String) { self.name = name }

    package func requiring(_ name: String, _ form: ValueForm) -> CommandReport {
        adding(Argument(name: name, form: form, isRequired: true))
    }

    package func taking(_ name: String, _ form: ValueForm) -> CommandReport {
        adding(Argument(name: name, form: form, isRequired: false))
    }

    private func adding(_ argument: Argument) -> CommandReport {
        var report = self
        report.arguments.append(argument)
        return report
    }
}

/// A value of what happened, as a command of a reaction names it: `$from`.
package enum Placeholder: String, Hashable, Sendable, CaseIterable {
    case from, to, item, row, index, kind, count, on, boundary, with
    /// The symbol of a token, and its angle in whole degrees.
    case token, angle
    /// The new value of a variable.
    case value
    /// The table that a notification brought; `$data.price` is a member of it.
    case data
    /// The person whose contact led to it; an empty text where nobody knows.
    case user

    /// The form of its values; the ends of a transition say theirs themselves.
    package var form: ValueForm {
        switch self {
        case .from, .to, .value, .data: .any
        case .item, .kind, .boundary, .with, .user: .name
        case .row, .index, .count: .whole(0...Int.max)
        case .token: .whole(Token.symbols)
        case .angle: .whole(0...359)
        case .on: .truth
        }
    }
}

/// A value of what happened.
package enum ReportedValue: Hashable, Sendable, Codable {
    case whole(Int)
    case text(String)
    case truth(Bool)

    init(_ end: Transition.End) {
        switch end {
        case .index(let index): self = .whole(index)
        case .screen(let screen): self = .text(screen)
        }
    }

    package var node: Node {
        switch self {
        case .whole(let whole): Node(.integer(whole))
        case .text(let text): Node(.string(text))
        case .truth(let truth): Node(.bool(truth))
        }
    }
}

/// The form of a value, as far as it is known before anything happens.
package enum ValueForm: Hashable, Sendable {
    case whole(ClosedRange<Int>)
    case number(NumberRange)
    /// A name as in topics.
    case name
    case choice([String])
    case truth
    case table
    case any

    /// Completes "must be …" where a value cannot be; nil: it can.
    package func rule(refusing node: Node) -> String? {
        switch self {
        case .whole(let range):
            if let whole = node.int, range.contains(whole) { return nil }
            let end = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            return "a whole number from \(range.lowerBound) \(end)"
        case .number(let range):
            if let number = node.double, range.contains(number) { return nil }
            return "a number \(range.rule)"
        case .name: return node.string.map(Name.isValid) == true ? nil : Name.rule
        case .choice(let names):
            if let text = node.string, names.contains(text) { return nil }
            guard !names.isEmpty else { return "left out, for there is none" }
            let listed = listedNames(nearestTo: node.string ?? "", among: names, inQuotes: true)
            return "one of \(listed)"
        case .truth: return node.bool == nil ? "true or false" : nil
        case .table: return node.members == nil ? "a table" : nil
        case .any: return nil
        }
    }

    /// Whether a value of another form can stand for one of this.
    package func takes(_ other: ValueForm) -> Bool {
        switch (self, other) {
        case (.any, _), (_, .any), (.whole, .whole), (.number, .whole), (.number, .number): true
        case (.name, .name), (.choice, .name), (.name, .choice), (.choice, .choice): true
        case (.table, .table), (.truth, .truth): true
        default: false
        }
    }
}
