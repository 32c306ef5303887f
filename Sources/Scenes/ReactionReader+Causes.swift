import Interactions
import Notation
import Sessions

/// Reads `when`: the things that a reaction waits for.
extension ReactionReader {
    private static let causeKeys = [
        "component", "notification", "badge", "variable", "session", "idle", "every",
    ]

    /// The keys that may stand beside each of those.
    private static let keysBeside = [
        "badge": ["above", "below"],
        "component": [
            "transition", "phase", "event", "from", "to", "item", "row", "boundary", "with",
            "token",
        ],
        "variable": ["is", "above", "below"],
    ]

    /// Reads a cause, and notes the values that it tells. Nil where a part of it is wrong, which is
    /// noted.
    mutating func cause(
        _ when: TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.Cause? {
        var table = when
        let key = try table.theOnlyKey(of: Self.causeKeys)
        table.forgetKeys(except: key)
        let count = faults.count
        let cause = noting { (reader) throws(TableError) in
            try reader.cause(at: key, &table, &facts)
        }.flatMap { $0 }
        // Which of them can stand there is not known.
        if cause == nil { table.know(Self.keysBeside[key] ?? []) }
        noteStrangers(in: table)
        return faults.count == count ? cause : nil
    }

    private mutating func cause(
        at key: String, _ table: inout TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.Cause? {
        let cause: Reaction.Cause
        switch key {
        case "component":
            guard let passage = try passage(&table, &facts) else { return nil }
            cause = passage
        case "notification":
            cause = .notification(kind: try kind(key, &table))
            facts.source = "a notification"
            facts.forms = [.kind: .name, .count: Placeholder.count.form, .data: .any]
        case "badge":
            let bound = countBound(&table)
            cause = .badge(kind: try kind(key, &table), bound)
            facts.source = "a badge"
            facts.forms = [.kind: .name, .count: Placeholder.count.form]
        case "variable":
            let variable = try variable(&table)
            cause = .variable(variable, variableTest(of: variable, &table))
            facts.source = "a variable"
            facts.forms = [.value: variables[variable].value.kind.form]
        case "idle":
            cause = .idle(seconds: try seconds(key, &table))
            facts.source = "idle"
        case "every":
            cause = .every(seconds: try seconds(key, &table))
            facts.source = "every"
        default:
            let text = try table.string(key) ?? ""
            guard let moment = SessionMoment(rawValue: text) else {
                let known = SessionMoment.allCases.map(\.rawValue)
                throw table.error(key, unknown: "moment of a session", text, among: known)
            }
            cause = .session(moment)
            facts.source = "a session"
        }
        return cause
    }

    private func seconds(_ key: String, _ table: inout TableReader) throws(TableError) -> Double {
        try table.showing(key) { (table) throws(TableError) in
            try table.number(key, default: 1, in: .reactionTimer)
        }
    }

    private mutating func countBound(_ table: inout TableReader) -> Reaction.CountBound {
        let (above, below) = (count("above", &table), count("below", &table))
        if table.node("above") != nil, table.node("below") != nil {
            faults.append(table.error("below", "cannot stand beside above"))
        }
        return below.map { .below($0) } ?? .above(above ?? 0)
    }

    private mutating func passage(
        _ table: inout TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.Cause? {
        let found = noting { (reader) throws(TableError) in try reader.component(&table) }
        guard let component = found else {
            if !TokenMoment.isNamed(in: table) { noteAbsenceOfPassage(in: &table) }
            return nil
        }
        let parameters = components[component].parameters
        let reports = parameters.reports
        guard !unsure.contains(components[component].id) else { return nil }
        switch (try table.string("transition"), try table.string("phase")) {
        case (let name?, nil):
            let event = noting { (reader) throws(TableError) in try reader.event(&table) }
            guard let report = reports.transition(name) else {
                throw table.error(
                    "transition", unknown: "transition of \(parameters.kind)", name,
                    among: reports.transitions.map(\.name))
            }
            facts.tell(of: report, parameters.kind)
            return .transition(
                transition(report, event ?? .began, component, &table, facts))
        case (nil, nil) where TokenMoment.isNamed(in: table):
            return .transition(try tokenPassage(component, &table, &facts))
        case (nil, let phase?):
            facts.source = "a phase"
            facts.forms = [.user: Placeholder.user.form]
            return .phase(component: component, phase: try known(phase, of: component, table))
        case (nil, nil):
            noteAbsenceOfPassage(in: &table)
            return nil
        case (_?, _?): throw table.error("phase", "cannot stand beside transition")
        }
    }

    private mutating func noteAbsenceOfPassage(in table: inout TableReader) {
        noteAbsence(
            ofAny: ["transition", "phase"], beside: Self.keysBeside["component"] ?? [], in: &table)
    }

    /// A phase that a component has.
    func known(
        _ phase: String, of component: Int, _ table: TableReader
    ) throws(TableError) -> String {
        let parameters = components[component].parameters
        let phases = parameters.reports.phases
        guard phases.contains(phase) else {
            throw table.error(
                "phase", unknown: "phase of \(parameters.kind)", phase, among: phases)
        }
        return phase
    }

    private func event(_ table: inout TableReader) throws(TableError) -> Transition.Event {
        let name = try table.string("event") ?? Transition.Event.began.rawValue
        guard let event = Transition.Event(rawValue: name) else {
            let known = Transition.Event.allCases.map(\.rawValue)
            throw table.error("event", unknown: "event of a transition", name, among: known)
        }
        return event
    }

    /// A token that is put, lifted or turned, by these words instead of its transitions.
    private mutating func tokenPassage(
        _ component: Int, _ table: inout TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.TransitionCause {
        let name = try table.string("event") ?? TokenMoment.put.rawValue
        guard let moment = TokenMoment(rawValue: name) else {
            let known = TokenMoment.allCases.map(\.rawValue)
            throw table.error("event", unknown: "event of a token", name, among: known)
        }
        let parameters = components[component].parameters
        guard let report = parameters.reports.transition(moment.transition) else {
            let key = table.node("token") == nil ? "event" : "token"
            throw table.error(key, "cannot stand here: a \(parameters.kind) knows no tokens")
        }
        facts.tell(of: report, parameters.kind)
        return transition(report, moment.event, component, &table, facts)
    }

    private mutating func transition(
        _ report: TransitionReport, _ event: Transition.Event, _ component: Int,
        _ table: inout TableReader, _ facts: FactForms
    ) -> Reaction.TransitionCause {
        var cause = Reaction.TransitionCause(
            component: component, name: report.name, event: event)
        func noted(_ placeholder: Placeholder) -> ReportedValue? {
            noting { (reader) throws(TableError) in
                try reader.end(placeholder, of: component, report, &table, facts)
            }.flatMap { $0 }
        }
        cause.from = noted(.from)
        cause.to = noted(.to)
        if case .text(let item)? = noted(.item) { cause.item = item }
        if case .whole(let row)? = noted(.row) { cause.row = row }
        if case .text(let boundary)? = noted(.boundary) { cause.boundary = boundary }
        if case .text(let other)? = noted(.with) { cause.with = other }
        if case .whole(let token)? = noted(.token) { cause.token = token }
        return cause
    }

    /// The value that a transition must have; nil: any.
    private func end(
        _ placeholder: Placeholder, of component: Int, _ report: TransitionReport,
        _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> ReportedValue? {
        let key = placeholder.rawValue
        guard let node = table.node(key) else { return nil }
        guard let reported = facts.forms[placeholder] else {
            throw table.error(key, "\(node.shown) cannot be: \(facts.source) tells no \(key)")
        }
        if let rule = placeholder.form.rule(refusing: node) {
            throw table.error(key, "\(node.shown) must be \(rule)")
        }
        let id = components[component].id
        let form = names.mayChange(id, at: key) ? placeholder.form : reported
        let isOfAction = report.name == "action"
        if let rule = names.rule(refusing: node, as: key, isOfAction: isOfAction, in: id) {
            throw table.error(key, rule)
        }
        if let rule = form.rule(refusing: node) {
            throw table.error(key, "\(node.shown) must be \(rule)")
        }
        return node.string.map { .text($0) } ?? node.int.map { .whole($0) }
    }
}

extension TokenMoment {
    /// Whether a table is about tokens: it names one, or a moment of one.
    static func isNamed(in table: TableReader) -> Bool {
        var table = table
        let event = table.node("event")?.string
        return table.node("token") != nil || event.flatMap(Self.init(rawValue:)) != nil
    }
}

extension VariableKind {
    /// The form of its values.
    var form: ValueForm {
        switch self {
        case .number: .number(.finite)
        case .text: .any
        case .truth: .truth
        }
    }
}
