import Codec
import Geometry
import Interactions
import Membership
import Notation
import Protocol
import Sessions
import Store

/// Sessions that the store has.
extension LaneTable {
    /// A session as it stands at a moment: advanced to that step, and published after the batch.
    func findCurrent(_ id: String, _ moment: Moment) throws(Rejection) -> ActiveSession {
        guard let active = try find(id, moment) else { throw .unknown(session: id) }
        advance(active, to: moment)
        markChanged(active)
        return active
    }

    /// An open session, or one that the store has, brought back at rest; nil: there is none.
    func find(_ id: String, _ moment: Moment) throws(Rejection) -> ActiveSession? {
        if let active = activeSessions[id] { return active }
        guard let storage, !storage.writeBehind.isRemoved(id) else { return nil }
        if let known = unreadable.rejection(of: id, at: moment.now) { throw known }
        do {
            return try storage.lookUp(id).map { try restore($0, storage.writer, moment) }
        } catch {
            let (rejection, isOfRecord) = Self.rejection(for: error, of: id)
            if isOfRecord { unreadable.note(id, rejection, at: moment.now) }
            throw rejection
        }
    }

    /// The answer where a session cannot be brought back, and whether its record or its scene is
    /// the reason. Such a reason stays until the record or the scene is changed.
    private static func rejection(
        for error: any Error, of id: String
    ) -> (rejection: Rejection, isOfRecord: Bool) {
        switch error {
        case let error as StoreError: (.unreadable(error), error.kind == .damaged)
        case let error as SessionDocumentError: (.unreadable(id, error), true)
        case let error as SceneError: (.unreadable(id, error), true)
        case let error as DocumentError: (.unreadable(id, error.message), true)
        // There may be no room for one more session.
        case let error as Rejection: (error, error.code == .unknownScene)
        default: preconditionFailure("an error of no known type: \(error)")
        }
    }

    /// Whether the store need not be asked for a session now: it is known as unreadable.
    func isKnownUnreadable(_ id: String) -> Bool {
        !unreadable.isEmpty && unreadable.rejection(of: id, at: Clock.monotonic()) != nil
    }

    private func restore(
        _ stored: StoredSession, _ storeWriter: StoreWriter, _ moment: Moment
    ) throws -> ActiveSession {
        let record = try record(in: stored)
        let marks = stored.seen.map { SeenIDs.Mark(place: $0.place, hash: $0.hash) }
        let active = makeSession(
            stored.id, try scene(of: record), .restored(record, marks: marks), at: moment)
        // In seconds, as marks are.
        let age = max(0, storeWriter.wallClock.time() - max(0, stored.lastUsed))
        active.presence = .arriving(
            SavedMark(
                seenTotal: active.session.seen.total, version: record.version,
                lastUse: moment.step + -age * Step.perSecond))
        try open(active)
        storage?.refresh(active, retentionSteps: settings.retentionSteps)
        counters.add(.restored)
        return active
    }

    func record(in stored: StoredSession) throws -> SavedSession {
        var record = try SavedSession(document: stored.state)
        guard let rights = storage?.rights else { return record }
        record.version = rights.lastVersion(
            of: stored.id, stored: record.version, generation: record.generation)
        return record
    }

    private func scene(of record: SavedSession) throws -> Scene {
        switch record.source {
        case .named(let name): return try opener.scene(.named(name))
        case .document(let document):
            let node = try Document.json(Array(document.utf8))
            return try SceneReader.scene(
                from: node, fallbackName: nil, isBounded: false, isStrict: false)
        }
    }
}

extension Rejection {
    /// The row is damaged, or a former daemon took a scene that this one refuses.
    fileprivate static func unreadable(
        _ id: String, _ reason: some CustomStringConvertible
    ) -> Self {
        Rejection(.internal, "what was stored of \(id) cannot be read: \(reason)")
    }
}

/// The changes that the store allows.
extension LaneTable {
    static let nothingStored = Rejection(.internal, "nothing could be stored for too long")

    /// Whether counts may change. They may not before the generation is stored, or the next one
    /// could publish the same versions again.
    var mayCount: Bool { storage?.mayCount ?? true }

    /// Whether one more session may go before the store has deleted those that are gone.
    var mayRemove: Bool { storage?.mayRemove ?? true }

    func mayChangeCounts(of session: ActiveSession) -> Bool {
        storage?.mayChangeCounts(of: session) ?? true
    }

    /// Answers a request once its change is durable; at once if there is nothing to wait for.
    func answerWhenDurable(
        _ envelope: Envelope, _ answer: PendingReply.Answer, of id: String
    ) {
        answerWhenDurable(envelope, answer, of: id, activeSessions[id])
    }

    /// The same, with the session where it is open.
    func answerWhenDurable(
        _ envelope: Envelope, _ answer: PendingReply.Answer, of id: String, _ active: ActiveSession?
    ) {
        guard let storage else { return sink.chunk.reply(to: envelope, answer) }
        guard let due = storage.keep(answer, for: envelope, of: id, active) else { return }
        sink.chunk.reply(to: envelope, due)
    }

    /// Whether a session is closed and its removal not stored: it comes back if the daemon ends.
    func isRemovalPending(_ id: String) -> Bool {
        activeSessions[id] == nil && storage?.writeBehind.isRemoved(id) == true
    }

    /// Lets counts change once the store's generation has begun.
    func allowCountingIfBegun() {
        guard let storage, storage.takeBeginning() else { return }
        for session in activeSessions.all { session.session.mayCount = true }
    }

    // MARK: Leaving the store

    /// Drops one stored session, unless it has come back meanwhile.
    func expire(_ id: String, _ moment: Moment) {
        guard let storage, mayRemove, activeSessions[id] == nil,
            !storage.writeBehind.isRemoved(id), let now = storage.writer.wallClock.expiryTime()
        else { return }
        let time = now - settings.retentionSteps / Step.perSecond
        // The session is restored only if a subscriber hears of its end.
        if interests.includes(.session, of: id), isUnused(id, since: time),
            let active = try? find(id, moment)
        {
            close(active, .expired)
        } else if forget(id, unlessUsedSince: time) {
            counters.add(.expired)
        }
    }

    /// Whether the store has a session that was last used before a time.
    private func isUnused(_ id: String, since time: Int) -> Bool {
        guard let stored = try? storage?.lookUp(id) else { return false }
        return stored.lastUsed < time
    }

    /// Deletes a stored session without telling anybody, even one that cannot be restored. Does
    /// nothing if the session was used at or after `time`, in seconds since the Unix epoch. Returns
    /// whether it was deleted.
    func forget(_ id: String, unlessUsedSince time: Int = .max) -> Bool {
        guard let storage, !storage.writeBehind.isRemoved(id), storage.reader.has(id) else {
            return false
        }
        var version = 0
        do throws(StoreError) {
            guard let stored = try storage.lookUp(id), stored.lastUsed < time else { return false }
            version = (try? record(in: stored))?.version ?? 0
        } catch {
            // Its version may be read later; without it the next session of this name could repeat
            // versions. A damaged row never tells it: versions begin above the floor of the store's
            // generation then.
            if error.recovery == .retry { return false }
        }
        activeSessions.formerVersions.remember(version, of: id)
        unreadable.forget(id)
        storage.delete(id, version: version)
        return true
    }
}

extension Rejection {
    static func unreadable(_ error: StoreError) -> Rejection {
        Rejection(.internal, "the store cannot be read: \(error)")
    }
}
