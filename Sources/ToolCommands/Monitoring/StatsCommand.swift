import Commands
import Manual
import Notation

extension Command {
    static let stats = Command(
        name: "stats", arguments: "", summary: "Print the daemon's counters and latencies",
        details: """
            On a terminal the counters stand in groups, in columns, with thousands. Elsewhere each
            is a line, NAME VALUE, for scripts; --groups prints them as on a terminal.
            """,
        options: [
            Option("--limits", nil, "print the bounds too, after the counters"),
            Option("--groups", nil, "print groups and columns, wherever the output goes"), json,
        ],
        examples: [
            ("gesturectl stats", "print every counter"),
            ("gesturectl stats --limits", "the same, then every bound"),
            ("gesturectl stats --groups | less", "read them page by page"),
            ("gesturectl stats --json", "print all of it for a program that collects counters"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let reply = try context.request("stats")
        if context.arguments.has("--json") {
            try Console.printJSON(reply)
            return
        }
        let fields = flattened(reply["stats"] ?? Node(.null))
        let isBound = { (field: (path: String, value: String)) in field.path.hasPrefix("limit_") }
        let hasLimits = context.arguments.has("--limits")
        if context.arguments.has("--groups") || Console.outputIsTerminal {
            let table = StatsTable(fields.filter { hasLimits || !isBound($0) })
            for line in table.lines(.output) { try Console.printLine(line) }
            return
        }
        try Console.printFields(fields.filter { !isBound($0) })
        if hasLimits { try Console.printFields(fields.filter(isBound)) }
    }
}
