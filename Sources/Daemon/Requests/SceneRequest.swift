import Codec
import Interactions
import Protocol
import Sessions

/// `scene`: a session's scene as it is now, or one of the configuration's, whole.
struct SceneRequest: SessionRequest {
    static let operation = "scene"

    /// Empty: it asks for a scene by its name.
    let session: String
    private let scene: String
    var subject: String? { session.isEmpty ? nil : session }
    var isForItsAskerAlone: Bool { true }

    var right: RequestRight { session.isEmpty ? .general : .reading(session) }

    init(_ fields: RequestFields) throws(Rejection) {
        switch (fields["session"], fields["scene"]) {
        case (nil, nil): throw Rejection(.missingField, "key session, or key scene: is required")
        case (.some, .some):
            throw .wrong("scene", "cannot stand beside session")
        case (.some, nil):
            session = try fields.session()
            scene = ""
        case (nil, .some):
            session = ""
            scene = try fields.string("scene")
        }
    }

    func submit(_ envelope: Envelope, to reactor: Reactor) throws(Rejection) {
        if session.isEmpty {
            reactor.work.add(.request(envelope, self), to: 0)
        } else {
            reactor.place(.request(envelope, self), of: session)
        }
    }

    func isCostly(on table: LaneTable) -> Bool { true }

    func perform(
        on table: LaneTable, for envelope: Envelope, at moment: Moment
    ) throws(Rejection) {
        guard session.isEmpty else {
            let open = try table.findCurrent(session, moment)
            table.sink.chunk.reply(to: envelope) { buffer in
                buffer.key("scene")
                UpdateBody.scene(
                    open.session.head(of: .scene), open.session.sceneDescription, into: &buffer)
            }
            return
        }
        let scene = try table.opener.scene(.named(self.scene))
        var description = SceneDescription(
            scene: scene, revision: 0, frameRate: scene.frameRate ?? table.opener.frameRate)
        description.texts = scene.firstTexts
        table.sink.chunk.reply(to: envelope) { buffer in
            buffer.key("scene")
            UpdateBody.scene(description, into: &buffer)
        }
    }
}
