import Foundation
import GesturedClient
import Testing

/// The typed requests against the real daemon.
@Suite struct RequestTests {
    private let daemon: RealDaemon
    private let control: Control

    init() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        daemon = try RealDaemon(scenes: root.appendingPathComponent("config/scenes"))
        control = try Connection(to: daemon.endpoints).control()
    }

    @Test func aSessionsLife() throws {
        defer { daemon.stop() }
        #expect(try control.scenes().contains("phone"))
        let opened = try control.open("alice", scene: "phone")
        #expect(opened.isNew)
        let found = try control.open("alice", scene: "phone")
        #expect(!found.isNew && found.epoch == opened.epoch)
        #expect(try control.sessions() == ["alice"])
        let snapshot = try control.snapshot("alice")
        #expect(snapshot.scene == "phone" && snapshot.epoch == opened.epoch)
        #expect(snapshot.updates.contains { $0.topic == "scene/alice" })
        #expect(try control.time(of: "alice").instant > 0)
        let document = try control.export("alice")
        try control.close("alice")
        #expect(try control.open("bob", document: document).isNew)
        #expect(try control.sessions() == ["bob"])
        #expect(throws: ClientError.self) { try control.snapshot("alice") }
    }

    @Test func aSceneOfOnesOwnIsHitAndReplaced() throws {
        defer { daemon.stop() }
        let card = #"{"viewport":[320,568],"components":[{"id":"card","kind":"toss"}]}"#
        try control.open("own", scene: .object(Array(card.utf8)))
        #expect(try control.hit("own", x: 160, y: 284)?.component == "card")
        #expect(try control.hit("own", x: 1, y: 1) == nil)
        let other = #"{"viewport":[320,568],"components":[{"id":"rows","kind":"list","rows":3}]}"#
        let replaced = try control.open("own", scene: .object(Array(other.utf8)), replacing: true)
        #expect(!replaced.isNew)
        #expect(try control.hit("own", x: 160, y: 20)?.component == "rows")
        for wrong in ["[1]", "{"] {
            let error = #expect(throws: ClientError.self) {
                try control.open("own", scene: .object(Array(wrong.utf8)))
            }
            guard case .refused(code: "bad-json", _) = error else {
                Issue.record("\(error as Any)")
                continue
            }
        }
    }

    @Test func eventsAreCountedOnce() throws {
        defer { daemon.stop() }
        let first = try control.publish(.notification("likes", for: "alice"))
        #expect(first.hasOpenedSession && !first.isDuplicate && first.hit == nil)
        try control.publish(.notification("likes", adding: 4, for: "alice"))
        try control.publish(.notification("news", settingTo: 7, for: "alice"))
        let badge = try control.snapshot("alice").updates.first { $0.topic == "badge/alice" }
        let body = try #require(badge?.body)
        let content = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        #expect((content?["counts"] as? [String: Int]) == ["likes": 5, "news": 7])
        #expect(try control.publish(.command("dismiss", of: "tips", in: "alice")).hit == nil)
        let tabs = """
            {"viewport":[320,568],"components":[
            {"id":"bar","kind":"tabs","items":[{"id":"home"},{"id":"news"}]}]}
            """
        try control.open("own", scene: .object(Array(tabs.utf8)))
        let tap = try control.publish(.tap(x: 40, y: 550, in: "own"))
        #expect(tap.hit?.component == "bar")
        let error = #expect(throws: ClientError.self) {
            try control.publish(.command("fly", of: "tips", in: "alice"))
        }
        guard case .refused = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func theDaemonTellsOfItself() throws {
        defer { daemon.stop() }
        let hello = try control.hello()
        #expect(!hello.version.isEmpty && hello.limits["limit_message_bytes"] ?? 0 > 0)
        #expect(try control.statistics()["events"] == 0)
    }
}
