import Geometry
import Interactions
import Notation

/// How commands and reactions give variables other values, and whom the session tells of it.
extension Session {
    /// The variables of its scene with their present values, in the order of the scene.
    package var variables: [Variable] {
        guard let values = badges.variables?.values else { return [] }
        return zip(scene.variables, values).map { Variable($0.name, $1) }
    }

    /// Gives variables other values, all or none. Throws where one is not known, or cannot have its
    /// value.
    mutating func assign(_ members: [Node.Member]) throws(Rejection) {
        guard var values = badges.variables?.values else {
            throw .wrong("values", "the scene has no variables")
        }
        for member in members {
            guard let index = scene.variables.firstIndex(where: { $0.name == member.name }) else {
                throw .wrong("values", scene.absence(ofVariable: member.name))
            }
            let kind = values[index].kind
            guard let value = VariableValue(member.value), value.kind == kind else {
                throw .wrong("values", "\(member.name) must be \(kind.rule)")
            }
            values[index] = value
        }
        try take(values)
    }

    /// Performs an assignment of a reaction.
    mutating func assign(
        _ assignment: Reaction.Assignment, _ facts: Facts
    ) throws(Rejection) {
        guard var values = badges.variables?.values else {
            preconditionFailure("an assignment in a scene without variables")
        }
        let (name, former) = (
            scene.variables[assignment.variable].name, values[assignment.variable]
        )
        switch assignment.change {
        case .set(let node):
            guard let value = VariableValue(node.filled(facts)), value.kind == former.kind else {
                throw .wrong("set", "must be \(former.kind.rule) for \(name)")
            }
            values[assignment.variable] = value
        case .add(let node):
            guard case .number(let number) = former, let more = node.filled(facts).double,
                more.isFinite
            else { throw .wrong("add", "must be a number for \(name)") }
            let limit = VariableValue.numberMax
            // As counts do, a sum stays at the bound.
            let sum = min(max(number + more, -limit), limit)
            values[assignment.variable] = .number(sum == 0 ? 0 : sum)
        }
        try take(values)
    }

    /// The scene was another one: variables of the same name and type keep their values.
    mutating func takeVariables(after former: Scene) throws(Rejection) {
        guard scene.variables != former.variables else { return }
        let values = badges.variables?.carried(from: former.variables, to: scene.variables)
        let bytes = (values ?? []).reduce(0) { $0 + $1.textBytes }
        guard bytes <= Limits.variablesTextBytesMax else {
            throw .wrong(
                "scene",
                "has variables whose texts, with those that stay, have \(bytes) bytes: all texts "
                    + "of a session have at most \(Limits.variablesTextBytesMax)")
        }
        badges.replace(scene.variables, values)
        outgoing.begin(scene)
        outgoing.changeVariables()
        outgoing.rows.changeTexts()
        dirtyParts.insert(.own)
    }

    private mutating func take(_ values: [VariableValue]) throws(Rejection) {
        guard mayCount else { throw Self.mayNotCount }
        guard values.reduce(0, { $0 + $1.textBytes }) <= Limits.variablesTextBytesMax else {
            throw .wrong(
                "values",
                "all texts of a session have at most \(Limits.variablesTextBytesMax) bytes")
        }
        guard let former = badges.variables?.values else { return }
        guard badges.assign(values) else { return }
        outgoing.changeVariables()
        dirtyParts.insert(.own)
        var changed: UInt64 = 0
        for index in values.indices where values[index] != former[index] {
            changed |= 1 << UInt64(index)
            noteReactions(toVariable: index, values[index])
        }
        showTexts(naming: changed)
    }
}

extension Scene {
    /// Says that there is no variable of a name, and which there are.
    func absence(ofVariable name: String) -> String {
        let known = variables.map(\.name)
        guard !known.isEmpty else { return "the scene has no variables" }
        return "there is no variable \"\(TableReader.shortened(name))\", "
            + knownNames(nearestTo: name, among: known)
    }
}

extension Reaction.Assignment {
    /// The key of the command that would do the same, and its value.
    func told(_ facts: Facts) -> (String, Node) {
        switch change {
        case .set(let node): ("values", node.filled(facts))
        case .add(let node): ("add", node.filled(facts))
        }
    }
}
