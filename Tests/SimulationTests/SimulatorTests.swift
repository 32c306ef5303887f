import Foundation
import Geometry
import Interactions
import Protocol
import Recordings
import Sessions
import Simulation
import Testing

@Suite struct SimulatorTests {
    private let open = #"{"command":"open","scene":"phone"}"#

    @Test func theFirstEventOpensTheSessionAtItsTime() throws {
        let lines = try simulate([event(250, "notification/alice", #"{"kind":"likes"}"#)], until: 0)
        let components = try #require(Files.scenes()["phone"]).components
        let rows = components.filter { $0.parameters.kind == "list" }
        #expect(
            lines.map(\.topic) == [
                "session/alice", "scene/alice", "transition/alice/tips",
                "transition/alice/tabs", "transition/alice/navigation", "badge/alice",
                "variables/alice",
            ] + rows.map { "rows/alice/\($0.id)" } + components.map { "state/alice/\($0.id)" })
        #expect(lines.allSatisfy { $0.number("t") == 250 && $0.number("seq") == 1 })
        #expect(lines.allSatisfy { $0.contains(#"{"epoch":"sim","#) })
    }

    /// A request opens a session with a scene that no event could hold, and replaces it.
    @Test func aRecordedRequestMayHaveALargerSceneThanAnEvent() throws {
        let rows = (0..<200).map { number in
            #"{"id":"r\#(number)","content":{"title":"\#(String(repeating: "x", count: 400))"}}"#
        }
        func scene(_ width: Int) -> String {
            #"{"viewport":[\#(width),568],"components":[{"id":"list","kind":"list","rows":["#
                + rows.joined(separator: ",") + "]}]}"
        }
        #expect(scene(320).utf8.count > 65_536)
        func topicsAndWidths(_ lines: [String]) throws -> [String] {
            try simulate(lines, until: 50).compactMap { line in
                if line.topic == "rejected/alice" { return line.contains("too-large") ? "-" : "?" }
                guard line.topic == "scene/alice" else { return nil }
                return line.contains(#""viewport":[320,568]"#) ? "320" : "300"
            }
        }
        let likes = event(0, "notification/alice", #"{"kind":"likes"}"#)
        func request(_ time: Int, _ width: Int, _ more: String = "") -> String {
            #"{"t":\#(time),"session":"alice","scene":\#(scene(width))\#(more)}"#
        }
        #expect(try topicsAndWidths([request(0, 320), likes]) == ["320"])
        #expect(
            try topicsAndWidths([request(0, 320), request(20, 300, #","replace":true"#)])
                == ["320", "300"])
        // The same as an event is refused, as by a daemon.
        let asEvent = event(0, "command/alice", #"{"command":"open","scene":\#(scene(300))}"#)
        #expect(try topicsAndWidths([likes, asEvent]) == ["320", "-"])
    }

    /// Milliseconds after the first event, which need not be at 0.
    @Test(arguments: [(0, 0), (100, 12), (1_000, 120)])
    func untilEndsTheRun(milliseconds: Double, steps: Int) throws {
        let lines = try simulate(
            [event(500, "command/alice", open)], frameRate: 120, until: milliseconds)
        let last = try #require(lines.last?.number("t"))
        let expected = 500 + (Double(steps) * 25_000 / 3).rounded(.down) / 1_000
        #expect(abs(last - expected) < 0.002, "\(last)")
    }

    /// Beginnings on the session's own topic, in its viewport or not.
    @Test(arguments: [
        (#""gesture":"pointer","pointer":1,"phase":"began","x":320,"y":5"#, 1),
        (#""gesture":"pointer","pointer":1,"phase":"began","x":319.9,"y":567.9"#, 0),
        (#""gesture":"pointer","pointer":1,"phase":"began","x":5,"y":-0.1"#, 1),
        (#""gesture":"tap","x":0,"y":568"#, 1), (#""gesture":"tap","x":0,"y":0"#, 0),
        (#""gesture":"swipe","direction":"left","x":900,"y":5"#, 1),
        (#""gesture":"pan","phase":"changed","x":900,"y":5"#, 0),
    ])
    func whatBeginsOutsideIsCounted(gesture: String, count: Int) throws {
        func outside(_ topic: String) throws -> OutsideCount {
            let lines = [
                #"{"gesture-recording":1,"scene":{"viewport":[320,568],"#
                    + #""components":[{"id":"list","kind":"list","rows":9}]}}"#,
                event(0, topic, "{\(gesture)}"), event(9, topic, "{\(gesture)}"),
            ]
            let recording = try Recording(
                parsing: Array(lines.joined(separator: "\n").utf8), file: "test.jsonl")
            var simulator = try Simulator(recording, scenes: Files.scenes())
            var sink = LineSink()
            simulator.run(into: &sink)
            return simulator.outside
        }
        let found = try outside("gesture/alice")
        #expect(found.count == 2 * count)
        #expect(found.first?.viewport == (count == 0 ? nil : Size(320, 568)))
        // A component's coordinates are its own.
        #expect(try outside("gesture/alice/list").count == 0)
    }

    @Test func withoutAnEndItRunsToRest() throws {
        let lines = try simulate([event(0, "command/alice", open)])
        #expect(lines.last?.contains(#""phase":"resting""#) == true)
        #expect(
            lines.last?.contains(#""tip":{"x":160,"y":284,"w":300,"h":400,"rotation":0,"#) == true)
    }

    /// An event is applied at the last step not after its time, or at its step.
    @Test func anEventStandsOnTheGrid() throws {
        let select = #"{"command":"select","index":2}"#
        func began(_ line: String) throws -> Double? {
            try simulate([event(0, "command/alice", open), line])
                .first { $0.contains(#""name":"select","event":"began""#) }?.number("t")
        }
        #expect(try began(event(99.999, "command/alice/tabs", select)) == 91.667)
        #expect(try began(event(100, "command/alice/tabs", select)) == 100)
        #expect(try began(event(108.333, "command/alice/tabs", select)) == 100)
        #expect(try began(event(108.334, "command/alice/tabs", select)) == 108.333)
        #expect(try began(event(100, "command/alice/tabs", select, step: 24)) == 200)
        #expect(try began(event(100, "command/alice/tabs", select, step: 3)) == 25)
    }

    @Test func aClosedSessionReopensInANewEpoch() throws {
        let close = #"{"command":"close"}"#
        let likes = #"{"kind":"likes"}"#
        let lines = try simulate([
            event(0, "command/alice", open), event(10, "notification/alice", likes),
            event(100, "command/alice", close), event(200, "notification/alice", likes),
            event(300, "command/alice", close), event(400, "command/alice", close),
        ])
        let sessions = lines.filter { $0.topic == "session/alice" }
        #expect(sessions.map { $0.contains(#""event":"opened""#) } == [true, false, true, false])
        #expect(sessions.map { $0.number("seq") } == [1, 2, 1, 2])
        #expect(sessions.map { $0.number("t") } == [0, 100, 200, 300])
        #expect(sessions[0].contains(#""epoch":"sim""#))
        #expect(sessions[2].contains(#""epoch":"sim.2""#))
        // A new life counts from nothing.
        let badges = lines.filter { $0.topic == "badge/alice" }
        #expect(badges.allSatisfy { $0.contains(#""version":1,"total":1"#) } && badges.count == 2)
        // Nothing is left to close.
        #expect(lines.last?.topic == "rejected/-")
        #expect(lines.last?.contains("unknown-session") == true)
        #expect(lines.last?.number("t") == 400)
    }

    @Test(arguments: [
        ("nonsense", "{}", "bad-topic"), ("gesture/alice/toss", "7", "bad-json"),
        ("gesture/alice/toss", #"{"gesture":"pan","phase":"began","x":1}"#, "missing-field"),
        ("gesture/alice/nowhere", #"{"gesture":"tap","x":1,"y":1}"#, "unknown-component"),
        ("command/alice/tabs", #"{"command":"select","index":9}"#, "bad-value"),
        ("command/alice", #"{"command":"open","scene":"absent"}"#, "unknown-scene"),
        ("command/alice", #"{"command":"close"}"#, "unknown-session"),
    ])
    func aRefusedFirstEventOpensNothing(topic: String, body: String, code: String) throws {
        let lines = try simulate([event(5, topic, body)])
        #expect(lines.count == 1)
        #expect(lines.first?.topic == "rejected/-")
        #expect(lines.first?.contains("\"code\":\"\(code)\"") == true, "\(lines)")
        #expect(lines.first?.number("t") == 5)
    }

    @Test func aRefusedEventIsReportedInItsSession() throws {
        let lines = try simulate([
            event(0, "command/alice", open),
            event(50, "command/alice/tabs", #"{"command":"select","index":9}"#),
            event(60, "notification/alice", #"{"kind":"likes","id":"a"}"#),
            event(70, "notification/alice", #"{"kind":"likes","id":"a"}"#),
            event(75, "command/alice/tips", #"{"command":"dismiss"}"#),
            event(80, "gesture/alice/tips", #"{"gesture":"pan","phase":"began","x":1,"y":1}"#),
            event(90, "gesture/alice/tips", #"{"gesture":"pan","phase":"ended","x":1,"y":1}"#),
        ])
        let rejected = lines.filter { $0.topic == "rejected/alice" }
        #expect(rejected.count == 3)
        for (line, code) in zip(rejected, ["bad-value", "duplicate", "busy"]) {
            #expect(line.contains("\"code\":\"\(code)\""), "\(line)")
        }
        #expect(lines.filter { $0.topic == "badge/alice" }.count == 1)
    }

    /// Also where it opened no session: the rest of the contact is suppressed.
    @Test func aRefusedContactIsReportedOnce() throws {
        func pan(_ t: Double, _ phase: String) -> String {
            let body = #"{"gesture":"pan","phase":"\#(phase)","x":1,"y":1}"#
            return event(t, "gesture/alice/profile", body)
        }
        let lines = try simulate([
            pan(0, "began"), pan(10, "changed"), pan(20, "ended"), pan(30, "began"),
        ])
        #expect(lines.map(\.topic) == ["rejected/-", "rejected/-"])
        #expect(lines.compactMap { $0.number("t") } == [0, 30])
    }

    /// Also where another event opens the session while the contact is still down.
    @Test func aContactRefusedBeforeTheOpeningStaysSuppressed() throws {
        func touch(_ t: Double, _ phase: String) -> String {
            let body = #"{"gesture":"pointer","phase":"\#(phase)","pointer":1,"x":1,"y":1}"#
            return event(t, "gesture/alice/tabs", body)
        }
        let lines = try simulate([
            touch(0, "began"), event(10, "notification/alice", #"{"kind":"likes"}"#),
            touch(20, "changed"), touch(30, "ended"), touch(40, "changed"),
        ])
        let rejected = lines.filter { $0.topic.hasPrefix("rejected/") }
        #expect(rejected.map(\.topic) == ["rejected/-", "rejected/alice"])
        for (line, code) in zip(rejected, ["bad-value", "out-of-order"]) {
            #expect(line.contains("\"code\":\"\(code)\""), "\(line)")
        }
    }

    @Test func anUnknownOrBadSceneIsRefused() throws {
        for (scene, code) in [
            (#""absent""#, RejectionCode.unknownScene), (#"{"viewport":[3,4]}"#, .badScene),
        ] {
            var found: RejectionCode?
            do {
                let lines = try simulate(
                    scene: scene, [event(0, "command/a", #"{"command":"close"}"#)])
                #expect(lines.count == 1)
                let first = try simulate(
                    scene: scene, [event(0, "notification/a", #"{"kind":"k"}"#)])
                #expect(first.map(\.topic) == ["rejected/-"])
                if first[0].contains("\"code\":\"\(code.rawValue)\"") { found = code }
            } catch let rejection as Rejection {
                found = rejection.code
            }
            #expect(found == code)
        }
    }

    @Test func aRecordingMayBringItsScene() throws {
        let scene = #"{"name":"own","viewport":[100,200],"components":[{"id":"a","kind":"toss"}]}"#
        let lines = try simulate(scene: scene, [event(0, "notification/b", #"{"kind":"k"}"#)])
        #expect(lines.map(\.topic) == ["session/b", "scene/b", "badge/b", "state/b/a"])
        #expect(lines[0].contains(#""scene":"own""#))
    }

    /// Sessions run side by side in the order of their times, each on a grid of its own.
    @Test func sessionsDoNotTouchEachOther() throws {
        let select = #"{"command":"select","index":2}"#
        let events = [
            event(0, "command/alice", open), event(3, "command/bob", open),
            event(700, "command/alice/tabs", select), event(703, "command/bob/tabs", select),
        ]
        let both = try simulate(events)
        let times = both.compactMap { $0.number("t") }
        #expect(times == times.sorted() && times.count == both.count)
        for (name, alone) in [("alice", [events[0], events[2]]), ("bob", [events[1], events[3]])] {
            #expect(try simulate(alone) == both.filter { $0.topic.contains(name) })
        }
    }

    /// The seed decides the spin, and nothing else does.
    @Test func theSeedDecidesTheSpin() throws {
        let toss = #"{"gesture":"pan","phase":"began","x":160,"y":223}"#
        let fling = #"{"gesture":"pan","phase":"ended","x":160,"y":223,"vx":1500,"vy":0}"#
        func run(seed: Int, session: String) throws -> [String] {
            let text = [
                #"{"gesture-recording":1,"scene":"phone","seed":\#(seed)}"#,
                event(0, "gesture/\(session)/toss", toss),
                event(1, "gesture/\(session)/toss", fling),
            ].joined(separator: "\n")
            return try simulate(Array(text.utf8), until: 100).filter { $0.contains("toss") }
                .map(\.shown).filter { $0.hasPrefix("\"phase\"") }
        }
        #expect(try run(seed: 1, session: "a") == run(seed: 1, session: "b"))
        let spins = try Set((1...8).map { try run(seed: $0, session: "a") })
        #expect(spins.count > 1)
    }

    /// Where a session opens itself, the scene that is not named is not needed.
    @Test(arguments: [
        (#""absent""#, "gesture/a/toss", false), (#""absent""#, "command/a", false),
        ("null", "gesture/a/toss", false), ("null", "command/a", true), ("null", "a/b/c", true),
    ])
    func aSceneThatIsNotThereEndsItBeforeItBegins(scene: String, topic: String, isFine: Bool) throws
    {
        let inline = #"{"viewport":[320,568],"components":[{"id":"toss","kind":"toss"}]}"#
        let text = [
            #"{"gesture-recording":1,"scene":\#(scene)}"#,
            event(0, topic, #"{"command":"open","scene":\#(inline)}"#),
        ].joined(separator: "\n")
        let recording = try Recording(parsing: Array(text.utf8), file: "r")
        do throws(Rejection) {
            _ = try Simulator(recording, scenes: [:])
            #expect(isFine)
        } catch {
            #expect(!isFine && error.code == .unknownScene, "\(error)")
        }
    }
}
