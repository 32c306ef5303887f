extension Node {
    /// Compact JSON, as Protocol's faster writer makes it: for errors, and where no Protocol is.
    package var jsonText: String {
        switch value {
        case .null: "null"
        case .bool(let truth): truth ? "true" : "false"
        case .integer(let whole): whole.description
        case .unsigned(let whole): whole.description
        case .number(let number): number.isFinite ? number.description : "null"
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[\(elements.map(\.jsonText).joined(separator: ","))]"
        case .object(let members):
            "{"
                + members.map { "\(Self.quoted($0.name)):\($0.value.jsonText)" }
                .joined(separator: ",") + "}"
        }
    }

    /// The value as it stands in a text: a string without its quotes, nothing for null, JSON for
    /// lists and tables.
    package var plainText: String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .bool, .integer, .unsigned, .number, .array, .object: jsonText
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
