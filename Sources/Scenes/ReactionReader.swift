import Interactions
import Notation
import Sessions

/// Reads the reactions of a scene, and checks that what they wait for can happen, that the commands
/// are known, and that the values which they name are told.
struct ReactionReader {
    /// In the order of painting, to which indexes refer.
    let components: [Scene.Component]
    /// The items and behaviors that can be named.
    let names: ReactionNames
    /// Ids of components that are wrong themselves: nothing is said of reactions to them.
    let gone: Set<String>
    /// Faults that are asked for: once as many are found, no further reaction is read, and no table
    /// tells more by itself.
    let faultsMax: Int
    private(set) var faults: [TableError] = []

    /// `isStrict` is false where the scene was accepted before, by a version that may have known
    /// less of what cannot be.
    static func reactions(
        _ nodes: [Node], _ components: [Scene.Component], isStrict: Bool
    ) throws(TableError) -> [Reaction] {
        var reader = ReactionReader(nodes, components, isStrict: isStrict, faultsMax: 1)
        let reactions = reader.read(nodes)
        if let first = reader.faults.first { throw first }
        return reactions.compactMap { $0 }
    }

    init(
        _ nodes: [Node], _ components: [Scene.Component], isStrict: Bool, faultsMax: Int,
        gone: Set<String> = []
    ) {
        self.components = components
        self.faultsMax = faultsMax
        self.gone = gone
        names = ReactionNames(nodes, components, isStrict: isStrict)
    }

    /// Reads all, and notes what is wrong with them; nil stands for a wrong one.
    mutating func read(_ nodes: [Node]) -> [Reaction?] {
        nodes.enumerated().map { index, node in
            let count = faults.count
            guard count < faultsMax else { return nil }
            let reaction = noting { (reader) throws(TableError) in
                try reader.reaction(node, path: "reaction \(index + 1)")
            }
            return faults.count == count ? reaction.flatMap { $0 } : nil
        }
    }

    private mutating func noting<Value>(
        _ read: (inout ReactionReader) throws(TableError) -> Value
    ) -> Value? {
        do throws(TableError) {
            return try read(&self)
        } catch {
            let names = error.path.hasPrefix("reaction ") && error.key == "component"
            let isGone = names && gone.contains { error.message.range(ofFirst: "\"\($0)\"") != nil }
            if !isGone { faults.append(error) }
            return nil
        }
    }

    /// Nil where a part of it is wrong, which is noted.
    private mutating func reaction(_ node: Node, path: String) throws(TableError) -> Reaction? {
        var table = try TableReader(node, path: path)
        let when = noting { (reader) throws(TableError) in try reader.table("when", of: &table) }
        let deed = noting { (reader) throws(TableError) in try reader.table("do", of: &table) }
        let after = noting { (_) throws(TableError) in
            try table.showing("after") { (table) throws(TableError) in
                try table.number("after", default: 0, in: .duration)
            }
        }
        faults += table.strangers(countMax: faultsMax)
        var facts = FactForms()
        let cause = when.flatMap { when in
            noting { (reader) throws(TableError) in try reader.cause(when, &facts) } ?? nil
        }
        // Any value may be told by a cause that is wrong.
        if cause == nil { facts = .unknown }
        let action = deed.flatMap { deed in
            noting { (reader) throws(TableError) in try reader.deed(deed, facts) }
        }
        guard let cause, let action = action.flatMap({ $0 }), let after else { return nil }
        return Reaction(cause, action, after: after)
    }

    /// Notes that one of the keys is required, the first, unless one stands there: it would be told
    /// once the table's component is right.
    private mutating func noteAbsence(of keys: [String], in table: TableReader) {
        var table = table
        guard let first = keys.first, keys.allSatisfy({ table.node($0) == nil }) else { return }
        faults.append(table.absence(first))
    }

    private func table(
        _ key: String, of table: inout TableReader
    ) throws(TableError) -> TableReader {
        try table.require(key)
        guard let node = table.node(key), node.members != nil else {
            throw table.error(key, "\(table.node(key)?.shown ?? "it") must be a table")
        }
        return try TableReader(node, path: "\(table.path), \(key)")
    }

    /// The index of the component that a table names.
    private func component(_ table: inout TableReader) throws(TableError) -> Int {
        let id = try table.string("component") ?? ""
        guard let index = components.firstIndex(where: { $0.id == id }) else {
            throw table.error("component", unknown: "component", id, among: components.map(\.id))
        }
        return index
    }

