import Manual
import Notation

extension Command {
    static let stats = Command(
        name: "stats", arguments: "", summary: "Print the daemon's counters and latencies",
        options: [Option("--limits", nil, "print the bounds too, after the counters"), json],
        examples: [
            ("gesturectl stats", "print every counter, one a line"),
            ("gesturectl stats --limits", "the same, then every bound"),
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
        try Console.printFields(fields.filter { !isBound($0) })
        if context.arguments.has("--limits") { try Console.printFields(fields.filter(isBound)) }
    }
}
