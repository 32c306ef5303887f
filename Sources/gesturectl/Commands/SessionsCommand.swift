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
        let width = entries.map { ($0["session"]?.string ?? "").count }.max() ?? 0
        for entry in entries {
            if context.arguments.has("--json") {
                try Console.printJSON(entry)
            } else {
                try Console.printLine(line(of: entry, width: width))
            }
        }
    }
}

private func line(of entry: Node, width: Int) -> String {
    let state = entry["state"]?.string == "parked" ? "parked" : "in memory"
    let scene = entry["scene"]?.string.map { "  \(Printable.line($0))" } ?? ""
    let padding = scene.isEmpty ? 0 : "in memory".count
    return Help.padded(entry["session"]?.string ?? "", to: width) + "  "
        + Help.padded(state, to: padding) + scene
}

extension Context {
    /// All sessions with their states and scenes, page by page.
    fileprivate func sessionEntries() throws(Failure) -> [Node] {
        var entries: [Node] = []
        var after: [Node.Member] = []
        while true {
            let page = try request(
                "sessions", [Node.Member("detail", Node(.bool(true)))] + after)
            let names = page["sessions"]?.array ?? []
            // A daemon without details names open sessions alone.
            entries +=
                page["entries"]?.array
                ?? names.map {
                    Node(.object([.init("session", $0), .init("state", Node(.string("open")))]))
                }
            guard let next = page["next"]?.string, !names.isEmpty else { return entries }
            after = [Node.Member("after", Node(.string(next)))]
        }
    }
}
