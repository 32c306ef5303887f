import Codec
import Commands
import GesturedClient
import Interactions
import Manual
import Notation
import Protocol

extension Command {
    static let publish = Command(
        name: "publish", arguments: "TOPIC BODY|-", summary: "Send an event",
        details: """
            BODY is a JSON object; - reads bodies from standard input, one a line. An event that no
            daemon would accept is not sent: the command says why and exits with 1. A session's
            refusals show on rejected/SESSION. With --ack the daemon answers each event once its
            result is on the disk, and a refusal is an error here. It also says what a gesture on
            gesture/SESSION hits, as a line `hit COMPONENT/VIEW` or `hit nothing`; a file of events
            gets such a line whenever the hit changes. And it says whether the event opened a
            session: one that is not open opens with the scene of auto_open.
            """,
        options: [Option("--ack", nil, "wait until the daemon has stored each event's result")],
        examples: [
            (
                #"gesturectl publish notification/alice '{"kind":"likes","add":3}'"#,
                "add three likes to alice's counts"
            ),
            (
                #"gesturectl publish --ack command/alice/tabs '{"command":"select","index":2}'"#,
                "select alice's third tab, and end once that is on the disk"
            ),
            (
                #"gesturectl publish --ack gesture/alice '{"gesture":"tap","x":160,"y":223}'"#,
                "tap a point of alice's screen, and see what lies there"
            ),
            (
                "gesturectl publish gesture/alice/toss - < samples.jsonl",
                "send every line of a file as a sample"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["TOPIC", "BODY"])
        let topic = context.arguments.positionals[0]
        let body = context.arguments.positionals[1]
        if context.arguments.has("--ack") {
            try publishAcknowledged(context, topic: topic, body: body)
        } else {
            try publishPlain(context, topic: topic, body: body)
        }
    }
}

private func publishPlain(
    _ context: Context, topic: String, body: String
) throws(Failure) {
    let check = try EventCheck(topic: topic)
    if body != "-" { try check.requireValid(Array(body.utf8)) }
    try context.requireDaemon()
    let publisher = try daemon { () throws(ClientError) in try context.connection.publisher() }
    func publish(_ bytes: [UInt8]) throws(Failure) {
        try check.requireValid(bytes)
        try daemon { () throws(ClientError) in
            try publisher.publish(topic: Array(topic.utf8), body: bytes)
        }
    }
    guard body == "-" else {
        try publish(Array(body.utf8))
        return
    }
    var lines = LineReader()
    var refused = 0
    while let line = try lines.next() {
        if line.isEmpty { continue }
        do throws(Failure) {
            try publish(line)
        } catch {
            guard case .event(let reason) = error else { throw error }
            refused += 1
            Console.printError("line \(lines.number): \(reason)")
        }
    }
    if refused > 0 { throw .event("\(refused) not sent") }
}

/// Finds what is wrong with an event before it is sent: nobody answers a plain event.
private struct EventCheck {
    private let topic: Topic
    private let decoder = EventDecoder()

    init(topic: String) throws(Failure) {
        do throws(TopicError) {
            self.topic = try Topic(topic)
        } catch {
            throw .event("not sent: bad-topic: '\(topic)': \(error.message)")
        }
    }

    func requireValid(_ body: [UInt8]) throws(Failure) {
        do throws(DecodingFailure) {
            _ = try decoder.decode(topic: topic, body: body)
        } catch {
            let rejection = error.rejection
            throw .event("not sent: \(rejection.code.rawValue): \(rejection.message)")
        }
    }
}

private func publishAcknowledged(
    _ context: Context, topic: String, body: String
) throws(Failure) {
    guard body == "-" else {
        let reply = try context.request(
            "publish", try fields(context, topic, Array(body.utf8), at: "BODY"))
        if reply["duplicate"]?.bool == true {
            Console.printError("duplicate: this event was applied before")
        }
        if reply["created"]?.bool == true { printOpening(topic) }
        if let hit = hitText(reply) { try Console.printLine("\(hit)") }
        return
    }
    var lines = LineReader()
    var refused = 0
    try context.requireDaemon()
    let control = try daemon { () throws(ClientError) in try context.connection.control() }
    // One batch for the lines that are here, so that no line waits for one that comes much later.
    var batch: [(number: Int, fields: [Node.Member])] = []
    // Each sample of a contact repeats the hit of the first one.
    var lastHit: String?
    func sendBatch() throws(Failure) {
        let sent = batch
        var hits: [String] = []
        batch = []
        try daemon { () throws(ClientError) in
            try control.pipeline("publish", sent.map(\.fields)) { place, result in
                switch result {
                case .success(let reply):
                    if reply["created"]?.bool == true { printOpening(topic) }
                    if let hit = hitText(reply), hit != lastHit {
                        hits.append(hit)
                        lastHit = hit
                    }
                case .failure(let error):
                    refused += 1
                    Console.printError("line \(sent[place].number): \(error)")
                }
            }
        }
        for hit in hits { try Console.printLine("\(hit)") }
    }
    while let line = try lines.next() {
        if line.isEmpty { continue }
        do throws(Failure) {
            let fields = try fields(context, topic, line, at: "standard input:\(lines.number)")
            batch.append((lines.number, fields))
        } catch {
            // The lines before a bad one are sent.
            try sendBatch()
            throw error
        }
        if batch.count == Control.unansweredMax || !lines.hasNextLine { try sendBatch() }
    }
    try sendBatch()
    if refused > 0 { throw .daemon("\(refused) refused") }
}

/// The component and the view that a gesture on a session's topic hits; nil: the event is another.
private func hitText(_ reply: Node) -> String? {
    guard let hit = reply["hit"] else { return nil }
    guard let component = hit["component"]?.string else { return "hit nothing" }
    return "hit \(component)" + (hit["view"]?.string.map { "/\($0)" } ?? "")
}

/// Says that an event opened its session: a misspelt name opens one, too.
private func printOpening(_ topic: String) {
    guard let session = (try? Topic(topic))?.session else { return }
    Console.printError("created: there was no session \(session), and this event opened it")
}

private func fields(
    _ context: Context, _ topic: String, _ body: [UInt8], at place: String
) throws(Failure) -> [Node.Member] {
    do throws(DocumentError) {
        var content = try Document.json(body)
        // Another member may be asked again, where the first one died.
        if !context.connection.endpoints.seeds.isEmpty, let members = content.members {
            content = Node(.object(Control.identified(members, topic: topic)))
        }
        return [
            Node.Member("topic", Node(.string(topic))), Node.Member("body", content),
        ]
    } catch {
        throw .usage("\(place): \(error.message)")
    }
}
