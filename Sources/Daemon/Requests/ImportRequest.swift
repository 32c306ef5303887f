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

    func isCostly(on table: LaneTable) -> Bool { true }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        guard try table.find(session, moment) == nil else {
            // It may have come of this request, which was answered `internal`: then `busy` says
            // that the store has it.
            let busy = Rejection(.busy, "the session is open; close it first")
            return table.answerWhenDurable(envelope, .refused(busy), of: session)
        }
        // Its counts get a version here.
        guard table.mayCount else { throw LaneTable.nothingStored }
        let document = try document.node()
        let export: SessionExport
        do throws(SessionDocumentError) {
            export = try SessionExport(document)
        } catch {
            throw Rejection(.badValue, "key document: \(error)")
        }
        let opened = try table.continuation(
            of: export, as: session, at: moment,
            latestVersion: FormerVersions.versionMax(at: Clock.wall()))
        try table.open(opened)
        table.recordUse(of: opened, at: moment)
        table.answerWhenDurable(
            envelope, .opened(isNew: true, epoch: opened.session.epoch), of: session)
    }
}
