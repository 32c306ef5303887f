import Notation

extension ExpectedValue {
    /// Why a value of a file cannot be expected.
    struct Fault: Error {
        var message: String
    }

    /// Reads a value as `160`, `"160 ± 0.5"`, `">= 100"`, `"10..20"`, `"thrown"`, `"absent"`, a
    /// truth or a list. Throws for other types, and for conditions that nothing can meet.
    init(_ node: Node, tolerance: Double) throws(Fault) {
        switch node.value {
        case .bool(let truth): self = .truth(truth)
        case .array(let nodes):
            var values: [ExpectedValue] = []
            for node in nodes { values.append(try ExpectedValue(node, tolerance: tolerance)) }
            self = .list(values)
        case .string(let text): try self.init(text)
        case .integer, .unsigned, .number:
            guard let number = node.double, number.isFinite else { throw Self.wrongType }
            self = .number(number, within: tolerance)
        case .null, .object: throw Self.wrongType
        }
    }

    private static let wrongType = Fault(
        message: "must be a number, a text, true, false or a list of these")

    /// A text that has the signs of a condition is one, so that a slip is no text that never comes.
    private init(_ text: String) throws(Fault) {
        switch text {
        case "absent": self = .absent
        case "present": self = .present
        default:
            if let value = try Self.tolerance(text) {
                self = value
            } else if let value = try Self.bound(text) {
                self = value
            } else {
                self = try Self.range(text) ?? .text(text)
            }
        }
    }

    private static func number(_ text: Substring) -> Double? {
        let word = text.trimmed
        guard let number = WrittenNumber.prefix(of: word), number == word else { return nil }
        return Double(number).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func fault(_ text: String, _ reason: String) -> Fault {
        Fault(message: "\"\(TableReader.shortened(text))\" \(reason)")
    }

    /// `160 ± 0.5`; nil: there is no such sign beside a number.
    private static func tolerance(_ text: String) throws(Fault) -> ExpectedValue? {
        for sign in ["±", "+-", "+/-"] {
            let parts = text.parts(between: sign)
            guard parts.count > 1, parts.contains(where: { number($0) != nil }) else { continue }
            guard parts.count == 2, let wanted = number(parts[0]), let within = number(parts[1])
            else { throw fault(text, "must be a number, \(sign) and a number") }
            guard within >= 0 else { throw fault(text, "has a tolerance below 0") }
            return .number(wanted, within: within)
        }
        return nil
    }

    /// `> 5`; nil: it does not begin with such a sign.
    private static func bound(_ text: String) throws(Fault) -> ExpectedValue? {
        for (sign, isLow, isOpen) in [
            (">=", true, false), ("<=", false, false), (">", true, true), ("<", false, true),
        ] where text.hasPrefix(sign) {
            guard let bound = number(text.dropFirst(sign.count)) else {
                throw fault(text, "must be \(sign) and one number; a range is \"4..5\"")
            }
            return .range(low: isLow ? bound : nil, high: isLow ? nil : bound, isOpen: isOpen)
        }
        return nil
    }

    /// `0..1`; nil: there are no two points beside a number.
    private static func range(_ text: String) throws(Fault) -> ExpectedValue? {
        let ends = text.parts(between: "..")
        guard ends.count > 1, ends.contains(where: { number($0) != nil }) else { return nil }
        guard ends.count == 2, let low = number(ends[0]), let high = number(ends[1]) else {
            throw fault(text, "must be two numbers with .. between; one end is \">= 4\"")
        }
        guard low <= high else { throw fault(text, "has its low end above its high one") }
        return .range(low: low, high: high, isOpen: false)
    }
}
