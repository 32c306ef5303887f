import Commands
import Manual

extension Command {
    static let hello = Command(
        name: "hello", arguments: "", summary: "Print the daemon's version, epoch and bounds",
        options: [json],
        examples: [
            ("gesturectl hello", "print the version, the epoch and every bound, one a line"),
            ("gesturectl --instance left hello", "ask the instance gestured@left"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let reply = try context.request("hello")
        if context.arguments.has("--json") {
            try Console.printJSON(reply)
            return
        }
        try Console.printFields(flattened(reply).filter { !["id", "ok"].contains($0.path) })
    }
}
