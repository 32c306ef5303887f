import Commands
import Manual

/// Figures of `stats` for a person: in groups, in columns, with thousands.
struct StatsTable {
    /// The groups with the beginnings of their figures' names; a figure stands in the first that
    /// fits.
    private static let groups: [(title: String, prefixes: [String])] = [
        ("cluster", ["shard", "lease", "members", "events_elsewhere", "requests_moved"]),
        ("bounds", ["limit_"]),
        ("events", ["event", "rejections", "unauthorized"]),
        ("motion and updates", ["updates", "states", "frames", "looks", "steps"]),
        ("sessions", ["sessions", "worlds", "reactions", "scene"]),
        ("latency, microseconds", ["latency_us"]),
        ("requests and subscriptions", ["request", "repl", "subscription", "outbox"]),
        ("store", ["store"]),
        ("connections and keys", ["peer", "connection", "key", "handshake", "client"]),
    ]
    private static let rest = "the daemon"

    private let figures: [(title: String, fields: [(path: String, value: String)])]

    init(_ fields: [(path: String, value: String)]) {
        var figures: [String: [(path: String, value: String)]] = [:]
        for field in fields {
            let group = Self.groups.first { $0.prefixes.contains { field.path.hasPrefix($0) } }
            figures[group?.title ?? Self.rest, default: []].append(field)
        }
        // The bounds come last.
        let titles = [Self.rest] + Self.groups.map(\.title).filter { $0 != "bounds" } + ["bounds"]
        self.figures = titles.compactMap { title in figures[title].map { (title, $0) } }
    }

    func lines(_ style: Style) -> [ShownText] {
        let all = figures.flatMap(\.fields)
        let names = all.map(\.path.count).max() ?? 0
        let numbers = all.map { Self.grouped($0.value).count }.max() ?? 0
        var lines: [ShownText] = []
        for group in figures {
            if !lines.isEmpty { lines.append("") }
            lines.append(style(group.title, .bold))
            for field in group.fields {
                let number = Self.grouped(field.value)
                let blank = String(repeating: " ", count: max(0, numbers - number.count))
                let name = style(Help.padded(field.path, to: names), .cyan)
                lines.append("  \(name)  \(blank)\(number)")
            }
        }
        return lines
    }

    /// A number with a comma before each three digits; other values as they are.
    static func grouped(_ value: String) -> String {
        let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let sign = value.hasPrefix("-") ? "-" : ""
        let digits = parts[0].dropFirst(sign.count)
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return value
        }
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return sign + text + (parts.count > 1 ? ".\(parts[1])" : "")
    }
}
