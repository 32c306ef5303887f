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
    private let document: Node
    let documentBytes: Int

    var right: RequestRight { .changing(session) }

    init(_ fields: RequestFields) throws(Rejection) {
        guard let document = fields["document"] else {
            throw Rejection(.missingField, "import needs document")
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
            throw Rejection(.busy, "the session is open; close it first")
        }
        // Its counts get a version here.
        guard lane.mayCount else { throw Lane.nothingStored }
        let opened = try makeSession(on: lane, at: moment)
        try lane.open(opened)
        opened.recordUse(at: moment.step)
        lane.answerWhenDurable(
            envelope, .opened(isNew: true, epoch: opened.session.epoch), of: session)
    }

    private func makeSession(
        on lane: Lane, at moment: Moment
    ) throws(Rejection) -> ActiveSession {
        let export: SessionExport
        do throws(SessionDocumentError) {
            export = try SessionExport(document)
        } catch {
            throw Rejection(.badValue, "document: \(error)")
        }
        let next = lane.settings.grid.next(at: moment.now)
        let ahead = lane.settings.grid.time(of: next) - Clock.monotonic()
        // Its clock goes on from where it stood, so step 0 lies before this daemon's own, perhaps.
        let openedAt = Step(next - export.state.clock)
        let opened = Clock.wall() + ahead - export.state.clock.nanoseconds
        do throws(NodeError) {
            let imported = try Session(
                export.state, id: session,
                scene: lane.settings.shelf.shared(scene(of: export, on: lane)),
                frameRate: lane.settings.frameRate,
                key: lane.key,
                continuing: .moved(
                    epoch: lane.opener.nextEpoch(of: session), opened: Instant(nanoseconds: opened),
                    version: lane.formerVersion(of: session)))
            return ActiveSession(
                imported, openedAt: openedAt, interest: lane.interests[session])
        } catch {
            throw Rejection(.badValue, "document: state: \(error)")
        }
    }

    /// This daemon's scene of the same name, if it is the same; else the one that came along.
    private func scene(of export: SessionExport, on lane: Lane) -> Scene {
        guard let name = export.scene.name, let own = lane.settings.scenes[name] else {
            return export.scene
        }
        var other = export.scene
        other.document = own.document
        other.text = own.text
        return export.scene.text == own.text || other == own ? own : export.scene
    }
}
