import Client
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

            Examples:
              gesturectl replay tour.jsonl                    play it in its own time
              gesturectl replay tour.jsonl --session bob      to another session
              gesturectl replay touch.events --component tips a touchscreen's, on the tips
              gesturectl replay phone.txt --screen 480x800    one that does not tell its screen
            """,
        options: [Option("--speed", "X", "so many times as fast (default 1)")] + sourceOptions
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
