import Commands
import GesturedClient
import Manual
import Notation
import Protocol

extension Command {
    static let snapshot = Command(
        name: "snapshot", arguments: "SESSION", summary: "Print what a session shows now",
        options: [
            Option("--format", "text|json|T", "as in watch"),
            Option("--json", nil, "one {\"topic\",\"body\"} a line, as --format json"),
        ],
        examples: [("gesturectl snapshot alice", "print where all of alice's views are now")]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["SESSION"])
        let printer = try updatePrinter(context.arguments)
        let reply = try context.request("snapshot", session: context.arguments.positionals[0])
        for entry in reply["updates"]?.array ?? [] {
            guard let topic = entry["topic"]?.string, let content = entry["body"],
                let update = ReceivedUpdate(topic: topic, content: content, body: content.json())
            else { continue }
            try printer.printLine(update)
        }
    }
}
