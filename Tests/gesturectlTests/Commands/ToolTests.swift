import ClientSupport
import Foundation
import GesturedClient
import Glibc
import Notation
import Protocol
import Recordings
import TestSupport
import Testing

/// How a run of the tool ended, and all that it said.
private struct Ended {
    var status: Int32
    var output: String
    var errors: String
}

/// gesturectl as a process of its own.
private struct Tool {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()

    /// Starts it, speaking to a daemon if one is given; `stdin` is all that it can read.
    init(
        _ arguments: [String], to daemon: FakeDaemon? = nil, stdin: String = "",
        outputIsClosed: Bool = false
    ) throws {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: test).deletingLastPathComponent()
            .appendingPathComponent("gesturectl")
        process.arguments = arguments
        process.environment = daemon.map {
            [
                "GESTURED_EVENTS": $0.endpoints.events, "GESTURED_UPDATES": $0.endpoints.updates,
                "GESTURED_CONTROL": $0.endpoints.control,
            ]
        }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        if outputIsClosed { try output.fileHandleForReading.close() }
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(stdin.utf8))
        try input.fileHandleForWriting.close()
        self.outputIsClosed = outputIsClosed
    }

    private let outputIsClosed: Bool

    func end() throws -> Ended {
        let said = try outputIsClosed ? nil : output.fileHandleForReading.readToEnd()
        let complained = try errors.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return Ended(
            status: process.terminationStatus,
            output: String(decoding: said ?? Data(), as: UTF8.self),
            errors: String(decoding: complained ?? Data(), as: UTF8.self))
    }
}

private func run(
    _ arguments: String..., to daemon: FakeDaemon? = nil, stdin: String = "",
    outputIsClosed: Bool = false
) throws -> Ended {
    try Tool(arguments, to: daemon, stdin: stdin, outputIsClosed: outputIsClosed).end()
}

private func example(_ name: String) -> String {
    repositoryURL("Examples/recordings/\(name)").path
}

