import Codec
import Interactions
import Notation
import Protocol
import Sessions

/// `open`: opens a session, or finds it open; then the scene matters only if it replaces the
/// session's own.
struct OpenRequest: SessionRequest {
    static let operation = "open"

    let session: String
    /// Read on the lane, and only if the session is not open yet.
    private let scene: RequestDocument?
    let documentBytes: Int
    /// Whether the answer shall tell the scene.
    private let isDescribed: Bool
    /// Whether an open session becomes the scene.
    private let replaces: Bool

    /// A description tells the scene that an open session has now.
    var right: RequestRight { isDescribed ? .changingAndReading(session) : .changing(session) }

    init(_ fields: RequestFields) throws(Rejection) {
        session = try fields.session()
        documentBytes = fields.text.count
        scene = fields.document("scene")
        isDescribed = try fields.bool("describe") ?? false
        replaces = try fields.bool("replace") ?? false
    }

    private func reference() throws(Rejection) -> SceneReference {
        guard let scene = try scene?.node() else {
            throw .absent("scene")
        }
        if let name = scene.string { return .named(name) }
        guard scene.members != nil else {
            throw .wrong("scene", "must be a name or an object")
        }
        do throws(SceneError) {
            return .inline(InlineScene(try SceneReader.scene(from: scene, fallbackName: nil)))
        } catch {
            throw error.rejection
        }
    }

    func isCostly(on table: LaneTable) -> Bool {
        guard let open = table.activeSessions[session] else {
            return documentBytes > Limits.shortDocumentBytesMax || table.costs.openings.isLong
        }
        return replaces || (isDescribed && isLong(open.session.scene))
    }

    /// Whether a description of a scene takes long. One without a text is of the configuration.
    private func isLong(_ scene: borrowing Scene) -> Bool {
        (scene.text?.utf8.count ?? 0) > Limits.shortDocumentBytesMax
    }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        let opened: ActiveSession
        let found = try table.find(session, moment)
        if let found {
            opened = found
            if replaces { try replaceScene(of: found, on: table, at: moment) }
            if found.session.hasChangeLeft { return }
        } else {
            let began = Clock.processor()
            defer { table.costs.noteOpening(nanoseconds: Clock.processor() - began) }
            opened = table.makeSession(session, try table.opener.scene(try reference()), at: moment)
            try table.open(opened)
        }
        answer(envelope, opened, isNew: found == nil, on: table, at: moment)
    }

    func changesMade(on table: LaneTable, answering envelope: Envelope, at moment: Moment) {
        guard let open = table.activeSessions[session] else { return }
        answer(envelope, open, isNew: false, on: table, at: moment)
    }

    private func answer(
        _ envelope: Envelope, _ opened: ActiveSession, isNew: Bool, on table: LaneTable,
        at moment: Moment
    ) {
        // Stored whole already, it need not be looked at; only its last use may be long ago.
        opened.recordUse(at: moment.step)
        table.storage?.refresh(opened, retentionSteps: table.settings.retentionSteps)
        table.answerWhenDurable(
            envelope,
            .opened(
                isNew: isNew, epoch: opened.session.epoch,
                scene: isDescribed ? description(of: opened.session) : nil),
            of: session)
    }

    private func replaceScene(
        of open: ActiveSession, on table: LaneTable, at moment: Moment
    ) throws(Rejection) {
        let update = Event(.change(.update(try reference())))
        if case .refused(let rejection) = table.receive(update, of: session, open, at: moment) {
            throw rejection
        }
    }

    private func description(of session: borrowing Session) -> [UInt8] {
        var buffer = ByteBuffer(capacity: 1_024)
        UpdateBody.scene(session.head(of: .scene), session.sceneDescription, into: &buffer)
        return buffer.array()
    }
}

extension Limits {
    /// Bytes of a request to open a session that the lane performs among events: a scene of these
    /// is read in half a millisecond.
    static let shortDocumentBytesMax = 4 * 1024
}
