import Interactions
import Notation
import Sessions

/// Reads the reactions of a scene, and checks that what they wait for can happen, that the commands
/// are known, and that the values which they name are told.
struct ReactionReader {
    /// In the order of painting, to which indexes refer.
    let components: [Scene.Component]

    static func reactions(
        _ nodes: [Node], _ components: [Scene.Component]
    ) throws(TableError) -> [Reaction] {
        let reader = ReactionReader(components: components)
        var reactions: [Reaction] = []
        for (index, node) in nodes.enumerated() {
            reactions.append(try reader.reaction(node, path: "reaction \(index + 1)"))
        }
        return reactions
    }

    private func reaction(_ node: Node, path: String) throws(TableError) -> Reaction {
        var table = try TableReader(node, path: path)
        let when = try self.table("when", of: &table)
        let deed = try self.table("do", of: &table)
        let after = try table.showing("after") { (table) throws(TableError) in
            try table.number("after", default: 0, in: .duration)
        }
        try table.finish()
        var facts = FactForms()
        let cause = try cause(when, &facts)
        return Reaction(cause, try self.deed(deed, facts), after: after)
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
            throw table.unknown("component", id, "component", among: components.map(\.id))
        }
        return index
    }

    // MARK: When

    /// Reads the cause of a reaction, and notes the values that it tells.
    private func cause(
        _ when: TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.Cause {
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
        case "component": cause = try passage(&table, &facts)
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
                throw table.unknown(key, text, "moment of a session", among: known)
            }
            cause = .session(moment)
            facts.source = "a session"
        }
        try table.finish()
        return cause
    }

    private func kind(_ key: String, _ table: inout TableReader) throws(TableError) -> String {
        try table.showing(key) { (table) throws(TableError) in try table.name(key) ?? "" }
    }

    private func passage(
        _ table: inout TableReader, _ facts: inout FactForms
    ) throws(TableError) -> Reaction.Cause {
        let component = try component(&table)
        let parameters = components[component].parameters
        let reports = parameters.reports
        switch (try table.string("transition"), try table.string("phase")) {
        case (let name?, nil):
            guard let report = reports.transition(name) else {
                throw table.unknown(
                    "transition", name, "transition of \(parameters.kind)",
                    among: reports.transitions.map(\.name))
            }
            facts.source = "\(name) of \(parameters.kind)"
            for placeholder in report.placeholders {
                facts.forms[placeholder] = report.form(of: placeholder)
            }
            return .transition(try transition(report, component, &table, facts))
        case (nil, let phase?):
            guard reports.phases.contains(phase) else {
                throw table.unknown(
                    "phase", phase, "phase of \(parameters.kind)", among: reports.phases)
            }
            facts.source = "a phase"
            return .phase(component: component, phase: phase)
        case (nil, nil): throw table.absence("transition")
        case (_?, _?): throw table.error("phase", "cannot stand beside transition")
        }
    }

    private func transition(
        _ report: TransitionReport, _ component: Int, _ table: inout TableReader,
        _ facts: FactForms
    ) throws(TableError) -> Reaction.TransitionCause {
        let event = try table.string("event") ?? Transition.Event.began.rawValue
        guard let event = Transition.Event(rawValue: event) else {
            let known = Transition.Event.allCases.map(\.rawValue)
            throw table.unknown("event", event, "event of a transition", among: known)
        }
        var cause = Reaction.TransitionCause(
            component: component, name: report.name, event: event)
        cause.from = try end(.from, &table, facts)
        cause.to = try end(.to, &table, facts)
        if case .text(let item)? = try end(.item, &table, facts) { cause.item = item }
        return cause
    }

    /// The value that a transition must have; nil: any.
    private func end(
        _ placeholder: Placeholder, _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> ReportedValue? {
        let key = placeholder.rawValue
        guard let node = table.node(key) else { return nil }
        guard let form = facts.forms[placeholder] else {
            throw table.error(key, "\(node.shown) cannot be: \(facts.source) tells no \(key)")
        }
        if let rule = form.rule(refusing: node) {
            throw table.error(key, "\(node.shown) must be \(rule)")
        }
        return node.string.map { .text($0) } ?? node.int.map { .whole($0) }
    }

    // MARK: Do

    private func deed(
        _ table: TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Deed {
        var table = table
        try table.require("component")
        let (id, reports) = try target(&table)
        try table.require("command")
        let name = try table.string("command") ?? ""
        if name == "set", table.node("item") == nil, table.node("behavior") == nil,
            let component = components.first(where: { $0.id == id })
        {
            return try set(component, &table, facts)
        }
        guard let command = reports.command(name) else {
            throw table.unknown(
                "command", name, "command of \(id)", among: reports.commands.map(\.name))
        }
        var arguments: [Node.Member] = []
        for argument in command.arguments {
            guard let node = table.node(argument.name) else {
                if argument.isRequired { throw table.absence(argument.name) }
                continue
            }
            do {
                try facts.check(node, as: argument.form)
            } catch {
                throw table.error(argument.name, error.message)
            }
            arguments.append(Node.Member(argument.name, node.withoutLines))
        }
        try table.finish()
        return Reaction.Deed(component: id, command: name, arguments: arguments)
    }

    /// Keys of a component that are written anew.
    private func set(
        _ component: Scene.Component, _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Deed {
        try table.require("values")
        let values = table.node("values") ?? Node(.null)
        guard let members = values.members else {
            throw table.error("values", "\(values.shown) must be a table")
        }
        try table.finish()
        let known = component.parameters.keys + ["frame", "clip", "content"]
        for member in members {
            guard known.contains(member.name) else {
                throw table.unknown(
                    "values", member.name, "key of \(component.parameters.kind)", among: known)
            }
            do {
                try facts.check(member.value, as: .any)
            } catch {
                throw table.error("values", "\(member.name): \(error.message)")
            }
        }
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

/// The values that a cause tells.
private struct FactForms {
    /// Completes "… tells no item".
    var source = ""
    var forms: [Placeholder: ValueForm] = [:]

    struct Refusal: Error {
        var message: String
    }

    /// Checks a value of a command, and every placeholder in it.
    func check(_ node: Node, as form: ValueForm) throws(Refusal) {
        if let text = node.string, let told = try self.form(of: text) {
            guard form.takes(told) else {
                throw Refusal(message: "\(node.shown) cannot stand here: it is \(told.article)")
            }
            return
        }
        if let rule = form.rule(refusing: node) {
            throw Refusal(message: "\(node.shown) must be \(rule)")
        }
        for element in node.array ?? [] { try check(element, as: .any) }
        for member in node.members ?? [] { try check(member.value, as: .any) }
    }

    /// The form of a placeholder's values; nil: the text is none.
    private func form(of text: String) throws(Refusal) -> ValueForm? {
        let letters = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "$"), !letters.isEmpty,
            letters.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains)
        else { return nil }
        let known = Placeholder.allCases.map { "$\($0.rawValue)" }.joined(separator: ", ")
        guard let placeholder = Placeholder(text) else {
            let shown = TableReader.shortened(text)
            throw Refusal(message: "unknown value \"\(shown)\", known ones are \(known)")
        }
        guard let form = forms[placeholder] else {
            throw Refusal(message: "\"\(text)\" cannot be: \(source) does not tell it")
        }
        return form
    }
}

extension ValueForm {
    /// Completes "it is …".
    fileprivate var article: String {
        switch self {
        case .whole, .number: "a number"
        case .name, .choice: "a name"
        case .table: "a table"
        case .any: "any value"
        }
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

    /// The error for a name that is none of the known ones.
    fileprivate func unknown(
        _ key: String, _ name: String, _ what: String, among known: [String]
    ) -> TableError {
        let name = Self.shortened(name)
        guard !known.isEmpty else {
            return error(key, "unknown \(what) \"\(name)\", there is none")
        }
        return error(
            key,
            "unknown \(what) \"\(name)\", known ones are \(known.joined(separator: ", "))")
    }
}
