import Geometry
import Interactions
import Notation
import Sessions

/// Reads the reactions of a scene, and checks that what they wait for can happen, that the commands
/// are known, and that the values which they name are told.
///
/// Each part has a file: causes, conditions and actions.
struct ReactionReader {
    /// In the order of painting, to which indexes refer.
    let components: [Scene.Component]
    /// In the order of the scene, to which indexes refer.
    let variables: [Variable]
    /// The items and behaviors that can be named.
    let names: ReactionNames
    /// The names of reactions whose waits can be cancelled.
    let reactionNames: [String]
    /// Ids of components and names of variables that are wrong themselves: nothing is said of
    /// reactions to them.
    let gone: Set<String>
    /// Ids of components whose lists are wrong: nothing but unknown keys is told of reactions to
    /// them.
    let unsure: Set<String>
    /// Faults that are asked for: once as many are found, no further reaction is read, and no table
    /// tells more by itself.
    let faultsMax: Int
    var faults: [TableError] = []

    /// `isStrict` is false where the scene was accepted before, by a version that may have known
    /// less of what cannot be.
    static func reactions(
        _ nodes: [Node], _ components: [Scene.Component], _ variables: [Variable], isStrict: Bool
    ) throws(TableError) -> [Reaction] {
        var reader = ReactionReader(
            nodes, components, variables, isStrict: isStrict, faultsMax: 1)
        let reactions = reader.read(nodes)
        if let first = reader.faults.first { throw first }
        return withMarksApart(reactions.compactMap { $0 })
    }

    /// Gives equal reactions different marks: each has waits of its own. The first keeps the mark
    /// that stores have.
    private static func withMarksApart(_ reactions: [Reaction]) -> [Reaction] {
        var counts: [UInt64: Int] = [:]
        var reactions = reactions
        for place in reactions.indices {
            let mark = reactions[place].mark
            let formers = counts[mark, default: 0]
            if formers > 0 { reactions[place].mark = StableHash("\(mark) \(formers)").value }
            counts[mark] = formers + 1
        }
        return reactions
    }

