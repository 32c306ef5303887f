import GesturedClient
import Manual
import Notation
import Protocol

extension Command {
    static let publish = Command(
        name: "publish", arguments: "TOPIC BODY|-", summary: "Send an event",
        details: """
            BODY is a JSON object; - reads bodies from standard input, one a line. Without --ack
            an event is sent once the daemon listens, and a refusal shows on rejected/SESSION;
            with --ack each is answered when what it settled is durable.
            """,
        options: [Option("--ack", nil, "send as requests, and wait for each to be durable")],
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
                "gesturectl publish gesture/alice/toss - < samples.jsonl",
                "send every line of a file as a sample"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.expect(["TOPIC", "BODY"])
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
    let publisher = try daemon { () throws(ClientError) in try context.connection.publisher() }
    func publish(_ bytes: [UInt8]) throws(Failure) {
        try daemon { () throws(ClientError) in
            try publisher.publish(topic: Array(topic.utf8), body: bytes)
        }
    }
    guard body == "-" else {
        try publish(Array(body.utf8))
        return
    }
    var lines = LineReader()
    while let line = try lines.next() {
        if !line.isEmpty { try publish(line) }
    }
}

private func publishAcknowledged(
    _ context: Context, topic: String, body: String
) throws(Failure) {
    guard body == "-" else {
        let reply = try context.request("publish", try fields(topic, Array(body.utf8), at: "BODY"))
        if reply["duplicate"]?.bool == true { Console.say("duplicate: it was applied before") }
        return
    }
    var lines = LineReader()
    var refused = 0
    let control = try daemon { () throws(ClientError) in try context.connection.control() }
    // In batches, so that nothing waits for a line that comes much later.
    var batch: [(number: Int, fields: [Node.Member])] = []
    func flush() throws(Failure) {
        let sent = batch
        batch = []
        try daemon { () throws(ClientError) in
            try control.pipeline("publish", sent.map(\.fields)) { place, result in
                guard case .failure(let error) = result else { return }
                refused += 1
                Console.say("line \(sent[place].number): \(error)")
            }
        }
    }
    while let line = try lines.next() {
        if line.isEmpty { continue }
        do throws(Failure) {
            let fields = try fields(topic, line, at: "standard input:\(lines.number)")
            batch.append((lines.number, fields))
        } catch {
            // What stands before a line that is none is sent, as it is without --ack.
            try flush()
            throw error
        }
        if batch.count == Control.unansweredMax || !lines.hasMoreWaiting { try flush() }
    }
    try flush()
    if refused > 0 { throw .daemon("\(refused) refused") }
}

private func fields(
    _ topic: String, _ body: [UInt8], at place: String
) throws(Failure) -> [Node.Member] {
    do throws(DocumentError) {
        return [
            Node.Member("topic", Node(.string(topic))),
            Node.Member("body", try Document.json(body)),
        ]
    } catch {
        throw .usage("\(place): \(error.message)")
    }
}
