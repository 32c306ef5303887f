import GesturedClient
import Manual
import Notation
import Protocol

extension Command {
    static let sessions = Command(
        name: "sessions", arguments: "", summary: "List the open sessions, one a line",
        examples: [("gesturectl sessions | wc -l", "count the open sessions")]
    ) { context throws(Failure) in
        try context.arguments.expect([])
        let names = try daemon { () throws(ClientError) in
            try context.connection.control().sessions()
        }
        for name in names { try Console.line(name) }
    }

    static let scenes = Command(
        name: "scenes", arguments: "", summary: "List the scenes that the daemon has, one a line",
        examples: [("gesturectl scenes", "tell what open may name")]
    ) { context throws(Failure) in
        try context.arguments.expect([])
        let reply = try context.request("scenes")
        for name in reply["scenes"]?.array ?? [] { try Console.line(name.string ?? "") }
    }

    static let close = Command(
        name: "close", arguments: "SESSION", summary: "Close a session; its state is gone",
        examples: [("gesturectl close alice", "forget alice, in memory and in the store")]
    ) { context throws(Failure) in
        try context.arguments.expect(["SESSION"])
        _ = try context.request(
            "close", [Node.Member("session", Node(.string(context.arguments.positionals[0])))])
    }

    static let snapshot = Command(
        name: "snapshot", arguments: "SESSION", summary: "Print what a session shows now",
        options: [Option("--json", nil, "one {\"topic\",\"body\"} a line")],
        examples: [("gesturectl snapshot alice", "tell where all of alice's views are now")]
    ) { context throws(Failure) in
        try context.arguments.expect(["SESSION"])
        let reply = try context.request(
            "snapshot", [Node.Member("session", Node(.string(context.arguments.positionals[0])))])
        for entry in reply["updates"]?.array ?? [] {
            guard let topic = entry["topic"]?.string, let content = entry["body"],
                let update = ReceivedUpdate(topic: topic, content: content, body: content.json())
            else { continue }
            try Console.line(
                context.arguments.has("--json") ? jsonLine(update) : readableLine(update, .output))
        }
    }
}