    // MARK: When

    /// Reads the cause of a reaction, and notes the values that it tells. Nil where its component
    /// is wrong, which is noted.
    private mutating func cause(
        _ when: TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.Cause? {
        var table = when
        let keys = ["component", "notification", "badge", "session"]
        let given = keys.filter { table.node($0) != nil }
        guard let key = given.first, given.count == 1 else {
            throw TableError(
                path: table.path, key: given.last, line: table.line,
                message: "must have exactly one of \(keys.joined(separator: ", "))")
        }
        let cause: Reaction.Cause
        switch key {
        case "component":
            guard let passage = try passage(&table, &facts) else { return nil }
            cause = passage
        case "notification":
            cause = .notification(kind: try kind(key, &table))
            facts.source = "a notification"
            facts.forms = [.kind: .name, .count: Placeholder.count.form]
        case "badge":
            let kind = try kind(key, &table)
            let above = try table.showing("above") { (table) throws(TableError) in
                try table.whole("above", default: 0, in: 0...BadgeCounts.countMax)
            }
            cause = .badge(kind: kind, above: above)
            facts.source = "a badge"
            facts.forms = [.kind: .name, .count: Placeholder.count.form]
        default:
            let text = try table.string(key) ?? ""
            guard let moment = SessionMoment(rawValue: text) else {
                let known = SessionMoment.allCases.map(\.rawValue)
                throw table.error(key, unknown: "moment of a session", text, among: known)
            }
            cause = .session(moment)
            facts.source = "a session"
        }
        faults += table.strangers(countMax: faultsMax)
        return cause
    }

    private func kind(_ key: String, _ table: inout TableReader) throws(TableError) -> String {
        try table.showing(key) { (table) throws(TableError) in try table.name(key) ?? "" }
    }

    private mutating func passage(
        _ table: inout TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.Cause? {
        let found = noting { (reader) throws(TableError) in try reader.component(&table) }
        guard let component = found else {
            noteAbsence(of: ["transition", "phase"], in: table)
            return nil
        }
        let parameters = components[component].parameters
        let reports = parameters.reports
        switch (try table.string("transition"), try table.string("phase")) {
        case (let name?, nil):
            guard let report = reports.transition(name) else {
                throw table.error(
                    "transition", unknown: "transition of \(parameters.kind)", name,
                    among: reports.transitions.map(\.name))
            }
            facts.source = "\(name) of \(parameters.kind)"
            for placeholder in report.placeholders {
                facts.forms[placeholder] = report.form(of: placeholder)
            }
            return .transition(try transition(report, component, &table, facts))
        case (nil, let phase?):
            guard reports.phases.contains(phase) else {
                throw table.error(
                    "phase", unknown: "phase of \(parameters.kind)", phase,
                    among: reports.phases)
            }
            facts.source = "a phase"
            return .phase(component: component, phase: phase)
        case (nil, nil): throw table.absence("transition")
        case (_?, _?): throw table.error("phase", "cannot stand beside transition")
        }
    }

    private mutating func transition(
        _ report: TransitionReport, _ component: Int, _ table: inout TableReader,
        _ facts: FactForms
    ) throws(TableError) -> Reaction.TransitionCause {
        let event = try table.string("event") ?? Transition.Event.began.rawValue
        guard let event = Transition.Event(rawValue: event) else {
            let known = Transition.Event.allCases.map(\.rawValue)
            throw table.error("event", unknown: "event of a transition", event, among: known)
        }
        var cause = Reaction.TransitionCause(
            component: component, name: report.name, event: event)
        func noted(_ placeholder: Placeholder) -> ReportedValue? {
            noting { (reader) throws(TableError) in
                try reader.end(placeholder, of: component, &table, facts)
            }.flatMap { $0 }
        }
        cause.from = noted(.from)
        cause.to = noted(.to)
        if case .text(let item)? = noted(.item) { cause.item = item }
        return cause
    }

    /// The value that a transition must have; nil: any.
    private func end(
        _ placeholder: Placeholder, of component: Int, _ table: inout TableReader,
        _ facts: FactForms
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
        let isEnd = placeholder == .from || placeholder == .to
        let isOpen = isEnd ? names.isReplaced(id) : names.mayChange(id)
        let form = isOpen ? placeholder.form : reported
        if placeholder == .item, let rule = names.rule(refusingItem: node, of: id) {
            throw table.error(key, rule)
        }
        if let rule = form.rule(refusing: node) {
            throw table.error(key, "\(node.shown) must be \(rule)")
        }
        return node.string.map { .text($0) } ?? node.int.map { .whole($0) }
    }

    // MARK: Do

    /// Nil where the component or an argument is wrong, which is noted.
    private mutating func deed(
        _ table: TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Deed? {
        var table = table
        let target = noting { (reader) throws(TableError) in
            try table.require("component")
            return try reader.target(&table)
        }
        guard let (id, reports) = target else {
            noteAbsence(of: ["command"], in: table)
            return nil
        }
        try table.require("command")
        let name = try table.string("command") ?? ""
        if name == "set", table.node("item") == nil, table.node("behavior") == nil,
            let component = components.first(where: { $0.id == id })
        {
            return try set(component, &table, facts)
        }
        guard let command = reports.command(name) else {
            throw table.error(
                "command", unknown: "command of \(id)", name,
                among: reports.commands.map(\.name))
        }
        if names.isStrict { try table.checkArguments(command.arguments.map(\.name), of: name) }
        let count = faults.count
        var arguments: [Node.Member] = []
        for argument in command.arguments {
            let node = noting { (reader) throws(TableError) in
                try reader.argument(argument, of: command, for: id, &table, facts)
            }
            if let node = node.flatMap({ $0 }) {
                arguments.append(Node.Member(argument.name, node.withoutLines))
            }
        }
        faults += table.strangers(countMax: faultsMax)
        guard faults.count == count else { return nil }
        return Reaction.Deed(component: id, command: name, arguments: arguments)
    }

    /// A value of a command; nil: it is absent, and may be.
    private mutating func argument(
        _ argument: CommandReport.Argument, of command: CommandReport, for id: String,
        _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> Node? {
        guard let node = table.node(argument.name) else {
            if argument.isRequired { throw table.absence(argument.name) }
            return nil
        }
        let form =
            names.isReplaced(id)
            ? argument.form.opened
            : names.mayChange(id) ? argument.form.withoutNames : argument.form
        var refusals = facts.refusals(of: node, as: form)
        if let last = refusals.popLast() {
            faults += refusals.map { table.error(argument.name, $0) }
            throw table.error(argument.name, last)
        }
        if let rule = names.rule(refusing: node, as: argument, of: command, in: id) {
            throw table.error(argument.name, rule)
        }
        return node
    }

    /// Keys of a component that get other values.
    private mutating func set(
        _ component: Scene.Component, _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Deed? {
        let values = table.node("values")
        faults += table.strangers(countMax: faultsMax)
        try table.require("values")
        guard let values, let members = values.members else {
            throw table.error("values", "\(values?.shown ?? "it") must be a table")
        }
        if names.isStrict { try table.checkArguments(["values"], of: "set") }
        let count = faults.count
        let known = component.parameters.keys + Scene.Component.ownKeys
        for member in members where faults.count < count + faultsMax {
            guard known.contains(member.name) else {
                faults.append(
                    table.error(
                        "values", unknown: "key of \(component.parameters.kind)", member.name,
                        among: known))
                continue
            }
            faults += facts.refusals(of: member.value, as: .any).map {
                table.error("values", "\(member.name): \($0)")
            }
        }
        guard faults.count == count else { return nil }
        return Reaction.Deed(
            component: component.id, command: "set",
            arguments: [Node.Member("values", values.withoutLines)])
    }

    /// The one that takes the command: a component, or the counts.
    private func target(
        _ table: inout TableReader
    ) throws(TableError) -> (String, KindReports) {
        if try table.string("component") == Session.badgesComponent {
            return (Session.badgesComponent, Session.badgesReports)
        }
        let component = components[try component(&table)]
        return (component.id, component.parameters.reports)
    }
}

extension Node {
    /// The beginning of it as JSON, for an error.
    var shown: String {
        TableReader.shortened(jsonText)
    }
}

extension TableReader {
    /// Reads a key so that an error begins with its value.
    fileprivate mutating func showing<Value>(
        _ key: String, _ read: (inout TableReader) throws(TableError) -> Value
    ) throws(TableError) -> Value {
        let node = node(key)
        do throws(TableError) {
            return try read(&self)
        } catch {
            var shown = error
            if let node { shown.message = "\(node.shown) \(error.message)" }
            throw shown
        }
    }
}
