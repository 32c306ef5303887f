package import Notation

/// The value of a variable. Its type is that of the scene's first value, and stays.
package enum VariableValue: Hashable, Sendable {
    /// From `-VariableValue.numberMax` to `VariableValue.numberMax`.
    case number(Double)
    /// At most `Limits.variableTextBytesMax`.
    case text(String)
    case truth(Bool)

    /// The largest number: up to here every whole number is exact, and every JSON reader holds it.
    package static let numberMax = 0x1p53

    /// A value as it stands in a scene or a message; nil: it can be none.
    package init?(_ node: Node) {
        if let text = node.string {
            guard text.utf8.count <= Limits.variableTextBytesMax else { return nil }
            self = .text(text)
        } else if let truth = node.bool {
            self = .truth(truth)
        } else {
            guard let number = node.double, number.magnitude <= Self.numberMax,
                node.int.map({ $0.magnitude <= UInt(Self.numberMax) }) ?? true
            else { return nil }
            // Without -0, whose text would be another one.
            self = .number(number == 0 ? 0 : number)
        }
    }

    /// Completes "must be …" where a value cannot be.
    package static let rule =
        "a number within ±2^53, a string of at most \(Limits.variableTextBytesMax) bytes, or true "
        + "or false"

    package var node: Node {
        switch self {
        case .number(let number):
            Int(exactly: number).map { Node(.integer($0)) } ?? Node(.number(number))
        case .text(let text): Node(.string(text))
        case .truth(let truth): Node(.bool(truth))
        }
    }

    package var kind: VariableKind {
        switch self {
        case .number: .number
        case .text: .text
        case .truth: .truth
        }
    }

    /// Bytes of its text; 0 for other values.
    var textBytes: Int {
        if case .text(let text) = self { return text.utf8.count }
        return 0
    }

    /// Whether a decoded value could be any.
    var isSound: Bool { VariableValue(node) != nil }
}

/// The type of a variable's values.
package enum VariableKind: Hashable, Sendable {
    case number, text, truth

    /// Completes "must be …".
    package var rule: String {
        switch self {
        case .number: "a number within ±2^53"
        case .text: "a string of at most \(Limits.variableTextBytesMax) bytes"
        case .truth: "true or false"
        }
    }
}

extension VariableValue: Codable {
    package init(from decoder: any Decoder) throws {
        guard let value = VariableValue(try Node(from: decoder)) else {
            throw decoder.error("must be \(Self.rule)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
}

/// A test of a variable's value.
package struct VariableTest: Hashable, Sendable {
    package var equals: VariableValue?
    /// Numbers that the value, a number, must exceed and stay under.
    package var above: Double?
    package var below: Double?

    package init(equals: VariableValue? = nil, above: Double? = nil, below: Double? = nil) {
        (self.equals, self.above, self.below) = (equals, above, below)
    }

    /// Whether a value passes all of it.
    func passes(_ value: VariableValue) -> Bool {
        if let equals, equals != value { return false }
        guard above != nil || below != nil else { return true }
        guard case .number(let number) = value else { return false }
        return above.map { number > $0 } ?? true && below.map { number < $0 } ?? true
    }
}

extension Limits {
    /// Variables of a scene.
    package static let variablesMax = 64
    /// Bytes of a variable's text: all that a notification's data may bring.
    package static let variableTextBytesMax = 4 * 1024
    /// Bytes of all texts of a session's variables: each change tells all of them.
    package static let variablesTextBytesMax = 16 * 1024
}
