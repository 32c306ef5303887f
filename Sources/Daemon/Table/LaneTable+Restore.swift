import Codec
import Geometry
import Interactions
import Membership
import Notation
import Protocol
import Sessions
import Store

extension Lane {
    /// A session as it stands at a moment: brought to its step, and looked at after the batch.
    func findCurrent(_ id: String, _ moment: Moment) throws(Rejection) -> ActiveSession {
        guard let open = try find(id, moment) else { throw .unknown(session: id) }
        advance(open, to: moment)
        markChanged(open)
        return open
    }

    /// An open session, or one that the store has, brought back at rest; nil: there is none.
    func find(_ id: String, _ moment: Moment) throws(Rejection) -> ActiveSession? {
        if let resident = activeSessions[id] { return resident }
        guard let storage, !storage.writeBehind.isRemoved(id) else { return nil }
        do {
            return try storage.lookUp(id).map { try restore($0, storage.writer, moment) }
        } catch let error as StoreError {
            throw .unreadable(error)
        } catch let error as SessionDocumentError {
            throw Rejection(.internal, "what was stored of \(id) cannot be read: \(error)")
        } catch let error as Rejection {
            throw error
        } catch {
            preconditionFailure("an error of no known type: \(error)")
        }
    }

    private func restore(
        _ stored: StoredSession, _ storeWriter: StoreWriter, _ moment: Moment
    ) throws -> ActiveSession {
        let record = try record(in: stored)
        let marks = stored.seen.map { SeenIDs.Mark(place: $0.place, hash: $0.hash) }
        let resident = makeSession(
            stored.id, try scene(of: record), .restored(record, marks: marks), at: moment)
        let age = max(0, storeWriter.wallClock.time() - max(0, stored.lastUsed))
        resident.passage = .arriving(
            SavedMark(
                seenTotal: resident.session.seen.total, version: record.version,
                lastUse: moment.step + -age * Step.perSecond))
        try open(resident)
        storage?.refresh(resident, retentionSteps: settings.retentionSteps)
        counters.add(.restored)
        return resident
    }

    func record(in stored: StoredSession) throws -> SavedSession {
        var record = try SavedSession(document: stored.state)
        guard let right = storage?.rights[stored.id] else { return record }
        // After each unclean shutdown, versions may have been published that were not stored.
        let generations = max(0, min(right.epoch, Limits.livesMax) - record.generation)
        record.version += generations * Limits.versionsUnstoredMax
        // An older copy of the file, or a file beside which others have counted, knows too little.
        record.version = max(record.version, right.versionFloor)
        return record
    }

    private func scene(of record: SavedSession) throws -> Scene {
        switch record.source {
        case .named(let name): return try opener.scene(.named(name))
        case .document(let document):
            let node = try Document.json(Array(document.utf8))
            return try SceneReader.scene(from: node, fallbackName: nil, isBounded: false)
        }
    }
}

extension Rejection {
    static func unreadable(_ error: StoreError) -> Rejection {
        Rejection(.internal, "the store cannot be read: \(error)")
    }
}
