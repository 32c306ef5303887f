import GesturedClient
import Manual
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
        let publisher = try daemon { () throws(ClientError) in try context.connection.publisher() }
        let recording = try context.stage(source, publisher)
        try play(recording, speed: speed, to: publisher, context)
    }
}

private func play(
    _ recording: Recording, speed: Double, to publisher: Publisher, _ context: Context
) throws(Failure) {
    let watch = recording.events.isEmpty ? nil : context.rejectionLog(of: recording)
    let player = Player(recording: recording, speed: speed) { topic, body throws(Failure) in
        try daemon { () throws(ClientError) in try publisher.publish(topic: topic, body: body) }
        watch?.countSent()
    } news: {
        watch?.news() ?? []
    }
    do throws(Failure) {
        try player.play()
        watch?.lastNews().forEach(Console.warn)
    } catch {
        if case .interrupted = error { watch?.summary.map(Console.warn) }
        throw error
    }
    watch?.summary.map(Console.warn)
}