    init(
        _ nodes: [Node], _ components: [Scene.Component], _ variables: [Variable],
        isStrict: Bool, faultsMax: Int, gone: Set<String> = [], unsure: Set<String> = []
    ) {
        self.components = components
        self.variables = variables
        self.faultsMax = faultsMax
        self.gone = gone
        self.unsure = unsure
        names = ReactionNames(nodes, components, isStrict: isStrict)
        reactionNames = nodes.compactMap { $0["id"]?.string }
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

    mutating func noting<Value>(
        _ read: (inout ReactionReader) throws(TableError) -> Value
    ) -> Value? {
        do throws(TableError) {
            return try read(&self)
        } catch {
            let names =
                error.path.hasPrefix("reaction ")
                && (error.key == "component" || error.key == "variable")
            let isGone = names && gone.contains { error.message.range(ofFirst: "\"\($0)\"") != nil }
            if !isGone { faults.append(error) }
            return nil
        }
    }

    /// Nil where a part of it is wrong, which is noted.
    private mutating func reaction(_ node: Node, path: String) throws(TableError) -> Reaction? {
        var table = try TableReader(node, path: path)
        let name = noting { (_) throws(TableError) in try table.name("id") }
        let when = noting { (reader) throws(TableError) in
            try reader.tables("when", of: &table, isRequired: true)
        }
        let conditions = noting { (reader) throws(TableError) in
            try reader.tables("if", of: &table, isRequired: false)
        }
        let deeds = noting { (reader) throws(TableError) in
            try reader.tables("do", of: &table, isRequired: true)
        }
        let after = noting { (_) throws(TableError) in try table.wait() }
        noteStrangers(in: table)
        var facts = FactForms()
        var causes = ReadCauses(isWhole: false)
        if let when { causes = readCauses(when, &facts) }
        // Any value may be told by a cause that is wrong.
        if !causes.isWhole { facts = .unknown }
        var tests: [Condition] = []
        for condition in conditions ?? [] {
            let test = noting { (reader) throws(TableError) in try reader.condition(condition) }
            if let test = test.flatMap({ $0 }) { tests.append(test) }
        }
        var actions: [Reaction.Action] = []
        for (place, deed) in (deeds ?? []).enumerated() {
            let action = noting { (reader) throws(TableError) in try reader.action(deed, facts) }
            guard let action = action.flatMap({ $0 }) else { continue }
            if case .update = action.deed, action.after == 0, place < (deeds?.count ?? 0) - 1 {
                faults.append(
                    deed.error(
                        "session",
                        "\"update\" must be the last action or have after: those behind it would "
                            + "be for the components of another scene"))
            }
            actions.append(action)
        }
        guard causes.isWhole, let after, let name else { return nil }
        let mark = StableHash(node.withoutLines.jsonText).value
        var reaction = Reaction(causes.read, actions, after: after, mark: mark)
        reaction.name = name
        reaction.conditions = tests
        return reaction
    }

    /// The causes of a reaction, and whether each of them is right.
    struct ReadCauses {
        var read: [Reaction.Cause] = []
        var isWhole = true
    }

    private mutating func readCauses(
        _ tables: [TableReader], _ facts: inout FactForms
    ) -> ReadCauses {
        var causes = ReadCauses()
        for (index, table) in tables.enumerated() {
            var own = FactForms()
            let cause = noting { (reader) throws(TableError) in try reader.cause(table, &own) }
            if let cause = cause.flatMap({ $0 }) {
                causes.read.append(cause)
            } else {
                causes.isWhole = false
            }
            facts = index == 0 ? own : facts.common(with: own)
        }
        return causes
    }

    /// Notes that one of the keys is required, the first, unless one stands there: it would be told
    /// once the table's component is right.
    mutating func noteAbsence(of keys: [String], in table: TableReader) {
        var table = table
        guard let first = keys.first, keys.allSatisfy({ table.node($0) == nil }) else { return }
        faults.append(table.absence(first))
    }

    /// Notes the keys of a table that no getter has asked for. Where something is wrong already and
    /// one error is asked for, none is looked for.
    mutating func noteStrangers(in table: TableReader) {
        if faultsMax > 1 || faults.isEmpty { faults += table.strangers(countMax: faultsMax) }
    }

    /// Notes that one of some keys is required, the first, unless one stands there. A key that the
    /// table does not know may be meant as one of them: then that alone is told. `others` may stand
    /// there too.
    mutating func noteAbsence(
        ofAny keys: [String], beside others: [String] = [], in table: inout TableReader
    ) {
        guard keys.allSatisfy({ table.node($0) == nil }) else { return }
        table.know(others)
        let strangers = table.strangers(countMax: 1)
        if strangers.isEmpty, let first = keys.first { faults.append(table.absence(first)) }
    }

    /// One table at a key, or each of a list of them.
    private func tables(
        _ key: String, of table: inout TableReader, isRequired: Bool
    ) throws(TableError) -> [TableReader] {
        if isRequired { try table.require(key) }
        guard let node = table.node(key) else { return [] }
        if node.members != nil { return [try TableReader(node, path: "\(table.path), \(key)")] }
        guard let nodes = node.array else {
            throw table.error(key, "\(node.shown) must be a table, or a list of tables")
        }
        guard (1...Limits.reactionPartsMax).contains(nodes.count) else {
            throw table.error(
                key, "must have 1 to \(Limits.reactionPartsMax) tables, not \(nodes.count)")
        }
        var readers: [TableReader] = []
        for (index, node) in nodes.enumerated() {
            guard node.members != nil else {
                throw table.error(key, entry: index, "\(node.shown) must be a table")
            }
            readers.append(try TableReader(node, path: "\(table.path), \(key) \(index + 1)"))
        }
        return readers
    }

    /// The index of the component that a table names.
    func component(_ table: inout TableReader) throws(TableError) -> Int {
        let id = try table.string("component") ?? ""
        guard let index = components.firstIndex(where: { $0.id == id }) else {
            throw table.error("component", unknown: "component", id, among: components.map(\.id))
        }
        return index
    }

    /// The index of the variable that a table names.
    func variable(_ table: inout TableReader) throws(TableError) -> Int {
        let name = try table.string("variable") ?? ""
        guard let index = variables.firstIndex(where: { $0.name == name }) else {
            throw table.error("variable", unknown: "variable", name, among: variables.map(\.name))
        }
        return index
    }

    /// The test of a variable: `is`, `above`, `below`. It notes the faults of each.
    mutating func variableTest(of variable: Int, _ table: inout TableReader) -> VariableTest {
        let kind = variables[variable].value.kind
        let name = variables[variable].name
        var test = VariableTest()
        if let node = table.node("is") {
            let value = VariableValue(node)
            if value?.kind == kind {
                test.equals = value
            } else {
                faults.append(
                    table.error("is", "\(node.shown) must be \(kind.rule), as \(name) is"))
            }
        }
        for key in ["above", "below"] {
            guard let node = table.node(key) else { continue }
            guard kind == .number else {
                faults.append(table.error(key, "cannot stand here: \(name) is no number"))
                continue
            }
            guard case .number(let bound)? = VariableValue(node) else {
                faults.append(table.error(key, "\(node.shown) must be \(kind.rule)"))
                continue
            }
            if key == "above" { test.above = bound } else { test.below = bound }
        }
        return test
    }

    /// A count, where a key has one. Nil too where it is wrong, which is noted.
    mutating func count(_ key: String, _ table: inout TableReader) -> Int? {
        noting { (_) throws(TableError) in
            try table.showing(key) { (table) throws(TableError) in
                try table.whole(key, in: 0...BadgeCounts.countMax)
            }
        }.flatMap { $0 }
    }

    func kind(_ key: String, _ table: inout TableReader) throws(TableError) -> String {
        try table.showing(key) { (table) throws(TableError) in try table.name(key) ?? "" }
    }
}

extension Node {
    /// The beginning of it as JSON, for an error.
    var shown: String {
        TableReader.shortened(jsonText)
    }

    /// The tables of a reaction's `do`, each with the end of its path.
    var actionTables: [(name: String, table: Node)] {
        guard let deed = self["do"] else { return [] }
        guard let list = deed.array else { return [("do", deed)] }
        return list.enumerated().map { ("do \($0 + 1)", $1) }
    }
}

extension TableReader {
    /// Reads a key so that an error begins with its value.
    mutating func showing<Value>(
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

    /// The key that stands there of some; throws where none does, or more.
    mutating func theOnlyKey(of keys: [String]) throws(TableError) -> String {
        let given = keys.filter { node($0) != nil }
        guard let key = given.first, given.count == 1 else {
            throw TableError(
                path: path, key: given.last, line: line,
                message: "must have exactly one of \(keys.joined(separator: ", "))")
        }
        return key
    }

    /// The key `after`, in seconds.
    mutating func wait() throws(TableError) -> Double {
        try showing("after") { (table) throws(TableError) in
            try table.number("after", default: 0, in: .duration)
        }
    }
}
