import Commands
import Manual
import Notation

extension Command {
    static let peers = Command(
        name: "peers", arguments: "", summary: "List the connections to the daemon's sockets",
        details: """
            Each line has the socket (events, updates or control); where the connection comes from,
            an address or of an ipc socket the process and its user; the bytes that it has sent to
            the daemon and taken from it; and the prefixes that it subscribes to, with the name of
            its key if it has one. Those with the most traffic come first.
            """,
        options: [Option("--socket", "NAME", "those of events, push, updates or control"), json],
        examples: [
            ("gesturectl peers", "list all connections"),
            ("gesturectl peers --socket updates", "see who subscribes to what"),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals([])
        let socket = context.arguments.values["--socket"]
        if let socket, !["events", "push", "updates", "control"].contains(socket) {
            throw .usage("--socket must be events, push, updates or control, not '\(socket)'")
        }
        let reply = try context.request("peers")
        if context.arguments.has("--json") {
            try Console.printJSON(reply)
            return
        }
        let peers = (reply["peers"]?.array ?? []).filter {
            socket == nil || $0["socket"]?.string == socket
        }
        let rows = peers.map(PeerRow.init)
        func width(_ word: (PeerRow) -> String) -> Int { rows.map { word($0).count }.max() ?? 0 }
        let widths: [Int] = [
            width { $0.socket }, width { $0.address }, width { $0.received }, width { $0.sent },
        ]
        for row in rows { try Console.printLine(row.line(widths)) }
        if let more = reply["more"]?.int, more > 0 { Console.printError("and \(more) more") }
    }
}

/// One connection, as a line of words.
private struct PeerRow {
    let socket: String
    let address: String
    let received: String
    let sent: String
    private let prefixes: String

    init(_ peer: Node) {
        socket = Printable.line(peer["socket"]?.string ?? "?")
        address = Printable.line(peer["address"]?.string ?? "?")
        func bytes(_ name: String, _ sign: String) -> String {
            peer[name]?.int.map { "\(sign)\(StatsTable.grouped(String($0)))" } ?? "\(sign)?"
        }
        received = bytes("received", "in ")
        sent = bytes("sent", "out ")
        let shown = (peer["prefixes"]?.array ?? []).compactMap(\.string)
        let all = shown.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: " ")
        let rest = max(0, peer["subscriptions"]?.int ?? 0) - shown.count
        let client = peer["client"]?.string.map { "\($0)  " } ?? ""
        prefixes = Printable.line(client + all + (rest > 0 ? " and \(rest) more" : ""))
    }

    func line(_ widths: [Int]) -> ShownText {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let words = [
            Help.padded(socket, to: widths[0]), Help.padded(address, to: widths[1]),
            right(received, widths[2]), right(sent, widths[3]), prefixes,
        ]
        return ShownText(words.filter { !$0.isEmpty }.joined(separator: "  "))
    }
}
