import Commands
import Manual
import Notation

extension Command {
    static let members = Command(
        name: "members", arguments: "", summary: "List the daemons of a cluster, one a line",
        details: """
            Each line has the daemon's name, its state (live, or leaving), how many shards of the
            sessions it has, its weight, and where it answers requests. A daemon that is in no
            cluster lists itself alone.
            """,
        options: [json],
        examples: [
            ("gesturectl members", "show who shares the sessions"),
            (
                "gesturectl --control tcp://left:7413,tcp://right:7413 members",
                "ask the one of both that answers"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let reply = try context.request("members")
        if context.arguments.has("--json") {
            try Console.printJSON(reply)
            return
        }
        var rows = [["NAME", "STATE", "SHARDS", "WEIGHT", "CONTROL"].map { ShownText($0) }]
        rows += (reply["members"]?.array ?? []).map(row)
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].text.count }.max() ?? 0
        }
        for row in rows {
            let cells = zip(row, widths).dropLast().map { Help.padded($0.text, to: $1) + "  " }
            try Console.printLine("\(ShownText(cells.joined()))\(row.last ?? "")")
        }
    }

    static let locate = Command(
        name: "locate", arguments: "SESSION", summary: "Print which daemon has a session",
        details: """
            Prints the session's shard, the version of the cluster's map, and the daemon that owns
            the session, with its endpoints. Nobody may own it for a moment: then owner is null, and
            it exits with 1.
            """,
        options: [json],
        examples: [("gesturectl locate alice", "print where alice lives, and at which endpoints")]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["SESSION"])
        let reply = try context.request("locate", session: context.arguments.positionals[0])
        if context.arguments.has("--json") {
            try Console.printJSON(reply)
        } else {
            try Console.printFields(flattened(reply).filter { !["id", "ok"].contains($0.path) })
        }
        if reply["owner"]?.members == nil { throw .daemon("nobody has this session now") }
    }
}

private func row(_ member: Node) -> [ShownText] {
    func text(_ key: String) -> ShownText { ShownText(member[key]?.string ?? "-") }
    func number(_ key: String) -> ShownText {
        ShownText(member[key]?.int.map { String($0) } ?? "-")
    }
    let control = (member["control"]?.array ?? []).compactMap(\.string).joined(separator: ",")
    return [
        text("name"), text("state"), number("shards"), number("weight"), ShownText(control),
    ]
}
