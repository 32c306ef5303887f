import GesturedClient
import Manual
import ZeroMQ

extension Command {
    static let record = Command(
        name: "record", arguments: "FILE", summary: "Record what is published, with its times",
        details: """
            Publishers connect to this command instead of the daemon. It forwards every event to the
            daemon and writes it to FILE (- is standard output), a recording for replay and
            simulate. It does not see requests on the control socket. An interruption ends it; FILE
            is complete at any time.
            """,
        options: [
            Option("--bind", "EP", "where publishers connect (default tcp://127.0.0.1:7410)"),
            Option("--connect", "EP", "connect to a publisher that binds, instead"),
            Option("--publisher-key", "KEY|FILE", "with --connect: that publisher's public key"),
            Option("--no-forward", nil, "do not forward: the publishers reach the daemon too"),
            Option("--overwrite", nil, "replace FILE if it exists"),
            Option("--for", "SECONDS", "end after this time"),
        ],
        examples: [
            ("gesturectl record mine.jsonl", "record events that come to the default endpoint"),
            (
                "gesturectl --events tcp://127.0.0.1:7410 replay toss.jsonl",
                "in another terminal: play to the daemon, and record that"
            ),
        ]
    ) { context throws(Failure) in try recordEvents(context) }
}

/// The bounds of reading what is still on its way after an interruption.
private let drainMax = 100_000
private let drainTime = Duration.seconds(1)
/// A pause after which nothing is on its way any more.
private let quietMilliseconds = 50

/// The endpoint for publishers that connect, and the key of one that binds, checked.
private func source(_ context: Context) throws(Failure) -> (bind: String, publisherKey: String?) {
    let arguments = context.arguments
    let bind = arguments.values["--bind"] ?? "tcp://127.0.0.1:7410"
    if !arguments.has("--connect") {
        if !Endpoint.isOfThisMachine(bind) {
            Console.printWarning("\(bind): publishers of other machines come in without a key")
        }
        // libzmq would take over the socket file of a program that listens there.
        let endpoints = context.connection.endpoints
        let isDaemons = [endpoints.events, endpoints.eventsTaker].contains(bind)
        if isDaemons || Endpoint.isListenedTo(bind) {
            throw .file("\(bind): Address already in use")
        }
    }
    if arguments.has("--publisher-key") {
        guard arguments.has("--connect"), context.connection.keys != nil else {
            throw .usage("--publisher-key needs --connect and --key")
        }
    }
    let publisherKey = try arguments.values["--publisher-key"].map { (text) throws(Failure) in
        try daemon { () throws(ClientError) in try ClientKeys.serverKey(text) }
    }
    return (bind, publisherKey)
}

private func recordEvents(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    try arguments.requirePositionals(["FILE"])
    if arguments.has("--bind") && arguments.has("--connect") {
        throw .usage("--bind and --connect exclude each other")
    }
    let path = arguments.positionals[0]
    let seconds = try arguments.number("--for", in: 0...31_536_000)
    let end = seconds.map { ContinuousClock.now + .milliseconds(Int($0 * 1_000)) }
    let (bind, publisherKey) = try source(context)
    if !arguments.has("--no-forward") { try context.requireDaemon() }
    let proxy = try daemon { () throws(ClientError) in
        try context.connection.proxy(forwards: !arguments.has("--no-forward"))
    }
    let endpoint = try daemon { () throws(ClientError) in
        if let publisher = arguments.values["--connect"] {
            return try proxy.listen(connecting: publisher, publisherKey: publisherKey)
        }
        return try proxy.listen(binding: bind)
    }
    // Bound first, so that a taken endpoint neither creates nor empties a file.
    let file =
        try path == "-"
        ? OutputFile() : OutputFile(path, isNew: !arguments.has("--overwrite"))
    let signals = InterruptSignals(InterruptSignals.ends)
    // From here a second interruption ends the process at once.
    defer { signals.unblock() }
    var recorder = Recorder()
    try file.write(ShownJSON(lines: recorder.header))
    Console.printError("recording events from \(endpoint)")
    defer { Console.printError("\(recorder.summary)") }
    func recordNext(withinMilliseconds limit: Int) throws(Failure) -> Bool {
        let event = try daemon { () throws(ClientError) in
            try proxy.next(withinMilliseconds: limit)
        }
        if let event, let line = recorder.line(event, received: wallMilliseconds()) {
            try file.write(ShownJSON(lines: line))
        }
        return event != nil
    }
    var isStuck = false
    // Nothing reports when the daemon can accept more, so forwarding is tried again.
    while signals.next(within: isStuck ? .milliseconds(10) : .zero) == nil {
        if let end, end <= .now { break }
        _ = try recordNext(withinMilliseconds: 50)
        let wasStuck = isStuck
        isStuck = try daemon { () throws(ClientError) in try !proxy.forward() }
        if isStuck && !wasStuck { Console.printError("the daemon accepts nothing; events wait") }
    }
    // Read what publishers have sent already, within bounds: some never pause.
    let last = ContinuousClock.now + drainTime
    var drained = 0
    while drained < drainMax, .now < last,
        signals.next(within: isStuck ? .milliseconds(10) : .zero) == nil
    {
        if !isStuck {
            guard try recordNext(withinMilliseconds: quietMilliseconds) else { return }
            drained += 1
        }
        isStuck = try daemon { () throws(ClientError) in try !proxy.forward() }
    }
}
