import Geometry
import Interactions
import Notation
import Sessions
import Wire

/// How sessions leave this daemon for another one, or for later, and come in.
extension Lane {
    /// All of a session as it stands at this instant.
    func export(_ envelope: Envelope, session id: String, _ moment: Moment) {
        do throws(Rejection) {
            guard let resident = try find(id, moment) else { throw .unknown(session: id) }
            resident.session.advance(to: resident.clock(at: moment.step))
            touch(resident)
            defer { document.removeAll() }
            guard SessionExport.write(resident.session, into: &document) else {
                throw Rejection(.internal, "its scene cannot be written")
            }
            guard document.count <= Limits.exportBytesMax else {
                throw Rejection(
                    .tooLarge, "an exported session has at most \(Limits.exportBytesMax) bytes")
            }
            sink.chunk.reply(to: envelope) { buffer in
                buffer.key("session")
                buffer.json(id)
                buffer.key("document")
                buffer.append(document.array())
            }
        } catch {
            sink.chunk.refuse(envelope, error)
        }
    }

    /// Opens a session that goes on from where an exported one stood.
    func `import`(
        _ envelope: Envelope, session id: String, _ document: Node, _ moment: Moment
    ) {
        do throws(Rejection) {
            guard try find(id, moment) == nil else {
                throw Rejection(.busy, "the session is open; close it first")
            }
            // What it has counted gets a version here.
            guard mayCount else { throw Self.nothingStored }
            let resident = try makeSession(id, from: document, at: moment)
            try keep(resident)
            resident.touch(at: moment.step)
            answerWhenDurable(
                envelope, .opened(isNew: true, epoch: resident.session.epoch), of: id)
        } catch {
            sink.chunk.refuse(envelope, error)
        }
    }

    private func makeSession(
        _ id: String, from document: Node, at moment: Moment
    ) throws(Rejection) -> ActiveSession {
        let export: SessionExport
        do throws(SessionDocumentError) {
            export = try SessionExport(document)
        } catch {
            throw Rejection(.badValue, "document: \(error)")
        }
        let next = settings.grid.next(at: moment.now)
        let ahead = settings.grid.time(of: next) - Clock.monotonic()
        // Its clock goes on from where it stood, so step 0 lies before this daemon's own, perhaps.
        let openedAt = Step(next - export.state.clock)
        let opened = Clock.wall() + ahead - export.state.clock.nanoseconds
        do throws(NodeError) {
            let session = try Session(
                export.state, id: id, scene: scene(of: export), frameRate: settings.frameRate,
                key: key,
                continuing: .moved(
                    epoch: nextEpoch, opened: Instant(nanoseconds: opened),
                    version: formerVersion(of: id)))
            return ActiveSession(session, openedAt: openedAt, interest: interests[id] ?? [])
        } catch {
            throw Rejection(.badValue, "document: state: \(error)")
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
        return export.scene.text == own.text || other == own ? own : export.scene
    }
}

extension Limits {
    /// Bytes of an exported session: it fits a message with what is beside it.
    static let exportBytesMax = messageBytesMax - 4 * 1024
}
