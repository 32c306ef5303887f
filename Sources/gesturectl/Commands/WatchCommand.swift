import GesturedClient
import Glibc
import Manual

extension Command {
    static let watch = Command(
        name: "watch", arguments: "[PREFIX…]", summary: "Show what is, then all that changes",
        details: """
            Shows the topics that begin with one of the prefixes; without one, all. A prefix that
            names a session, as state/alice, has its snapshot shown first; a broad one those of
            all open sessions. Missed updates and restarts are told on standard error, also when
            nothing is heard of the daemon any more, and when it is back; it is waited for.
            Interrupted, it ends with status 0.

            With --draw the words are a SESSION (the only one, if none is named) and perhaps some
            of its components, whose views are drawn on the terminal as they move: edges by dots,
            the fainter the fewer, in the color of their component.
            """,
        options: [
            Option("--json", nil, "one {\"topic\",\"body\"} a line"),
            Option("--count", "N", "end after so many updates"),
            Option("--for", "SECONDS", "end after so long"),
            Option(
                "--draw", nil, "draw a session's views, up to 30 times a second",
                arguments: "[SESSION] [COMPONENT…]"),
            Option("--frames", "N", "with --draw: print so many frames, as text"),
            Option("--size", "CxR", "with --draw: columns and rows (default the terminal's)"),
        ],
        examples: [
            ("gesturectl watch state/alice badge/alice", "follow alice's views and counts"),
            ("gesturectl watch --count 1 heartbeat", "wait for a sign of life, then end"),
            ("gesturectl watch --json state/ > frames.jsonl", "keep the states of all sessions"),
            ("gesturectl watch --draw alice", "see what alice sees"),
            ("gesturectl watch --draw alice toss --frames 1", "print one frame of one component"),
        ]
    ) { context throws(Failure) in
        if context.arguments.has("--draw") {
            var drawing = try DrawSession(context)
            try drawing.run()
            return
        }
        for name in ["--frames", "--size"] where context.arguments.has(name) {
            throw .usage("\(name) is for --draw")
        }
        try watchUpdates(context)
    }
}

private func watchUpdates(_ context: Context) throws(Failure) {
    let arguments = context.arguments
    var left = try arguments.whole("--count", in: 1...1_000_000_000) ?? .max
    let seconds = try arguments.number("--for", in: 0...31_536_000)
    let end = seconds.map { ContinuousClock.now + .milliseconds(Int($0 * 1_000)) }
    endQuietlyWhenInterrupted()
    let prefixes = arguments.positionals.isEmpty ? [""] : arguments.positionals
    let subscriber = try daemon { () throws(ClientError) in
        // Whoever wants no beats is told all the same when they fail to come.
        try context.connection.subscriber(to: prefixes + ["heartbeat"])
    }
    let source = context.connection.endpoints.updates
    var vigil = Vigil()
    var isJoined = false
    while left > 0 {
        let rest = end.map { max(0, Int(($0 - .now) / .milliseconds(1)) + 1) } ?? .max
        if let end, end <= .now { return }
        let event: Subscriber.Event?
        do throws(ClientError) {
            event = try subscriber.next(withinMilliseconds: min(rest, Vigil.waitMilliseconds))
        } catch .noAnswer(let endpoint, let milliseconds) where isJoined {
            // It was there before: it is waited for, as long as the person likes.
            if vigil.refused() != nil {
                let error = ClientError.noAnswer(endpoint: endpoint, milliseconds: milliseconds)
                Console.say("\(error); waiting")
            }
            continue
        } catch {
            throw Failure(error)
        }
        isJoined = true
        switch event == nil ? vigil.waitedInVain() : vigil.heard() {
        case .silent:
            let seconds = Vigil.waitsMax * Vigil.waitMilliseconds / 1_000
            Console.say("\(source): nothing heard for \(seconds) s; waiting")
        case .back: Console.say("\(source): heard again")
        case nil: break
        }
        switch event {
        case .update(let update):
            guard prefixes.contains(where: { update.topic.hasPrefix($0) }) else { continue }
            try Console.line(
                arguments.has("--json") ? jsonLine(update) : readableLine(update, .output))
            left -= 1
        case .gap(let topic, let missed):
            Console.say("\(topic): \(missed) missed")
        case .restarted(let topic, let from, let to):
            Console.say("\(topic): began anew (epoch \(from), now \(to))")
        case nil: break
        }
    }
}

/// Nothing is buffered, so an interruption may end the process where it stands.
func endQuietlyWhenInterrupted() {
    signal(SIGINT) { _ in _exit(0) }
    signal(SIGTERM) { _ in _exit(0) }
    // Who starts us may have blocked them; what is blocked is inherited.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
