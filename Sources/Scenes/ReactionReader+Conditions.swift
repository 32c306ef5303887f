import Interactions
import Notation
import Sessions

/// Reads `if`: what must hold for a reaction to be performed.
extension ReactionReader {
    private static let conditionKeys = ["component", "badge", "variable", "not"]

    /// Nil where its component is wrong, which is noted.
    mutating func condition(_ reader: TableReader) throws(TableError) -> Condition? {
        var table = reader
        let key = try table.theOnlyKey(of: Self.conditionKeys)
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
            let kind = try kind(key, &table)
            condition = Condition(.count(kind: kind, try countTest(&table)))
        case "variable":
            let variable = try variable(&table)
            let test = try variableTest(of: variable, &table)
            guard test != VariableTest() else { throw table.absence("is") }
            condition = Condition(.variable(variable, test))
        default: condition = try componentCondition(&table)
        }
        faults += table.strangers(countMax: faultsMax)
        return condition
    }

    private func countTest(_ table: inout TableReader) throws(TableError) -> CountTest {
        let test = CountTest(
            equals: try count("is", &table), above: try count("above", &table),
            below: try count("below", &table))
        // As a reaction to a badge: the count is there.
        return test == CountTest() ? CountTest(above: 0) : test
    }

    private func componentCondition(
        _ table: inout TableReader
    ) throws(TableError) -> Condition {
        let component = try component(&table)
        if let phase = try table.string("phase") {
            for key in ["row", "item"] where table.node(key) != nil {
                throw table.error(key, "cannot stand beside phase")
            }
            return Condition(
                .phase(component: component, phase: try known(phase, of: component, table)))
        }
        let parameters = components[component].parameters
        guard !parameters.reports.parts.isEmpty else { throw table.absence("phase") }
        let states = PartState.allCases.filter { table.node($0.rawValue) != nil }
        guard let state = states.first, states.count == 1 else {
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
        let part = try part(report, component, &table)
        let isSo = try table.showing(state.rawValue) { (table) throws(TableError) in
            try table.bool(state.rawValue, default: true)
        }
        return Condition(.part(component: component, part, state), isNegated: !isSo)
    }

    private func part(
        _ report: PartReport, _ component: Int, _ table: inout TableReader
    ) throws(TableError) -> ComponentPart {
        let isOpen = names.mayChange(components[component].id)
        switch (table.node("row"), table.node("item")) {
        case (let row?, nil):
            guard let form = report.row else {
                throw table.error("row", "cannot be: \(report.state.rawValue) is told of items")
            }
            if let rule = (isOpen ? form.opened : form).rule(refusing: row) {
                throw table.error("row", "\(row.shown) must be \(rule)")
            }
            return .row(row.int ?? 0)
        case (nil, let item?):
            guard let form = report.item else {
                throw table.error("item", "cannot be: \(report.state.rawValue) is told of rows")
            }
            if let rule = (isOpen ? form.opened : form).rule(refusing: item) {
                throw table.error("item", "\(item.shown) must be \(rule)")
            }
            return .item(item.string ?? "")
        case (nil, nil): throw table.absence(report.row == nil ? "item" : "row")
        case (_?, _?): throw table.error("item", "cannot stand beside row")
        }
    }
}
