import Commands
import Manual
import Notation

extension Command {
    static let sessions = Command(
        name: "sessions", arguments: "[PREFIX]", summary: "List the sessions, one a line",
        details: """
            Each line has the session's name; whether the session is in memory, or parked in the
            store until somebody uses it; and the name of its scene, if it has one. With PREFIX it
            lists those whose names begin so.
            """,
        options: [
            Option("--state", "open|moving|parked", "those in memory, that move, or in the store"),
            Option("--scene", "SCENE", "those of this scene"),
            Option("--json", nil, "one {\"session\",\"state\",\"scene\",…} a line"),
        ],
        examples: [
            ("gesturectl sessions", "list all sessions"),
            ("gesturectl sessions | wc -l", "count the sessions"),
            ("gesturectl sessions --state moving --json", "list those that move, for a program"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["PREFIX"], optional: 1)
        let entries = try wantedEntries(context)
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

private func wantedEntries(_ context: Context) throws(Failure) -> [Node] {
    let values = context.arguments.values
    let prefix = context.arguments.positionals.first ?? ""
    let state = values["--state"]
    if let state, !["open", "moving", "parked"].contains(state) {
        throw .usage("--state must be open, moving or parked, not '\(state)'")
    }
    return try context.sessionEntries(only: state == "parked" ? nil : state).filter { entry in
        let isMoving = entry["moving"]?.bool ?? false
        let isOfState =
            state == nil || (state == "moving" ? isMoving : entry["state"]?.string == state)
        return isOfState && entry["session"]?.string?.hasPrefix(prefix) == true
            && (values["--scene"] == nil || entry["scene"]?.string == values["--scene"])
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
    ///
    /// - Parameter only: the daemon leaves out others, if it is new enough.
    func sessionEntries(only: String? = nil) throws(Failure) -> [Node] {
        var entries: [Node] = []
        var after: String?
        while true {
            let page = try request(
                "sessions",
                [Node.Member("detail", Node(.bool(true)))]
                    + (only.map { [Node.Member("only", Node(.string($0)))] } ?? [])
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
