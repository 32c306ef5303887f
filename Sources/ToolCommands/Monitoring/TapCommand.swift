import Commands
import Manual
import Notation
import Protocol
import Recordings

extension Command {
    static let tap = Command(
        name: "tap", arguments: "[PREFIX…]", summary: "Print the events that the daemon takes",
        details: """
            Each line has the time, what became of the event, its topic, its body, and who sent it:
            the name of its key, or an address, or of an ipc socket the process and its user. It
            sees the events of all publishers, also those sent by requests. Refused events show the
            reason. With prefixes it prints the topics that begin with one of them.

            A client with a key needs the grant tap for the sessions. Events that come faster than
            they can be told are counted on standard error.
            """,
        options: [
            Option("--refused", nil, "print refused events alone"),
            Option("--count", "N", "end after so many events"),
            Option("--for", "SECONDS", "end after this time"),
            Option("--json", nil, "one event a line, as the daemon tells it"),
        ],
        examples: [
            ("gesturectl tap", "print all events"),
            ("gesturectl tap gesture/alice notification/alice", "print those for alice"),
            ("gesturectl tap --refused", "see who sends what the daemon refuses, and why"),
        ]
    ) { context throws(Failure) in try tapEvents(context) }
}

/// How often the daemon is asked: a person sees events at once, and the daemon has little to do.
private let tapPause = Duration.milliseconds(50)

private func tapEvents(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    var left = try arguments.whole("--count", in: 1...1_000_000_000) ?? .max
    let seconds = try arguments.number("--for", in: 0...31_536_000)
    let end = seconds.map { ContinuousClock.now + .milliseconds(Int($0 * 1_000)) }
    let prefixes = arguments.positionals
    endQuietlyWhenInterrupted()
    var next: Node?
    while left > 0 {
        let reply = try context.request("tap", next.map { [Node.Member("after", $0)] } ?? [])
        next = reply["next"]
        if let lost = reply["lost"]?.int, lost > 0 {
            Console.printError("\(counted(lost, "event")) came too fast to be told")
        }
        let events = reply["events"]?.array ?? []
        for event in events where left > 0 {
            let topic = event["topic"]?.string ?? ""
            guard prefixes.isEmpty || prefixes.contains(where: { topic.hasPrefix($0) }),
                !arguments.has("--refused") || event["code"] != nil
            else { continue }
            if arguments.has("--json") {
                try Console.printJSON(event)
            } else {
                try Console.printLine(line(of: event, topic))
            }
            left -= 1
        }
        if let end, end <= .now { return }
        // A full answer is followed by another one.
        if events.isEmpty { Pause.wait(tapPause) }
    }
}

private func line(of event: Node, _ topic: String) -> ShownText {
    let time = WallTime(milliseconds: Double(event["t"]?.int ?? 0)).clock
    let body =
        event["body"].map { String(decoding: $0.json(), as: UTF8.self) }
        ?? event["excerpt"]?.string ?? ""
    let sender = event["from"]?.string.map { "  from \($0)" } ?? ""
    if let code = event["code"]?.string {
        let message = event["message"]?.string ?? ""
        let word = Style.output("refused", .red)
        return "\(time) \(word) \(code): \(message): \(topic) \(body)\(sender)"
    }
    let isDuplicate = event["duplicate"]?.bool == true
    let word = isDuplicate ? Style.output("duplicate", .yellow) : Style.output("ok", .green)
    return "\(time) \(word) \(topic) \(body)\(sender)"
}
