import Commands
import Manual
import Notation

extension Command {
    static let scenes = Command(
        name: "scenes", arguments: "", summary: "List the daemon's scenes, one a line",
        examples: [("gesturectl scenes", "list the names that open accepts")]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let reply = try context.request("scenes")
        for name in reply["scenes"]?.array ?? [] { try Console.printLine("\(name.string ?? "")") }
    }
}
