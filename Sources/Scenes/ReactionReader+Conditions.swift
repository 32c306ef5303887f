import Interactions
import Notation
import Sessions

/// Reads `if`: what must hold for a reaction to be performed.
extension ReactionReader {
    private static let conditionKeys = ["component", "badge", "variable", "not"]

    /// The keys that may stand beside each of those.
    private static let keysBeside = [
        "badge": ["is", "above", "below"],
        "component": ["phase", "row", "item"] + PartState.allCases.map(\.rawValue),
        "variable": ["is", "above", "below"],
    ]

    /// Nil where a part of it is wrong, which is noted.
    mutating func condition(_ reader: TableReader) throws(TableError) -> Condition? {
        var table = reader
        let key = try table.theOnlyKey(of: Self.conditionKeys)
        table.forgetKeys(except: key)
        let count = faults.count
        let condition = noting { (reader) throws(TableError) in
            try reader.condition(at: key, &table)
        }.flatMap { $0 }
        // Which of them can stand there is not known.
        if condition == nil { table.know(Self.keysBeside[key] ?? []) }
        noteStrangers(in: table)
        return faults.count == count ? condition : nil
    }

    private mutating func condition(
        at key: String, _ table: inout TableReader
    ) throws(TableError) -> Condition? {
        let condition: Condition
        switch key {
        case "not":
            guard let node = table.node(key), node.members != nil else {
                throw table.error(key, "\(table.node(key)?.shown ?? "it") must be a table")
            }
            guard
                var inner = try self.condition(try TableReader(node, path: "\(table.path), not"))
            else { return nil }
            inner.isNegated.toggle()
            condition = inner
        case "badge":
            let test = countTest(&table)
            condition = Condition(.count(kind: try kind(key, &table), test))
        case "variable":
            let variable = try variable(&table)
            let test = variableTest(of: variable, &table)
            noteAbsence(ofAny: ["is", "above", "below"], in: &table)
            condition = Condition(.variable(variable, test))
        default: return try componentCondition(&table)
        }
        return condition
    }

    private mutating func countTest(_ table: inout TableReader) -> CountTest {
        let test = CountTest(
            equals: count("is", &table), above: count("above", &table),
            below: count("below", &table))
        // As a reaction to a badge: the count is there.
        return test == CountTest() ? CountTest(above: 0) : test
    }

    /// Nil: nothing can be said of it, or a part of it is wrong, which is noted.
    private mutating func componentCondition(
        _ table: inout TableReader
    ) throws(TableError) -> Condition? {
        let component = try component(&table)
        guard !unsure.contains(components[component].id) else { return nil }
        if let phase = try table.string("phase") {
            for key in ["row", "item"] where table.node(key) != nil {
                faults.append(table.error(key, "cannot stand beside phase"))
            }
            return Condition(
                .phase(component: component, phase: try known(phase, of: component, table)))
        }
        let parameters = components[component].parameters
        let keys = Self.keysBeside["component"] ?? []
        guard !parameters.reports.parts.isEmpty else {
            noteAbsence(ofAny: ["phase"], beside: keys, in: &table)
            return nil
        }
        let states = PartState.allCases.filter { table.node($0.rawValue) != nil }
        guard let state = states.first, states.count == 1 else {
            table.know(keys)
            // A key that the table does not know may be meant.
            if states.isEmpty, !table.strangers(countMax: 1).isEmpty { return nil }
            throw TableError(
                path: table.path, key: states.last?.rawValue, line: table.line,
                message: "must have exactly one of phase, "
                    + PartState.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard let report = parameters.reports.parts.first(where: { $0.state == state }) else {
            let known = parameters.reports.parts.map(\.state.rawValue).joined(separator: ", ")
            throw table.error(
                state.rawValue, "cannot be asked of \(parameters.kind), but \(known) can")
        }
        let part = noting { (reader) throws(TableError) in
            try reader.part(report, component, &table)
        }
        let isSo = try table.showing(state.rawValue) { (table) throws(TableError) in
            try table.bool(state.rawValue, default: true)
        }
        return part.map {
            Condition(.part(component: component, $0, state), isNegated: !isSo)
        }
    }

    private func part(
        _ report: PartReport, _ component: Int, _ table: inout TableReader
    ) throws(TableError) -> ComponentPart {
        let id = components[component].id
        switch (table.node("row"), table.node("item")) {
        case (let row?, nil):
            guard let form = report.row else {
                throw table.error("row", "cannot be: \(report.state.rawValue) is told of items")
            }
            let isOpen = names.mayChange(id, at: "row")
            if let rule = (isOpen ? form.opened : form).rule(refusing: row) {
                throw table.error("row", "\(row.shown) must be \(rule)")
            }
            if let rule = names.rule(refusing: row, as: "row", in: id) {
                throw table.error("row", rule)
            }
            return .row(row.int ?? 0)
        case (nil, let item?):
            guard let form = report.item else {
                throw table.error("item", "cannot be: \(report.state.rawValue) is told of rows")
            }
            let isOpen = names.mayChange(id, at: "item")
            if let rule = (isOpen ? form.opened : form).rule(refusing: item) {
                throw table.error("item", "\(item.shown) must be \(rule)")
            }
            if let rule = names.rule(refusing: item, as: "item", in: id) {
                throw table.error("item", rule)
            }
            return .item(item.string ?? "")
        case (nil, nil): throw table.absence(report.row == nil ? "item" : "row")
        case (_?, _?): throw table.error("item", "cannot stand beside row")
        }
    }
}
