import Client
import Manual
import Notation
import Simulation
import Wire

extension Command {
    static let replay = Command(
        name: "replay", arguments: "FILE", summary: "Play a recording or a stroke to the daemon",
        details: """
            FILE is a recording (JSON Lines), or one stroke of the $1 gesture set (ends in .xml),
            which becomes a pan, as large as fits into the viewport. Events go out in their own
            time; captions and the progress are told on standard error.
            """,
        options: [
            Option("--speed", "X", "so many times as fast (default 1)"),
            Option("--session", "SESSION", "play it to this session (a stroke: default demo)"),
            Option("--component", "C", "a stroke: to this component (default toss)"),
            Option("--viewport", "WxH", "a stroke: the viewport (default 320x568)"),
        ],
        examples: [
            ("gesturectl replay toss.jsonl --session alice", "play a recording to alice"),
            ("gesturectl replay --speed 0.25 toss.jsonl", "play it at a quarter of its speed"),
            (
                "gesturectl replay star01.xml --component toss --viewport 390x844",
                "drag the toss along a stroke of the $1 gesture set"
            ),
        ]
    ) { context throws(Failure) in
        try context.arguments.expect(["FILE"])
        let recording = try playable(context.arguments)
        let speed = try context.arguments.number("--speed", in: 0.001...1_000_000) ?? 1
        let publisher = try daemon { () throws(ClientError) in try context.connection.publisher() }
        try Player(recording: recording, speed: speed).play(to: publisher)
    }
}

/// The file's events as they shall be played: read whole, before the first is sent.
func playable(_ arguments: Arguments) throws(Failure) -> Recording {
    let file = arguments.positionals[0]
    let session = arguments.values["--session"]
    for name in [session, arguments.values["--component"]].compactMap(\.self) {
        guard Name.isValid(name) else {
            throw .usage("'\(name)' is no name: 1 to 64 bytes of A-Z a-z 0-9 . _ ~ -")
        }
    }
    let viewport = try viewport(arguments)
    let bytes = try readFile(file)
    do throws(RecordingError) {
        if file.hasSuffix(".xml") {
            let stroke = try Stroke(parsing: bytes, file: file)
            return stroke.recording(
                session: session ?? "demo", component: arguments.values["--component"] ?? "toss",
                viewport: viewport)
        }
        let recording = try Recording(parsing: bytes, file: file)
        return (session.map(recording.moved(to:)) ?? recording).openingSessions()
    } catch {
        throw .file(error.description)
    }
}

private func viewport(_ arguments: Arguments) throws(Failure) -> (width: Double, height: Double) {
    guard let text = arguments.values["--viewport"] else { return (320, 568) }
    let sides = text.split(separator: "x").compactMap { Double($0) }
    guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 <= 1_000_000 }) else {
        throw .usage("--viewport must be WxH in points, as 320x568, not '\(text)'")
    }
    return (sides[0], sides[1])
}

extension Recording {
    /// The session of an event's topic, and what stands around it.
    private static func parts(_ topic: [UInt8]) -> [ArraySlice<UInt8>] {
        topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// The same events for one session, whatever sessions they were for.
    func moved(to session: String) -> Recording {
        var moved = self
        for index in events.indices {
            var parts = Self.parts(events[index].topic)
            guard parts.count > 1 else { continue }
            parts[1] = ArraySlice(session.utf8)
            moved.events[index].topic = Array(parts.joined(separator: [UInt8(ascii: "/")]))
        }
        return moved
    }

    /// The same events, each session opened with the header's scene before its first, as a
    /// simulation of the recording opens it.
    func openingSessions() -> Recording {
        guard let scene else { return self }
        var opened = self
        opened.events = []
        opened.captions = []
        var sessions: Set<[UInt8]> = []
        var captions = captions[...]
        for (index, event) in events.enumerated() {
            while let caption = captions.first, caption.eventsBefore <= index {
                opened.captions.append(captions.removeFirst().moved(to: opened.events.count))
            }
            let parts = Self.parts(event.topic)
            // A recording that begins with a session's own command opens it itself.
            let isOwn = parts.count == 2 && parts[0].elementsEqual("command".utf8)
            if parts.count > 1, sessions.insert(Array(parts[1])).inserted, !isOwn {
                let body = Node(
                    .object([
                        Node.Member("command", Node(.string("open"))), Node.Member("scene", scene),
                    ]))
                opened.events.append(
                    Event(
                        time: event.time, topic: Array("command/".utf8) + parts[1],
                        body: body.json(), line: event.line))
            }
            opened.events.append(event)
        }
        opened.captions += captions.map { $0.moved(to: opened.events.count) }
        return opened
    }
}

extension Recording.Caption {
    /// The same words after another number of events.
    func moved(to eventsBefore: Int) -> Recording.Caption {
        var moved = self
        moved.eventsBefore = eventsBefore
        return moved
    }
}
