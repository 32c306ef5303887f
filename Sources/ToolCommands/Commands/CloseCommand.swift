import Commands
import Manual

extension Command {
    static let close = Command(
        name: "close", arguments: "SESSION", summary: "Close a session and delete its state",
        examples: [("gesturectl close alice", "forget alice, in memory and in the store")]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["SESSION"])
        _ = try context.request("close", session: context.arguments.positionals[0])
    }
}
