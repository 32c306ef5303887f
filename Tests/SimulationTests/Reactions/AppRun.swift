import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import TestSupport
import Testing

/// One session of an app, to which events come as bytes, and what it tells as bytes.
struct AppRun {
    var session: Session
    private(set) var told = LineSink()
    /// The codes of refused events.
    private(set) var refused: [RejectionCode] = []
    private let rate: Int
    private let decoder = EventDecoder()

    /// `scene` as ``AppStorm`` writes it, with its frame rate open.
    init(_ scene: String, rate: Int = 60) throws {
        self.rate = rate
        let text = Self.text(scene, rate: rate)
        let read = try SceneReader.scene(
            from: try Document.json(Array(text.utf8)), fallbackName: nil)
        session = Session(
            id: "s", epoch: "e.1", scene: read, opened: Theater.opened, frameRate: 60, key: 42)
        flush()
    }

    private static func text(_ text: String, rate: Int) -> String {
        let parts = text.split(separator: #""frame_rate":RATE"#, omittingEmptySubsequences: false)
        return parts.joined(separator: #""frame_rate":\#(rate)"#)
    }

    mutating func flush() { session.flush(to: .all, inFrame: session.isInFrame, into: &told) }

    mutating func receive(_ sent: AppStorm.Sent) throws {
        let body = Array(Self.text(sent.body, rate: rate).utf8)
        let event = try decoder.decode(topic: try Topic(sent.topic), body: body)
        let received = Double(session.instant.nanoseconds) / 1e6
        if case .refused(let rejection) = session.receive(event, received: received) {
            refused.append(rejection.code)
        }
    }

    mutating func step(_ count: Int = 1) {
        for _ in 0..<count {
            session.advance(to: session.clock + 1)
            flush()
        }
    }

    /// All that it has become, without what it told: bits, so that the last of them counts.
    var digest: String {
        var digest = Digest()
        for machine in session.machines { digest.combine(machine) }
        let values = session.variables.map { "\($0.name) \($0.value)" }
        let counts = session.badges.counts.entries.map { "\($0.kind) \($0.count)" }
        return "\(digest.text) \((values + counts).joined(separator: ", "))"
    }

    // MARK: Other lives

    /// It goes on as a session that was made of its tree.
    mutating func encodeAndDecode() throws {
        try become(Node(encoding: session.state))
    }

    /// It becomes what a tree says, if that can be.
    mutating func become(_ node: Node) throws {
        session = try Session(
            try node.decode(SessionSnapshot.self), id: "s", scene: session.scene, frameRate: 60,
            key: 42, continuing: .same)
    }

    /// It goes on as a session that was made of its document, scene and all.
    mutating func exportAndImport() throws {
        var buffer = ByteBuffer(capacity: 65_536)
        guard SessionExport.write(session, into: &buffer) else { return }
        let export = try SessionExport(try Document.json(buffer.array()))
        session = try Session(
            export.state, id: "s", scene: export.scene, frameRate: 60, key: 42, continuing: .same)
    }

    /// The part of it that the store keeps.
    var record: SavedSession { get throws { try #require(session.record(generation: 3)) } }

    /// The record as the store has it.
    var storedTree: Node {
        get throws {
            var buffer = ByteBuffer(capacity: 65_536)
            try record.write(into: &buffer)
            return try Document.json(buffer.array())
        }
    }

    /// As it comes back from the store, by the bytes of its record.
    func restored() throws -> Session {
        var run = self
        try run.comeBack(of: storedTree)
        return run.session
    }

    /// It becomes what comes back of a record, if that can be.
    mutating func comeBack(of node: Node) throws {
        let record = try SavedSession(document: Array(node.jsonText.utf8))
        session = Session(
            id: "s", epoch: "e.2", scene: session.scene, opened: Theater.opened, frameRate: 60,
            beginning: .restored(record, marks: []), key: 42)
    }

    /// It is parked, and comes back.
    mutating func parkAndRestore() throws { session = try restored() }
}
