import Commands
import GesturedClient
import Manual
import RecordingFiles
import Recordings

extension Command {
    static let replay = Command(
        name: "replay", arguments: "FILE", summary: "Play a recording to the daemon",
        details: """
            FILE is one of these, recognized by its content:
            \(RecordingFormat.all.map(\.title).joined(separator: ",\n")).
            The whole file is checked before the first event is sent; then each event is sent at
            its time. Captions and progress go to standard error. An interruption cancels the open
            contacts. docs/recordings.md explains the formats.
            """,
        options: [Option("--speed", "X", "the speed: 2 is twice as fast (default 1)")]
            + sourceOptions,
        examples: [
            ("gesturectl replay toss.jsonl --session alice", "play a recording to alice"),
            ("gesturectl replay --speed 0.25 toss.jsonl", "play it at a quarter of its speed"),
            (
                "gesturectl replay touch.events --component tips",
                "play a touchscreen's contacts to the tips, scaled to the viewport"
            ),
            (
                "gesturectl replay phone.txt --screen 480x800",
                "play a recording that lacks the size of its screen"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.requirePositionals(["FILE"])
        let source = try RecordingSource(context.arguments)
        let speed = try context.arguments.number("--speed", in: 0.001...1_000_000) ?? 1
        let publisher = try daemon { () throws(ClientError) in try context.connection.publisher() }
        let recording = try context.prepareReplay(source, publisher)
        try play(recording, speed: speed, to: publisher, context)
    }
}

private func play(
    _ recording: Recording, speed: Double, to publisher: Publisher, _ context: Context
) throws(Failure) {
    let watch = recording.events.isEmpty ? nil : context.watchRejections(of: recording)
    let player = Player(recording: recording, speed: speed) { topic, body throws(Failure) in
        try daemon { () throws(ClientError) in try publisher.publish(topic: topic, body: body) }
        watch?.countSent()
    } open: { event throws(Failure) in
        try context.open(event)
    } takeNotices: {
        watch?.takeNotices() ?? []
    }
    do throws(Failure) {
        try player.play()
        watch?.takeLastNotices().forEach(Console.printWarning)
    } catch {
        if case .interrupted = error { watch?.summary.map(Console.printWarning) }
        throw error
    }
    watch?.summary.map(Console.printWarning)
}
