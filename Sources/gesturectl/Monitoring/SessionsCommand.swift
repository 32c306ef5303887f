import Manual
import Notation

extension Command {
    static let sessions = Command(
        name: "sessions", arguments: "", summary: "List the sessions, one a line",
        details: """
            Each line has the session's name; whether the session is in memory, or parked in the
            store until somebody uses it; and the name of its scene, if it has one.
            """,
        options: [Option("--json", nil, "one {\"session\",\"state\",\"scene\"} a line")],
        examples: [
            ("gesturectl sessions", "list all sessions"),
            ("gesturectl sessions | wc -l", "count the sessions"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let entries = try context.sessionEntries()
        let width = entries.map { nameShown(of: $0).text.count }.max() ?? 0
        for entry in entries {
            if context.arguments.has("--json") {
                try Console.printJSON(entry)
            } else {
                try Console.printLine(line(of: entry, width: width))
            }
        }
    }
}

private func nameShown(of entry: Node) -> ShownText { ShownText(entry["session"]?.string ?? "") }

private func line(of entry: Node, width: Int) -> ShownText {
    let state = entry["state"]?.string == "parked" ? "parked" : "in memory"
    let scene: ShownText = entry["scene"]?.string.map { "  \($0)" } ?? ""
    let padding = scene.isEmpty ? 0 : "in memory".count
    let name = Help.padded(nameShown(of: entry).text, to: width)
    return "\(name)  \(Help.padded(state, to: padding))\(scene)"
}

extension Context {
    /// All sessions with their states and scenes, page by page.
    func sessionEntries() throws(Failure) -> [Node] {
        var entries: [Node] = []
        var after: String?
        while true {
            let page = try request(
                "sessions",
                [Node.Member("detail", Node(.bool(true)))]
                    + (after.map { [Node.Member("after", Node(.string($0)))] } ?? []))
            let names = page["sessions"]?.array ?? []
            // A daemon without details names open sessions alone.
            entries +=
                page["entries"]?.array
                ?? names.map {
                    Node(.object([.init("session", $0), .init("state", Node(.string("open")))]))
                }
            guard let next = page["next"]?.string, !names.isEmpty else { return entries }
            // Otherwise this would ask for the same page for ever.
            guard after.map({ $0.utf8.lexicographicallyPrecedes(next.utf8) }) ?? true else {
                throw .daemon("its pages of sessions do not go on after \(next)")
            }
            after = next
        }
    }
}
