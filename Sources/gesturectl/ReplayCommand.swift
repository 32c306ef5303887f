import Client
import Manual
import Notation
import Recordings

extension Command {
    static let replay = Command(
        name: "replay", arguments: "FILE", summary: "Play a recording to the daemon",
        details: """
            FILE is a recording of this project's (JSON Lines), of evemu, of getevent -t, contacts
            as CSV, a wheel log or a $1 stroke: its content tells which. It is read and checked
            whole before the first event goes out; then events go out in their own time. Captions
            and the progress are told on standard error. Interrupted, what is down is cancelled.
            docs/recordings.md tells what becomes what.
            """,
        options: [Option("--speed", "X", "so many times as fast (default 1)")] + sourceOptions,
        examples: [
            ("gesturectl replay toss.jsonl --session alice", "play a recording to alice"),
            ("gesturectl replay --speed 0.25 toss.jsonl", "play it at a quarter of its speed"),
            (
                "gesturectl replay touch.events --component tips",
                "a touchscreen's, on the tips, as large as their viewport"
            ),
            (
                "gesturectl replay phone.txt --screen 480x800",
                "a recording that does not tell how large its screen is"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.expect(["FILE"])
        let source = try Source(context.arguments)
        let speed = try context.arguments.number("--speed", in: 0.001...1_000_000) ?? 1
        let reading = try source.read { () throws(Failure) in
            source.options.scene == nil
                ? try context.viewport(of: source.options.session ?? "demo")
                : source.viewport(of: try scenesToName(context.arguments))
        }
        let recording = reading.recording.openingSessions()
        let publisher = try daemon { () throws(ClientError) in try context.connection.publisher() }
        try Player(recording: recording, speed: speed).play(to: publisher)
    }
}

extension Context {
    /// The viewport of a session's scene; nil where the daemon has no such session.
    func viewport(of session: String) throws(Failure) -> (width: Double, height: Double)? {
        try scene(of: session).flatMap { pair($0["viewport"]) }
    }

    /// The scene of an open session, as its export tells it; nil where there is none.
    func scene(of session: String) throws(Failure) -> Node? {
        do throws(ClientError) {
            let reply = try connection.control().request(
                "export", [Node.Member("session", Node(.string(session)))])
            return reply["document"]?["scene"]
        } catch {
            // No session, or one too large to be exported: what is asked for can do without.
            if case .refused = error { return nil }
            throw Failure(error)
        }
    }
}
