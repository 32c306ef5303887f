import GesturedClient
import Manual
import ZeroMQ

extension Command {
    static let record = Command(
        name: "record", arguments: "FILE", summary: "Record what is published, with its times",
        details: """
            It stands between publishers and the daemon: they connect to its endpoint instead of
            the daemon's, and whatever comes goes on to the daemon and into FILE (- is standard
            output), a recording that replay and simulate take. Requests on the control socket do
            not pass here. It ends when it is interrupted; FILE is whole at any time.
            """,
        options: [
            Option("--bind", "EP", "where publishers connect (default tcp://127.0.0.1:7410)"),
            Option("--connect", "EP", "fetch from a publisher that binds, instead"),
            Option("--no-forward", nil, "send nothing on: the publishers reach the daemon too"),
            Option("--overwrite", nil, "even if FILE is there already"),
            Option("--for", "SECONDS", "end after so long"),
        ],
        examples: [
            ("gesturectl record mine.jsonl", "record what comes to the usual endpoint"),
            (
                "gesturectl --events tcp://127.0.0.1:7410 replay toss.jsonl",
                "in another terminal: played to the daemon, and recorded"
            ),
        ]
    ) { context throws(Failure) in try recordEvents(context) }
}

/// Events that are taken at the end, at most; and how long that may take.
private let drainMax = 100_000
private let drainTime = Duration.seconds(1)
/// After how long without an event everything that was on its way has come.
private let quietMilliseconds = 50

private func recordEvents(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    try arguments.expect(["FILE"])
    if arguments.has("--bind") && arguments.has("--connect") {
        throw .usage("--bind and --connect exclude each other")
    }
    let path = arguments.positionals[0]
    let seconds = try arguments.number("--for", in: 0...31_536_000)
    let end = seconds.map { ContinuousClock.now + .milliseconds(Int($0 * 1_000)) }
    let bind = arguments.values["--bind"] ?? "tcp://127.0.0.1:7410"
    if !arguments.has("--connect") {
        // libzmq would take a socket file away from who listens there.
        let isDaemons = bind == context.connection.endpoints.events
        if isDaemons || Endpoint.isListenedTo(bind) {
            throw .file("\(bind): Address already in use")
        }
    }
    let proxy = try daemon { () throws(ClientError) in
        try context.connection.proxy(forwards: !arguments.has("--no-forward"))
    }
    let endpoint = try daemon { () throws(ClientError) in
        if let publisher = arguments.values["--connect"] {
            return try proxy.listen(connecting: publisher)
        }
        return try proxy.listen(binding: bind)
    }
    // An endpoint that cannot be had leaves no file behind, and empties none.
    let file =
        try path == "-"
        ? OutputFile() : OutputFile(path, isNew: !arguments.has("--overwrite"))
    let signals = Signals(Signals.ends)
    // What still waits for the daemon is waited for no longer than until a second interruption.
    defer { signals.release() }
    var recorder = Recorder()
    try file.write(recorder.header)
    Console.say("recording what comes to \(endpoint)")
    defer { Console.say(recorder.summary) }
    func take(withinMilliseconds limit: Int) throws(Failure) -> Bool {
        let event = try daemon { () throws(ClientError) in
            try proxy.next(withinMilliseconds: limit)
        }
        if let event, let line = recorder.line(event, received: wallMilliseconds()) {
            try file.write(line)
        }
        return event != nil
    }
    var isStuck = false
    // What waits for the daemon is tried again in a while: nothing tells when it can go on.
    while signals.next(within: isStuck ? .milliseconds(10) : .zero) == nil {
        if let end, end <= .now { break }
        _ = try take(withinMilliseconds: 50)
        let wasStuck = isStuck
        isStuck = try daemon { () throws(ClientError) in try !proxy.forward() }
        if isStuck && !wasStuck { Console.say("the daemon takes nothing; its events wait") }
    }
    // What publishers have handed over already is theirs no more: it is taken, as long as that
    // is bounded, or a publisher that never rests would never let it end.
    let last = ContinuousClock.now + drainTime
    var drained = 0
    while drained < drainMax, .now < last,
        signals.next(within: isStuck ? .milliseconds(10) : .zero) == nil
    {
        if !isStuck {
            guard try take(withinMilliseconds: quietMilliseconds) else { return }
            drained += 1
        }
        isStuck = try daemon { () throws(ClientError) in try !proxy.forward() }
    }
}
