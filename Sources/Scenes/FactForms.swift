import Interactions
import Notation
import Sessions

/// The values that a cause tells.
struct FactForms {
    /// Completes "… tells no item".
    var source = ""
    var forms: [Placeholder: ValueForm] = [:]

    /// Takes those of a transition of a kind.
    mutating func tell(of report: TransitionReport, _ kind: String) {
        source = "\(report.name) of \(kind)"
        for placeholder in report.placeholders { forms[placeholder] = report.form(of: placeholder) }
        forms[.user] = Placeholder.user.form
    }

    /// Those of a cause that cannot be read: it may tell anything.
    static var unknown: FactForms {
        FactForms(
            forms: Dictionary(uniqueKeysWithValues: Placeholder.allCases.map { ($0, .any) }))
    }

    /// Those that both causes tell.
    func common(with other: FactForms) -> FactForms {
        var both = FactForms(source: "each of the causes")
        for (placeholder, form) in forms {
            guard let their = other.forms[placeholder] else { continue }
            both.forms[placeholder] = form == their ? form : placeholder.form
        }
        return both
    }

    private struct Refusal: Error {
        var message: String
    }

    /// Why a value of a command cannot be, and each placeholder in it that cannot; empty: it can.
    func refusals(of node: Node, as form: ValueForm) -> [String] {
        do throws(Refusal) {
            if let text = node.string, let told = try self.form(of: text) {
                let isTaken = form.takes(told)
                return isTaken ? [] : ["\(node.shown) cannot stand here: it is \(told.article)"]
            }
        } catch {
            return [error.message]
        }
        if node.string != nil, node.namesFacts, forms[.data] == nil {
            return ["\(node.shown) cannot be: \(source) tells no data"]
        }
        if let rule = form.rule(refusing: node) { return ["\(node.shown) must be \(rule)"] }
        let parts = (node.array ?? []) + (node.members ?? []).map(\.value)
        return parts.flatMap { refusals(of: $0, as: .any) }
    }

    /// Whether a text stands for what will have happened, or looks as if.
    static func isPlaceholder(_ text: String) -> Bool {
        if FactName(text) != nil { return true }
        let letters = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "$") && !letters.isEmpty
            && letters.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains)
    }

    /// The form of a placeholder's values; nil: the text is none.
    private func form(of text: String) throws(Refusal) -> ValueForm? {
        guard Self.isPlaceholder(text) else { return nil }
        guard let name = FactName(text) else {
            let known = listedNames(
                nearestTo: text, among: Placeholder.allCases.map { "$\($0.rawValue)" })
            let shown = TableReader.shortened(text)
            throw Refusal(message: "unknown value \"\(shown)\", known ones are \(known)")
        }
        guard let form = forms[name.placeholder] else {
            let shown = TableReader.shortened(text)
            throw Refusal(message: "\"\(shown)\" cannot be: \(source) does not tell it")
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
        case .truth: "true or false"
        case .table: "a table"
        case .any: "any value"
        }
    }
}
