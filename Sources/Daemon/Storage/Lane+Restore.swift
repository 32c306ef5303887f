import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Store

extension Lane {
    /// An open session, or one that the store has, brought back at rest; nil: there is none.
    func find(_ id: String, _ moment: Moment) throws(Rejection) -> ActiveSession? {
        if let resident = residents[id] { return resident }
        guard let keeping, !keeping.isRemoved(id) else { return nil }
        do {
            guard let stored = try keeping.reader.session(id) else { return nil }
            return try restore(stored, keeping.storeWriter, moment)
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
        let record = try record(in: stored, storeWriter)
        let marks = stored.seen.map { SeenIDs.Mark(place: $0.place, hash: $0.hash) }
        let resident = makeSession(
            stored.id, try scene(of: record), .restored(record, marks: marks), at: moment)
        let age = max(0, Clock.wall() / 1_000_000_000 - stored.touched)
        resident.stored = ActiveSession.Stored(
            seenTotal: resident.session.seen.total, version: record.version,
            touched: moment.step + -age * Step.perSecond)
        try keep(resident)
        // What came back as it was need not be stored again.
        _ = resident.session.takeDirtyParts()
        resident.lastNoted = resident.lastEvent
        counters.add(.restored)
        return resident
    }

    func record(in stored: StoredSession, _ storeWriter: StoreWriter) throws -> SavedSession {
        var record = try SavedSession(document: stored.state)
        // In each life that did not end in order, some may have been told that were not stored.
        let lives = max(0, storeWriter.life - record.life)
        record.version += lives * Limits.versionsUnstoredMax
        // An older copy of the file, or one that others have counted beside, knows too little.
        record.version = max(record.version, storeWriter.floor)
        return record
    }

    private func scene(of record: SavedSession) throws -> Scene {
        switch record.source {
        case .named(let name): return try scene(.named(name))
        case .document(let document):
            let node = try Document.json(Array(document.utf8))
            return try SceneReader.scene(from: node, fallbackName: nil)
        }
    }
}

extension Rejection {
    static func unreadable(_ error: StoreError) -> Rejection {
        Rejection(.internal, "the store cannot be read: \(error)")
    }
}
