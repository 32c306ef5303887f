import Geometry
import Gestures
import Interactions
import Notation
import Sessions
import TestSupport
import Testing

@testable import Codec
@testable import Protocol

@Suite struct SessionExportTests {
    private static let scene = """
        {"name":"desk","viewport":[320,568],"components":[
        {"id":"toss","kind":"toss"},
        {"id":"world","kind":"dynamics",
        "items":[{"id":"a","center":[100,100],"size":[40,40]},
        {"id":"b","center":[110,300],"size":[60,30]}],
        "behaviors":[{"id":"fall","kind":"gravity","items":["a","b"]},
        {"id":"walls","kind":"collision","items":["a","b"],"bounds":true}]}]}
        """

    /// A session in which a view is thrown and boxes fall.
    private func session() throws -> Session {
        let node = try Document.json(Array(Self.scene.utf8))
        var session = Session(
            id: "alice", epoch: "e.1",
            scene: try SceneReader.scene(from: node, fallbackName: nil), opened: Theater.opened,
            frameRate: 60, key: 42)
        let at = Vector(160, 220)
        for pan in [
            Pan(phase: .began, location: at),
            Pan(phase: .ended, location: at, velocity: Vector(3_000, -900)),
        ] {
            let event = Event(.gesture(component: "toss", .pan(pan)), id: "\(pan.phase)")
            #expect(session.receive(event, received: 0) == .applied)
        }
        session.advance(to: Step(30))
        return session
    }

    private func document(_ session: Session) throws -> Node {
        var buffer = ByteBuffer()
        try #require(SessionExport.write(session, into: &buffer))
        return try Document.json(buffer.array())
    }

    @Test func aDocumentGoesOnAsTheSessionDoes() throws {
        var session = try self.session()
        let export = try SessionExport(try document(session))
        #expect(export.scene == session.scene)
        var other = try Session(
            export.state, id: "alice", scene: export.scene, frameRate: 60, key: 42,
            continuing: .same)
        for _ in 0..<240 {
            session.advance(to: session.clock + 1)
            other.advance(to: other.clock + 1)
            #expect(Node(encoding: session.state) == Node(encoding: other.state))
        }
        #expect(session.machines[0].phase == "resting")
    }

    @Test func aMovedSessionPublishesEverythingAndItsVersionsGoOn() throws {
        var session = try self.session()
        _ = session.receive(
            Event(.notification(kind: "likes", .add(3)), id: "n"), received: 0)
        let export = try SessionExport(try document(session))
        let opened = Instant(nanoseconds: Theater.opened.nanoseconds + 1_000_000_000)
        var moved = try Session(
            export.state, id: "bob", scene: export.scene, frameRate: 60, key: 43,
            continuing: .moved(epoch: "f.1", opened: opened, version: 90))
        #expect(moved.clock == session.clock && moved.isMoving)
        #expect(moved.badges.counts == session.badges.counts && moved.badges.version == 91)
        var log = UpdateLog()
        moved.flush(to: .all, inFrame: false, into: &log)
        #expect(log.told.first?.body == .session(.restored))
        #expect(Set(log.told.map(\.topic)) == ["session", "badge", "state/toss", "state/world"])
        #expect(log.told.allSatisfy { $0.stamp.seq == 1 })
        // Another key: what its hashes stand for is not known.
        let again = Event(.notification(kind: "likes", .add(1)), id: "n")
        #expect(moved.receive(again, received: 0) == .applied)
        #expect(moved.badges.version == 92)
    }

    @Test func idsHoldUnderTheSameKey() throws {
        let export = try SessionExport(try document(session()))
        var moved = try Session(
            export.state, id: "bob", scene: export.scene, frameRate: 60, key: 42,
            continuing: .moved(epoch: "f.1", opened: Theater.opened, version: 0))
        let pan = Pan(phase: .began, location: .zero)
        let again = Event(.gesture(component: "toss", .pan(pan)), id: "began")
        #expect(moved.receive(again, received: 0) == .duplicate)
    }

    /// A document with one changed member, and a part of the error.
    @Test(arguments: [
        ("gestured-session", Node(.integer(2)), "of another version; this one knows 1"),
        ("gestured-session", Node(.null), "of another version"),
        ("scene", Node(.string("phone")), "scene must be an object"),
        ("scene", Node(.object([])), "scene: "),
        ("state", Node(.object([])), "state: format: is required"),
        ("state", Node(.array([])), "state: must be a table"),
    ])
    func aBadExportNamesItsFault(name: String, value: Node, said: String) throws {
        var members = try #require(try document(session()).members)
        let place = try #require(members.firstIndex { $0.name == name })
        members[place].value = value
        #expect {
            try SessionExport(Node(.object(members)))
        } throws: { error in
            let isSaid = "\(error)".contains(said)
            if !isSaid { print("said \(error)") }
            return isSaid
        }
    }

    @Test func anotherSceneIsRefused() throws {
        let export = try SessionExport(try document(session()))
        #expect(throws: NodeError.self) {
            try Session(
                export.state, id: "alice", scene: .phone(), frameRate: 60, key: 42,
                continuing: .same)
        }
    }
}