/// One process at a time is enough for a small machine.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ToolTests {
    @Test func repliesArePrintedAsLinesOrAsJSON() throws {
        let daemon = try FakeDaemon { request in
            request["op"]?.string == "hello"
                ? .ok(#","name":"gestured","limits":{"topic":200}"#) : .refuse("unknown-op")
        }
        defer { daemon.stop() }
        let lines = try run("hello", to: daemon)
        #expect(lines.status == 0)
        #expect(lines.output == "name gestured\nlimits.topic 200\n")
        #expect(lines.errors.isEmpty)
        let json = try run("--timeout", "4", "hello", "--json", to: daemon)
        let reply = try Document.json(Array(json.output.utf8))
        #expect(reply["limits"]?["topic"]?.int == 200)
    }

    @Test func aRefusalEndsWithItsCode() throws {
        let daemon = try FakeDaemon { _ in .refuse("unknown-session") }
        defer { daemon.stop() }
        let ended = try run("close", "bob", to: daemon)
        #expect(ended.status == 1)
        #expect(ended.output.isEmpty)
        #expect(ended.errors == "gesturectl: unknown-session: no\n")
    }

    @Test func aSceneFileGoesOverAsAnObject() throws {
        let daemon = try FakeDaemon { _ in .ok(#","created":true,"epoch":"d.7""#) }
        defer { daemon.stop() }
        let file = repositoryURL("config/scenes/phone.toml").path
        let ended = try run("open", "bob", file, to: daemon)
        #expect(ended.output == "bob opened, epoch d.7\n")
        let scene = daemon.seen.requests.first?["scene"]
        #expect(scene?["viewport"]?.array?.compactMap(\.int) == [320, 568])
        #expect(try run("open", "bob", to: daemon).status == 0)
        #expect(daemon.seen.requests.last?["scene"]?.string == "phone")
    }

    @Test func anEventThatOpenedItsSessionSaysSo() throws {
        let daemon = try FakeDaemon { request in
            .ok(request["topic"]?.string?.contains("/alicia/") == true ? #","created":true"# : "")
        }
        defer { daemon.stop() }
        for (session, input) in [("alicia", "{}"), ("alicia", "-"), ("alice", "{}")] {
            let ended = try run(
                "publish", "command/\(session)/t", input, "--ack", to: daemon,
                stdin: "{\"command\":\"reset\"}\n")
            let isNew = session == "alicia"
            #expect(ended.status == 0)
            #expect(
                ended.errors.contains(
                    "created: there was no session alicia, and this event opened it") == isNew,
                "\(session) \(input): \(ended.errors)")
        }
    }

    /// In a file of events, the samples of one contact repeat its hit.
    @Test func aGestureSaysWhatItHits() throws {
        let hits = [
            #"{"component":"c","view":"row-1"}"#, #"{"component":"c","view":null}"#, "null",
        ]
        let daemon = try FakeDaemon { .ok(#","hit":"# + hits[$0["body"]?["n"]?.int ?? 0]) }
        defer { daemon.stop() }
        for (n, line) in ["hit c/row-1\n", "hit c\n", "hit nothing\n"].enumerated() {
            let ended = try run("publish", "--ack", "gesture/a", #"{"n":\#(n)}"#, to: daemon)
            #expect(ended.output == line)
        }
        let samples = [0, 0, 1, 1, 2].map { "{\"n\":\($0)}\n" }.joined()
        let ended = try run("publish", "--ack", "gesture/a", "-", to: daemon, stdin: samples)
        #expect(ended.output == "hit c/row-1\nhit c\nhit nothing\n")
    }

    @Test func badUsageAndBadFilesEndWithTwo() throws {
        for arguments in [
            [], ["hullo"], ["watch", "--count", "0"], ["close"], ["hello", "--control", "tcp:x"],
            ["replay", "/nowhere/x.jsonl"], ["replay", "x", "--session", "a/b"],
            ["replay", "x.xml", "--viewport", "3"], ["publish", "--ack", "a/b", "{"],
            ["convert"], ["convert", "x", "--screen", "1x1"], ["convert", "x", "--scale", "0"],
            ["convert", "x", "--device", "/nowhere/y"], ["simulate", "x", "--scene", "y.toml"],
            ["record"], ["watch", "nonsense"], ["record", "x", "--bind", "a", "--connect", "b"],
            ["watch", "--frames", "1"], ["watch", "--draw", "s", "--count", "1"],
        ] {
            let ended = try Tool(arguments).end()
            #expect(ended.status == 2, "\(arguments)")
            #expect(ended.output.isEmpty)
            #expect(ended.errors.hasPrefix("gesturectl: "), "\(arguments): \(ended.errors)")
        }
    }

    @Test func helpIsACommandToo() throws {
        for words in [[], ["watch"]] {
            let ended = try Tool(["help"] + words).end()
            #expect(ended.status == 0 && !ended.output.isEmpty)
            #expect(try ended.output == Tool(words + ["--help"]).end().output)
        }
    }

    @Test func linesOfStandardInputAreEvents() async throws {
        let daemon = try FakeDaemon()
        defer { daemon.stop() }
        let bodies = (0..<300).map { #"{"kind":"likes","add":\#($0)}"# }
        let ended = try run(
            "publish", "notification/a", "-", to: daemon, stdin: bodies.joined(separator: "\n"))
        #expect(ended.status == 0)
        #expect(await eventually { daemon.seen.events.count == bodies.count })
        #expect(daemon.seen.events == bodies.map { Said("notification/a", $0) })
    }

    /// A topic, a body, and the code with which the daemon would refuse the event.
    @Test(arguments: [
        ("nonsense/a", #"{"kind":"likes"}"#, "bad-topic"), ("notification/a", "{", "bad-json"),
        ("notification/a", "{}", "missing-field"),
        ("gesture/a/b", #"{"gesture":"wave"}"#, "unknown-gesture"),
    ])
    func anEventThatCannotBeValidIsNotSent(topic: String, body: String, code: String) throws {
        let daemon = try FakeDaemon()
        defer { daemon.stop() }
        let ended = try run("publish", topic, body, to: daemon)
        #expect(ended.status == 1)
        #expect(ended.errors.hasPrefix("gesturectl: not sent: \(code): "), "\(ended.errors)")
        #expect(daemon.seen.events.isEmpty)
    }

    @Test func invalidLinesAreNamedAndTheOthersSent() async throws {
        let daemon = try FakeDaemon()
        defer { daemon.stop() }
        let good = #"{"kind":"likes"}"#
        let ended = try run(
            "publish", "notification/a", "-", to: daemon, stdin: "\(good)\n{}\n\(good)\n")
        #expect(ended.status == 1)
        #expect(ended.errors.hasPrefix("line 2: not sent: missing-field: "))
        #expect(ended.errors.hasSuffix("gesturectl: 1 not sent\n"))
        #expect(await eventually { daemon.seen.events.count == 2 })
    }

    @Test func boundsFollowTheCountersOnlyWhereAskedFor() throws {
        let daemon = try FakeDaemon { _ in
            .ok(#","stats":{"limit_a":9,"events":1,"latency_us_max":2}"#)
        }
        defer { daemon.stop() }
        #expect(try run("stats", to: daemon).output == "events 1\nlatency_us_max 2\n")
        #expect(
            try run("stats", "--limits", to: daemon).output
                == "events 1\nlatency_us_max 2\nlimit_a 9\n")
    }

    @Test func countersStandInGroupsForAPerson() throws {
        let daemon = try FakeDaemon { _ in
            .ok(
                #","stats":{"limit_a":9000,"events":1234567,"sessions":-12345,"events_unhit":2,"#
                    + #""uptime_ms":1000}"#)
        }
        defer { daemon.stop() }
        #expect(
            try run("stats", "--groups", "--limits", to: daemon).output == """
                the daemon
                  uptime_ms         1,000

                events
                  events        1,234,567
                  events_unhit          2

                sessions
                  sessions        -12,345

                bounds
                  limit_a           9,000

                """)
    }

    @Test func sessionsHaveTheirStatesAndScenes() throws {
        let daemon = try FakeDaemon { request in
            request["after"] == nil
                ? .ok(
                    #","sessions":["al","berta"],"entries":[{"session":"al","state":"open","#
                        + #""scene":"phone"},{"session":"berta","state":"parked","scene":"dock"}],"#
                        + #""next":"berta""#)
                : .ok(
                    #","sessions":["cleo"],"entries":[{"session":"cleo","state":"open","#
                        + #""scene":null}],"next":null"#)
        }
        defer { daemon.stop() }
        let lines = try run("sessions", to: daemon)
        #expect(
            lines.output == "al     in memory  phone\nberta  parked     dock\ncleo   in memory\n")
        #expect(daemon.seen.requests.allSatisfy { $0["detail"]?.bool == true })
        let json = try run("sessions", "--json", to: daemon).output.split(separator: "\n")
        #expect(json.first == #"{"session":"al","state":"open","scene":"phone"}"#)
        #expect(json.count == 3)
    }

    @Test func withoutADaemonACommandSaysHowToStartOne() throws {
        let ended = try run(
            "hello", "--timeout", "0.05", "--control", "ipc:///nowhere/c", "--updates",
            "ipc:///nowhere/u", "--events", "ipc:///nowhere/e")
        #expect(ended.status == 1)
        #expect(
            ended.errors == """
                gesturectl: no daemon listens at ipc:///nowhere/c
                Start one with 'systemctl start gestured', or with 'gestured --config FILE'.

                """)
    }

    @Test func refusedLinesAreNamed() throws {
        let daemon = try FakeDaemon { request in
            request["body"]?["n"]?.int == 1 ? .refuse("busy") : .ok()
        }
        defer { daemon.stop() }
        let ended = try run(
            "publish", "--ack", "gesture/a/b", "-", to: daemon,
            stdin: "{\"n\":0}\n\n{\"n\":1}\n{\"n\":2}\n")
        #expect(ended.status == 1)
        #expect(ended.errors == "line 3: busy: no\ngesturectl: 1 refused\n")
        #expect(daemon.seen.requests.compactMap { $0["body"]?["n"]?.int } == [0, 1, 2])
    }

    @Test func linesBeforeOneThatIsNoJSONAreSent() throws {
        let daemon = try FakeDaemon { _ in .ok() }
        defer { daemon.stop() }
        let ended = try run(
            "publish", "--ack", "gesture/a/b", "-", to: daemon,
            stdin: "{\"n\":0}\n{\"n\":1}\n{\n{\"n\":2}\n")
        #expect(ended.status == 2)
        let errors = ended.errors.split(separator: "\n").map(String.init)
        #expect(errors.first == "gesturectl: standard input:3: not JSON", "it stutters")
        #expect(daemon.seen.requests.compactMap { $0["body"]?["n"]?.int } == [0, 1])
    }

    @Test func watchEndsAfterItsCount() throws {
        let daemon = try FakeDaemon { _ in
            .snapshot(
                [.update("state/a/x", 1, #","phase":"resting""#), .update("badge/a", 2)],
                first: [.update("state/a/x", 2), .update("state/a/x", 4)])
        }
        defer { daemon.stop() }
        let ended = try run("watch", "state/a", "badge/a", "--json", "--count", "3", to: daemon)
        #expect(ended.status == 0)
        #expect(
            ended.output == """
                {"topic":"state/a/x","body":{"epoch":"d.1","seq":1,"t":1010,"phase":"resting"}}
                {"topic":"badge/a","body":{"epoch":"d.1","seq":2,"t":1020}}
                {"topic":"state/a/x","body":{"epoch":"d.1","seq":2,"t":1020}}

                """)
        let gap = try run("watch", "state/a", "--for", "0.2", to: daemon)
        #expect(gap.status == 0)
        #expect(gap.output.hasPrefix("state/a/x #1  resting\nstate/a/x #2"))
        #expect(gap.errors == "state/a/x: 1 update missed\n")
    }

    @Test func aReaderThatLeavesEndsTheWatchQuietly() throws {
        let daemon = try FakeDaemon { _ in .snapshot([.update("state/a/x", 1)]) }
        defer { daemon.stop() }
        let ended = try run(
            "watch", "state/a", "--for", "30", to: daemon, outputIsClosed: true)
        #expect(ended.status == 0)
        #expect(ended.errors.isEmpty)
    }

    @Test func anInterruptedWatchEndsWell() async throws {
        let daemon = try FakeDaemon { _ in .snapshot([]) }
        defer { daemon.stop() }
        let tool = try Tool(["watch", "state/a", "--for", "30"], to: daemon)
        #expect(await eventually { !daemon.seen.requests.isEmpty })
        kill(tool.process.processIdentifier, SIGINT)
        let ended = try tool.end()
        #expect(ended.status == 0)
        #expect(tool.process.terminationReason == .exit)
    }

    @Test func aRecordingIsReplayedToAnotherSession() async throws {
        let file = example("toss.jsonl")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
        let recording = try Recording(parsing: bytes, file: file)
        // It is asked how many events came, before and at the end.
        let asked = Counter()
        let daemon = try FakeDaemon { request in
            request["op"]?.string == "stats"
                ? .ok(#","stats":{"events":\#(asked.next() == 0 ? 0 : 1_000)}"#)
                : .refuse("unknown-session")
        }
        defer { daemon.stop() }
        let ended = try run("replay", file, "--speed", "50", "--session", "zed", to: daemon)
        #expect(ended.status == 0)
        #expect(ended.output.isEmpty)
        #expect(ended.errors == recording.captions.map { $0.text + "\n" }.joined())
        #expect(await eventually { daemon.seen.events.count == recording.events.count })
        let events = daemon.seen.events
        #expect(
            events.map(\.topic)
                == recording.events.map {
                    String(decoding: $0.topic, as: UTF8.self).replacing("alice", with: "zed")
                })
        let times = try events.compactMap { try Document.json(Array($0.body.utf8))["t"]?.double }
        #expect(times.count == events.count && times == times.sorted())
        let spans = zip(times, recording.events).map { time, event in
            (time - times[0]) * 50 - (event.time - recording.events[0].time)
        }
        #expect(spans.allSatisfy { $0.magnitude < 1 })
        let now = Date().timeIntervalSince1970 * 1_000
        #expect(abs(now - times[0]) < 60_000)
    }

    @Test func aBadLineIsNamedAndNothingIsPlayed() throws {
        let daemon = try FakeDaemon()
        defer { daemon.stop() }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("gestured-test-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let lines = [
            #"{"gesture-recording":1}"#, #"{"t":0,"topic":"gesture/a/b","body":{}}"#, #"{"t":1}"#,
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let ended = try run("replay", file.path, to: daemon)
        #expect(ended.status == 2)
        #expect(ended.errors == "gesturectl: \(file.path):3: topic is missing\n")
        #expect(daemon.seen.events.isEmpty)
    }
}
