import GesturedClient
import Notation
import Protocol

extension Command {
    static let hello = Command(
        name: "hello", arguments: "", summary: "Ask the daemon who it is", options: [json],
        examples: [
            ("gesturectl hello", "tell the daemon's version, its endpoints and its limits"),
            ("gesturectl --instance left hello", "ask the instance gestured@left"),
        ]
    ) { context throws(Failure) in
        try context.arguments.expect([])
        try context.printReply("hello")
    }

    static let stats = Command(
        name: "stats", arguments: "", summary: "Print the daemon's counters, bounds and latencies",
        options: [json],
        examples: [
            ("gesturectl stats", "print every figure, one a line"),
            ("gesturectl stats --json", "the same for a program that collects figures"),
        ]
    ) { context throws(Failure) in
        try context.arguments.expect([])
        try context.printReply("stats", below: "stats")
    }
}

extension Context {
    /// Asks the daemon; throws its refusal or silence.
    func request(
        _ operation: String, _ fields: [Node.Member] = []
    ) throws(Failure) -> Node {
        try daemon { () throws(ClientError) in
            try connection.control().request(operation, fields)
        }
    }

    /// Asks, and prints the reply's fields, those below `name` if given, as `name value` lines.
    func printReply(_ operation: String, below name: String? = nil) throws(Failure) {
        let reply = try request(operation)
        if arguments.has("--json") {
            try Console.line(reply.json())
            return
        }
        let node = name.flatMap { reply[$0] } ?? reply
        for (path, value) in flattened(node) where !["id", "ok"].contains(path) {
            try Console.line("\(Style.output(path, .cyan)) \(value)")
        }
    }
}

/// The leaves of a tree with the way to them, as `limits.topic 200`.
func flattened(_ node: Node, path: String = "") -> [(path: String, value: String)] {
    guard let members = node.members else {
        let text = node.string ?? String(decoding: node.json(), as: UTF8.self)
        return [(path, text)]
    }
    return members.flatMap {
        flattened($0.value, path: path.isEmpty ? $0.name : "\(path).\($0.name)")
    }
}
