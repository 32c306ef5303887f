import Protocol

/// Metrics in Prometheus' text format: families of samples, each with its help and its type.
package struct MetricsText: ~Copyable {
    package enum Kind: String, Sendable {
        case counter, gauge, summary
    }

    private var buffer = ByteBuffer(capacity: 32_768)

    package init() {}

    package var bytes: [UInt8] { buffer.array() }

    /// Begins a family; its samples follow.
    package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        buffer.append("# HELP ")
        buffer.append(name)
        buffer.append(" ")
        buffer.append(Self.escaped(help, quotes: false))
        buffer.append("\n# TYPE ")
        buffer.append(name)
        buffer.append(" ")
        buffer.append(kind.rawValue)
        buffer.append("\n")
    }

    package mutating func sample(
        _ name: String, _ labels: [(name: String, value: String)] = [], _ value: Double
    ) {
        buffer.append(name)
        if !labels.isEmpty {
            let text = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            buffer.append("{\(text.joined(separator: ","))}")
        }
        buffer.append(" ")
        buffer.append(Self.number(value))
        buffer.append("\n")
    }

    /// A family of one sample.
    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(name, [], value)
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        if value.isNaN { return "NaN" }
        return value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : value.description
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
