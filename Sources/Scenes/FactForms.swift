import Interactions
import Notation
import Sessions

/// The values that a cause tells.
struct FactForms {
    /// Completes "… tells no item".
    var source = ""
    var forms: [Placeholder: ValueForm] = [:]

    /// Those of a cause that cannot be read: it may tell anything.
    static var unknown: FactForms {
        FactForms(
            forms: Dictionary(uniqueKeysWithValues: Placeholder.allCases.map { ($0, .any) }))
    }

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
        guard let placeholder = Placeholder(text) else {
            let known = listedNames(
                nearestTo: text, among: Placeholder.allCases.map { "$\($0.rawValue)" })
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
