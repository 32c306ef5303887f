import Notation

extension Expectations {
    /// Reads a list of transitions: texts as `"toss return ended"`, `"..."`, or tables.
    static func transitions(
        _ node: Node, _ table: TableReader, _ tolerance: Double
    ) throws(TableError) -> [ExpectedTransition] {
        guard let entries = node.array else {
            throw table.error("transitions", "must be a list, as [\"toss return ended\"]")
        }
        guard entries.count <= transitionsMax else {
            throw table.error("transitions", "must have at most \(transitionsMax) entries")
        }
        var all: [ExpectedTransition] = []
        for (index, entry) in entries.enumerated() {
            let path = "\(table.path), transition \(index + 1)"
            guard let text = entry.string else {
                var reader = try TableReader(entry, path: path)
                all.append(try transition(&reader))
                try reader.finish()
                all[all.count - 1].line = entry.line
                continue
            }
            let words = text.split(separator: " ").map(String.init)
            if text == "..." || text == "…" {
                all.append(ExpectedTransition(isGap: true, line: entry.line))
            } else if words.count == 3 {
                let parts = words.map { $0 == "*" ? nil : $0 }
                all.append(
                    ExpectedTransition(
                        component: parts[0], name: parts[1], event: parts[2], line: entry.line))
            } else {
                throw TableError(
                    path: path, line: entry.line ?? node.line,
                    message: "must be \"COMPONENT NAME EVENT\", as \"toss return ended\", "
                        + "or \"...\", not \"\(TableReader.shortened(text))\"")
            }
        }
        if !all.isEmpty, all.allSatisfy(\.isGap) {
            throw table.error("transitions", "expects nothing: name a transition beside \"...\"")
        }
        return all
    }

    private static func transition(
        _ reader: inout TableReader
    ) throws(TableError) -> ExpectedTransition {
        var transition = ExpectedTransition()
        transition.component = try reader.string("component")
        transition.name = try reader.string("name")
        transition.event = try reader.string("event")
        transition.from = try value("from", 0.001, &reader)
        transition.to = try value("to", 0.001, &reader)
        // Times stand on steps of 1/120 s.
        transition.time = try value("at", 0.5, &reader)
        return transition
    }

    private static func value(
        _ key: String, _ tolerance: Double, _ reader: inout TableReader
    ) throws(TableError) -> ExpectedValue? {
        guard let node = reader.node(key) else { return nil }
        do throws(ExpectedValue.Fault) {
            return try ExpectedValue(node, tolerance: tolerance)
        } catch {
            throw reader.error(key, error.message)
        }
    }
}
