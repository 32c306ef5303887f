import Codec
import Geometry
import Interactions
import Notation
import Sessions

/// `import`: opens a session that goes on from where an exported one stood.
struct ImportRequest: SessionRequest {
    static let operation = "import"

    let session: String
    /// Read on the lane where the session will live.
    private let document: RequestDocument
    let documentBytes: Int

    var right: RequestRight { .changing(session) }

    init(_ fields: RequestFields) throws(Rejection) {
        guard let document = fields.document("document") else {
            throw .absent("document")
        }
        session = try fields.session()
        self.document = document
        documentBytes = fields.text.count
    }

    func isCostly(on lane: Lane) -> Bool { true }

    func perform(
        on lane: Lane, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        guard try lane.find(session, moment) == nil else {
            // It may have come of this request, which was answered `internal`: then `busy` says
            // that the store has it.
            let busy = Rejection(.busy, "the session is open; close it first")
            return lane.answerWhenDurable(envelope, .refused(busy), of: session)
        }
        // Its counts get a version here.
        guard lane.mayCount else { throw Lane.nothingStored }
        let document = try document.node()
        let export: SessionExport
        do throws(SessionDocumentError) {
            export = try SessionExport(document)
        } catch {
            throw Rejection(.badValue, "key document: \(error)")
        }
        let opened = try lane.continuation(of: export, as: session, at: moment)
        try lane.open(opened)
        lane.recordUse(of: opened, at: moment)
        lane.answerWhenDurable(
            envelope, .opened(isNew: true, epoch: opened.session.epoch), of: session)
    }
}

extension Lane {
    /// A session that goes on from where an exported one stood. It is not open yet.
    func continuation(
        of export: SessionExport, as id: String, at moment: Moment
    ) throws(Rejection) -> ActiveSession {
        let next = settings.grid.next(at: moment.now)
        let ahead = settings.grid.time(of: next) - Clock.monotonic()
        // Its clock goes on from where it stood, so step 0 lies before this daemon's own, perhaps.
        let openedAt = Step(next - export.state.clock)
        let opened = Clock.wall() + ahead - export.state.clock.nanoseconds
        do throws(NodeError) {
            let imported = try Session(
                export.state, id: id, scene: settings.shelf.shared(scene(of: export)),
                frameRate: settings.frameRate, key: key,
                continuing: .moved(
                    epoch: opener.nextEpoch(of: id), opened: Instant(nanoseconds: opened),
                    version: formerVersion(of: id)))
            return ActiveSession(imported, openedAt: openedAt, interest: interests[id])
        } catch {
            throw Rejection(.badValue, "key document: state: \(error)")
        }
    }

    /// This daemon's scene of the same name, if it is the same; else the one that came along.
    private func scene(of export: SessionExport) -> Scene {
        guard let name = export.scene.name, let own = settings.scenes[name] else {
            return export.scene
        }
        var other = export.scene
        other.document = own.document
        other.text = own.text
        guard let text = export.scene.text, let ownText = own.text, text == ownText else {
            return other == own ? own : export.scene
        }
        // Strings are equal that look the same: a text in another Unicode form is another one.
        return text.utf8.elementsEqual(ownText.utf8) ? own : export.scene
    }
}
