import Interactions
import Notation
import Sessions

/// Reads `do`: the actions of a reaction.
extension ReactionReader {
    private static let actionKeys = ["component", "variable", "cancel", "session"]
    /// The keys that may stand beside each of those but the first.
    private static let keysBeside = [
        "session": ["viewport", "insets", "scene"], "variable": ["set", "add"],
    ]

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
        let after = waitOfAction(table)
        guard let key = given.first, key != "component" else {
            return try order(table, facts).map { Reaction.Action(.command($0), after: after) }
        }
        table.forgetKeys(except: key)
        table.know(["after"])
        let count = faults.count
        let read = noting { (reader) throws(TableError) in
            try reader.deed(at: key, &table, facts)
        }.flatMap { $0 }
        // Which of them can stand there is not known.
        if read == nil { table.know(Self.keysBeside[key] ?? []) }
        noteStrangers(in: table)
        return faults.count == count ? read.map { Reaction.Action($0, after: after) } : nil
    }

    private mutating func deed(
        at key: String, _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Deed? {
        switch key {
        case "variable": try assignment(&table, facts).map { .assign($0) }
        case "cancel": .cancel(try cancelled(&table))
        default: try session(&table)
        }
    }

    private mutating func waitOfAction(_ table: TableReader) -> Double {
        var table = table
        return noting { (_) throws(TableError) in try table.wait() } ?? 0
    }

    // MARK: Variables

    /// Nil where no value stands there, which is noted.
    private mutating func assignment(
        _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Assignment? {
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
        case (nil, nil):
            noteAbsence(ofAny: ["set", "add"], in: &table)
            return nil
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

    private mutating func session(
        _ table: inout TableReader
    ) throws(TableError) -> Reaction.Deed? {
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

    private mutating func resize(
        _ table: inout TableReader
    ) throws(TableError) -> Reaction.Deed? {
        let insets = noting { (_) throws(TableError) in
            table.node("insets") == nil ? nil : try PlacementReader.insets(&table)
        }
        try table.require("viewport")
        guard let viewport = try table.size("viewport"), let insets else { return nil }
        return .resize(.resize(viewport: viewport, insets: insets))
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
        table.forgetKeys(except: "component")
        try table.require("command")
        let name = try table.string("command") ?? ""
        _ = table.node("after")
        if name == "set", let component = components.first(where: { $0.id == id }),
            table.node("item") == nil, table.node("behavior") == nil
        {
            return try set(component, &table, facts)
        }
        guard let command = reports.command(name) else {
            faults.append(
                table.error(
                    "command", unknown: "command of \(id)", name,
                    among: reports.commands.map(\.name)))
            // A key that none of its commands has is wrong in any case.
            table.know(["values"] + reports.commands.flatMap { $0.arguments.map(\.name) })
            noteStrangers(in: table)
            return nil
        }
        guard !unsure.contains(id) else {
            table.know(command.arguments.map(\.name))
            noteStrangers(in: table)
            return nil
        }
        if names.isStrict { try table.checkArguments(command.arguments.map(\.name), of: name) }
        let count = faults.count
        var arguments: [Node.Member] = []
        for argument in command.arguments {
            let node = noting { (reader) throws(TableError) in
                try reader.argument(argument, for: id, &table, facts)
            }
            if let node = node.flatMap({ $0 }) {
                arguments.append(Node.Member(argument.name, node.withoutLines))
            }
        }
        noteStrangers(in: table)
        guard faults.count == count else { return nil }
        return Reaction.Order(component: id, command: name, arguments: arguments)
    }

    /// A value of a command; nil: it is absent, and may be.
    private mutating func argument(
        _ argument: CommandReport.Argument, for id: String, _ table: inout TableReader,
        _ facts: FactForms
    ) throws(TableError) -> Node? {
        guard let node = table.node(argument.name) else {
            if argument.isRequired { throw table.absence(argument.name) }
            return nil
        }
        let form = names.mayChange(id, at: argument.name) ? argument.form.opened : argument.form
        var refusals = facts.refusals(of: node, as: form)
        if let last = refusals.popLast() {
            faults += refusals.map { table.error(argument.name, $0) }
            throw table.error(argument.name, last)
        }
        if let rule = names.rule(refusing: node, as: argument.name, in: id) {
            throw table.error(argument.name, rule)
        }
        return node
    }

    /// Keys of a component that get other values.
    private mutating func set(
        _ component: Scene.Component, _ table: inout TableReader, _ facts: FactForms
    ) throws(TableError) -> Reaction.Order? {
        let values = table.node("values")
        noteStrangers(in: table)
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
