package import Notation
import Sessions

/// Reads the variables of a scene.
package enum VariableReader {
    /// Each name of the table `variables` with its first value, in the order of the names. Where
    /// texts have a `language`, a variable of that name chooses it: the scene need not say so.
    static func variables(
        _ table: inout TableReader, language: String?
    ) throws(TableError) -> [Variable] {
        var variables = try written(&table)
        guard let language else { return variables }
        if let own = variables.first(where: { $0.name == SceneTexts.languageName }) {
            guard own.value.kind == .text else {
                throw table.error(
                    "variables", "language must be a string: it chooses that of texts")
            }
        } else if variables.count < Limits.variablesMax {
            variables.append(Variable(SceneTexts.languageName, .text(language)))
            variables.sort { $0.name < $1.name }
        }
        return variables
    }

    /// The variables of a scene's table.
    static func variables(of node: Node) throws(TableError) -> [Variable] {
        var table = try TableReader(node, path: "")
        let language = try language(&table)
        return try variables(&table, language: language ?? TextReader.firstLanguage(in: node))
    }

    /// The language of those who choose none; nil: the scene does not say.
    static func language(_ table: inout TableReader) throws(TableError) -> String? {
        guard let text = try table.string("language") else { return nil }
        guard text.isLanguage else {
            throw table.error("language", "must be a language's name such as en or pt-BR")
        }
        return text
    }

    private static func written(_ table: inout TableReader) throws(TableError) -> [Variable] {
        guard let node = table.node("variables") else { return [] }
        guard let members = node.members else { throw table.error("variables", "must be a table") }
        guard members.count <= Limits.variablesMax else {
            throw table.error(
                "variables",
                "has \(members.count) variables; a scene has at most \(Limits.variablesMax)")
        }
        var errors: [TableError] = []
        var variables: [Variable] = []
        for member in members {
            if let fault = fault(of: member) {
                errors.append(
                    TableError(
                        path: "", key: "variables", line: member.value.line ?? node.line,
                        message: fault))
            } else if let value = VariableValue(member.value) {
                variables.removeAll { $0.name == member.name }
                variables.append(Variable(member.name, value))
            }
        }
        let bytes = variables.reduce(0) { sum, variable in
            if case .text(let text) = variable.value { return sum + text.utf8.count }
            return sum
        }
        if bytes > Limits.variablesTextBytesMax {
            errors.append(
                table.error(
                    "variables",
                    "the texts have \(bytes) bytes; all of a scene have at most "
                        + "\(Limits.variablesTextBytesMax)"))
        }
        guard var first = errors.first else { return variables.sorted { $0.name < $1.name } }
        first.others = Array(errors.dropFirst())
        throw first
    }

    /// The variables of a table that are right, and the names of the others.
    package static func parted(_ node: Node) -> (right: Node, wrong: [String]) {
        let members = node.members ?? []
        let wrong = members.filter { fault(of: $0) != nil }.map(\.name)
        return (Node(.object(members.filter { fault(of: $0) == nil }), line: node.line), wrong)
    }

    /// Why a variable cannot be; nil: it can.
    private static func fault(of member: Node.Member) -> String? {
        let shown = TableReader.shortened(member.name)
        guard isName(member.name) else {
            return "\"\(shown)\" must be a name of 1 to \(Name.bytesMax) bytes of A-Z a-z 0-9 _ -, "
                + "which no digit begins"
        }
        guard VariableValue(member.value) != nil else {
            return "\(shown): \(member.value.shown) must be \(VariableValue.rule)"
        }
        return nil
    }

    /// Names stand in texts, between braces: `{score}`.
    static func isName(_ text: String) -> Bool {
        Name.isValid(text) && text.utf8.first.map { !(0x30...0x39).contains($0) } == true
            && text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~") }
    }
}
