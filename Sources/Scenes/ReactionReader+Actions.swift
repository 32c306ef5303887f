import Interactions
import Notation
import Sessions

/// Reads `do`: the actions of a reaction.
extension ReactionReader {
    private static let actionKeys = ["component", "variable", "cancel", "session"]

    /// Nil where the component or an argument is wrong, which is noted.
    mutating func action(
        _ deed: TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Action? {
        var table = deed
        let given = Self.actionKeys.filter { table.node($0) != nil }
        guard given.count <= 1 else {
            throw TableError(
                path: table.path, key: given.last, line: table.line,
                message: "must have exactly one of \(Self.actionKeys.joined(separator: ", "))")
        }
        // A command may have an argument of that name.
        let after = given.first == "component" ? afterOfCommand(table) : try table.wait()
        let read: Reaction.Deed?
        switch given.first {
        case "variable": read = .assign(try assignment(&table, facts))
        case "cancel": read = .cancel(try cancelled(&table))
        case "session": read = try session(&table)
        default: return try order(table, facts).map { Reaction.Action(.command($0), after: after) }
        }
        faults += table.strangers(countMax: faultsMax)
        return read.map { Reaction.Action($0, after: after) }
    }

    private mutating func afterOfCommand(_ table: TableReader) -> Double {
        var table = table
        return noting { (_) throws(TableError) in try table.wait() } ?? 0
    }

    // MARK: Variables

    private func assignment(
        _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Assignment {
        let variable = try variable(&table)
        let (name, kind) = (variables[variable].name, variables[variable].value.kind)
        switch (table.node("set"), table.node("add")) {
        case (let node?, nil):
            try check(node, at: "set", as: kind, of: name, table, facts)
            return Reaction.Assignment(variable: variable, .set(node.withoutLines))
        case (nil, let node?):
            guard kind == .number else {
                throw table.error("add", "cannot stand here: \(name) is no number")
            }
            try check(node, at: "add", as: kind, of: name, table, facts)
            return Reaction.Assignment(variable: variable, .add(node.withoutLines))
        case (nil, nil): throw table.absence("set")
        case (_?, _?): throw table.error("add", "cannot stand beside set")
        }
    }

    private func check(
        _ node: Node, at key: String, as kind: VariableKind, of name: String,
        _ table: TableReader, _ facts: FactForms
    ) throws(TableError) {
        let isTold = node.namesFacts || node.string.map(FactForms.isPlaceholder) == true
        // A value that will have happened is judged then.
        guard isTold || VariableValue(node)?.kind == kind else {
            throw table.error(key, "\(node.shown) must be \(kind.rule), as \(name) is")
        }
        if let refusal = facts.refusals(of: node, as: kind.form).first {
            throw table.error(key, refusal)
        }
    }

    // MARK: Reactions and the session

    private func cancelled(_ table: inout TableReader) throws(TableError) -> String {
        let name = try table.string("cancel") ?? ""
        guard reactionNames.contains(name) else {
            throw table.error("cancel", unknown: "id of a reaction", name, among: reactionNames)
        }
        return name
    }

    private func session(_ table: inout TableReader) throws(TableError) -> Reaction.Deed {
        switch try table.string("session") ?? "" {
        case "resize": return try resize(&table)
        case "update":
            try table.require("scene")
            return .update(scene: try table.name("scene") ?? "")
        case let name:
            throw table.error(
                "session", unknown: "command of a session in a reaction", name,
                among: ["resize", "update"])
        }
    }

    private func resize(_ table: inout TableReader) throws(TableError) -> Reaction.Deed {
        try table.require("viewport")
        var members = [Node.Member("viewport", table.node("viewport") ?? Node(.null))]
        if let insets = table.node("insets") { members.append(.init("insets", insets)) }
        do throws(Rejection) {
            return .resize(try SceneRevision(resize: Node(.object(members))))
        } catch {
            throw table.error("viewport", error.message)
        }
    }

    // MARK: Commands

    /// Nil where the component or an argument is wrong, which is noted.
    private mutating func order(
        _ table: TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Order? {
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
        _ = table.node("after")
        if name == "set", let component = components.first(where: { $0.id == id }),
            table.node("item") == nil, table.node("behavior") == nil
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
        return Reaction.Order(component: id, command: name, arguments: arguments)
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
        let form = names.mayChange(id) ? argument.form.opened : argument.form
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
    ) throws(TableError) -> Reaction.Order? {
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
        return Reaction.Order(
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
