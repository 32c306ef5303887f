import Codec
import Interactions
import Notation
import Sessions

/// `open`: opens a session, or finds it open; then the scene does not matter.
struct OpenRequest: SessionRequest {
    static let operation = "open"

    let session: String
    /// Thrown only where the session is not open yet.
    private let scene: Result<SceneReference, Rejection>
    let documentBytes: Int

    init(_ fields: RequestFields) throws(Rejection) {
        session = try fields.session()
        documentBytes = fields.text.count
        do throws(Rejection) {
            scene = .success(try Self.scene(fields["scene"]))
        } catch {
            scene = .failure(error)
        }
    }

    private static func scene(_ node: Node?) throws(Rejection) -> SceneReference {
        guard let node else { throw Rejection(.missingField, "open needs scene") }
        if let name = node.string { return .named(name) }
        guard node.members != nil else {
            throw Rejection(.badValue, "scene must be a name or an object")
        }
        do throws(SceneError) {
            return .inline(try SceneReader.scene(from: node, fallbackName: nil))
        } catch {
            throw error.rejection
        }
    }

    func perform(
        on lane: Lane, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        let opened: ActiveSession
        let found = try lane.find(session, moment)
        if let found {
            opened = found
        } else {
            opened = lane.makeSession(session, try lane.opener.scene(try scene.get()), at: moment)
            try lane.open(opened)
        }
        opened.recordUse(at: moment.step)
        lane.answerWhenDurable(
            envelope, .opened(isNew: found == nil, epoch: opened.session.epoch), of: session)
    }
}
