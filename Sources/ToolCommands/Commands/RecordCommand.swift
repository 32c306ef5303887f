import Commands
import GesturedClient
import Manual
import Notation
import ZeroMQ

extension Command {
    static let record = Command(
        name: "record", arguments: "FILE", summary: "Record what is published, with its times",
        details: """
            Publishers connect to this command instead of the daemon. It forwards every event to the
            daemon and writes it to FILE (- is standard output), a recording for replay and
            simulate. The recording carries the scene of each session, as the daemon has it at the
            session's first event, so that it plays the same elsewhere. Standard error says where a
            scene is missing. It does not see requests on the control socket. An interruption ends
            it; FILE is complete from its first event on.
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
private func source(_ context: Commands.Context) throws(Failure) -> (
    bind: String, publisherKey: String?
) {
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
            throw .file(
                "\(bind): Address already in use: a daemon or another record listens there; name "
                    + "another endpoint by --bind")
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

private func recordEvents(_ context: Commands.Context) throws(Failure) {
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
    var recording = RecordingLines(proxy: proxy, scenes: try SceneLookup(context))
    Console.printError("recording events from \(endpoint)")
    defer { Console.printError("\(recording.recorder.summary)") }
    var isStuck = false
    var wait = ForwardingWait()
    // Nothing reports when the daemon can accept more, so forwarding is tried again.
    while signals.next(within: isStuck ? .milliseconds(10) : .zero) == nil {
        if let end, end <= .now { break }
        if let lines = try recording.next(withinMilliseconds: 50) {
            try file.write(ShownJSON(lines: lines))
        }
        isStuck = try daemon { () throws(ClientError) in try !proxy.forward() }
        if wait.isWorthSaying(isStuck: isStuck, at: .now) {
            Console.printError("the daemon accepts nothing; events wait")
        }
    }
    // Read what publishers have sent already, within bounds: some never pause.
    let last = ContinuousClock.now + drainTime
    var drained = 0
    while drained < drainMax, .now < last,
        signals.next(within: isStuck ? .milliseconds(10) : .zero) == nil
    {
        if !isStuck {
            let lines = try recording.next(withinMilliseconds: quietMilliseconds)
            guard let lines else { break }
            try file.write(ShownJSON(lines: lines))
            drained += 1
        }
        isStuck = try daemon { () throws(ClientError) in try !proxy.forward() }
    }
    try file.write(ShownJSON(lines: recording.head()))
}

/// The lines of the recording as it grows: each event with the scene that it needs.
private struct RecordingLines {
    let proxy: Proxy
    var scenes: SceneLookup
    private(set) var recorder = Recorder()
    private var isBegun = false

    init(proxy: Proxy, scenes: SceneLookup) {
        self.proxy = proxy
        self.scenes = scenes
    }

    /// The header, once. It has the first session's scene, so it waits for that.
    mutating func head() -> [UInt8] {
        guard !isBegun else { return [] }
        isBegun = true
        return recorder.header
    }

    /// The lines of the next event, none where it cannot be recorded; nil: no event came.
    mutating func next(withinMilliseconds limit: Int) throws(Failure) -> [UInt8]? {
        let event = try daemon { () throws(ClientError) in
            try proxy.next(withinMilliseconds: limit)
        }
        guard let event else { return nil }
        let received = wallMilliseconds()
        guard let need = recorder.need(of: event) else {
            let line = recorder.line(event, received: received) ?? []
            return head() + line
        }
        // The event may open the session.
        let isTaken = try daemon { () throws(ClientError) in try proxy.forward() }
        let scene = isTaken ? try scenes.scene(for: need) : nil
        let lines = recorder.lines(event, received: received, need, scene) ?? []
        return head() + lines
    }
}

/// Asks the daemon for the scenes of sessions, beside the events that pass.
private struct SceneLookup {
    /// How long one session, and all together, may hold events back until the daemon has opened it.
    private static let sessionMax = Duration.milliseconds(300)
    private static let allMax = Duration.seconds(3)
    /// How long one request may take; then no daemon is asked any more.
    private static let answerMilliseconds = 1_000

    private let connection: Connection
    private var control: Control?
    private var patience = Self.allMax
    private var isAnswered = true
    /// Sessions whose missing scenes were told.
    private var told = 0
    private static let toldMax = 10

    /// Its own timeout: events must not wait as long as a person would for an answer.
    init(_ context: Commands.Context) throws(Failure) {
        connection = try daemon { () throws(ClientError) in
            try Connection(
                to: context.connection.endpoints,
                timeoutMilliseconds: Self.answerMilliseconds, keys: context.connection.keys)
        }
    }

    /// The scene of a session; nil where the daemon gives none, which standard error says.
    mutating func scene(for need: Recorder.Need) throws(Failure) -> Node? {
        guard isAnswered else { return nil }
        let began = ContinuousClock.now
        defer { patience -= min(patience, .now - began) }
        let end = began + min(Self.sessionMax, patience)
        while true {
            let scene: Node?
            let reason: ShownText
            var isFinal = false
            do throws(ClientError) {
                scene = try export(need.session)
                reason = "its export has none"
            } catch {
                guard case .refused(let code, _) = error else {
                    isAnswered = false
                    Console.printWarning("no daemon answers: the recording names no scenes")
                    return nil
                }
                scene = nil
                reason = "\(error)"
                isFinal = code == "too-large"
            }
            if let scene, need.name == nil || scene["name"]?.string == need.name { return scene }
            if isFinal || .now >= end {
                if scene == nil { tellMissing(need.session, reason) }
                return scene
            }
            Pause.wait(.milliseconds(5))
        }
    }

    private mutating func export(_ session: String) throws(ClientError) -> Node? {
        if control == nil { control = try connection.control() }
        let reply = try control?.request(
            "export", [Node.Member("session", Node(.string(session)))])
        return reply?["document"]?["scene"]
    }

    private mutating func tellMissing(_ session: String, _ reason: ShownText) {
        told += 1
        guard told <= Self.toldMax else { return }
        Console.printWarning(
            "the scene of session \(session) is missing in the recording: \(reason)")
    }
}
