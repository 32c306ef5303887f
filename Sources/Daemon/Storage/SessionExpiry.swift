import Dispatch
import Geometry
import Notation
import Sessions
import Store

// MARK: - Sessions that nobody uses

extension Lane {
    /// Looks for stored sessions that nobody has used for too long, to drop some of them.
    func expireUnused() {
        guard let storage else { return }
        let wallClock = storage.writer.wallClock
        guard storage.rights.driver == nil else {
            // All marks are of the database's clock.
            guard let now = wallClock.expiryTime(), !storage.rights.shards.isEmpty else { return }
            return askForOld(before: now - settings.retentionSteps / Step.perSecond)
        }
        if number == 0 { repairMarks(by: wallClock, storage) }
        guard let now = wallClock.expiryTime(), now >= Limits.earliestTime else { return }
        ask(.unused(before: Limits.earliestTime, shards: [], limit: 1)) { lane, mistimed in
            guard mistimed.isEmpty else { return lane.refreshMistimed(now) }
            lane.askForOld(before: now - lane.settings.retentionSteps / Step.perSecond)
        }
    }

    private func askForOld(before time: Int) {
        let shards = storage?.rights.shards ?? []
        ask(.unused(before: time, shards: shards, limit: Limits.expiredAtOnceMax)) {
            $0.expire($1[...])
        }
    }

    /// Asks the store for names; the lane goes on with them on its queue. Where they cannot be
    /// read nothing expires.
    private func ask(
        _ query: StoreQuery, then: @escaping @Sendable (Lane, [String]) -> Void
    ) {
        storage?.reader.names(query) { [weak self] answer in
            guard let self, case .success(let names) = answer else { return }
            queue.async { self.atWork { then($0, names) } }
        }
    }

    /// Drops sessions for a piece of time, and the others later.
    private func expire(_ names: ArraySlice<String>) {
        let began = Clock.monotonic()
        let moment = Moment(now: began, step: settings.grid.step(at: began))
        var rest = names
        while let id = rest.popFirst() {
            guard isMine(id), activeSessions[id] == nil else { continue }
            var batch = Batch()
            batch.work.append(.task(ExpiryTask(session: id)))
            _ = perform(batch, moment, wasHeld: true)
            if isPieceOver(since: began) { break }
        }
        flushChanged()
        conclude()
        guard !rest.isEmpty else { return }
        queue.async { [weak self, rest] in self?.atWork { $0.expire(rest) } }
    }

    /// Drops one stored session, unless it has come back meanwhile.
    fileprivate func expire(_ id: String, _ moment: Moment) {
        guard let storage, mayRemove, activeSessions[id] == nil,
            !storage.writeBehind.isRemoved(id), let now = storage.writer.wallClock.expiryTime()
        else { return }
        // Only where somebody is told must it come back for that.
        if isSessionWatched(of: id), let resident = try? find(id, moment) {
            close(resident, .expired)
        } else if forget(id, unlessUsedSince: now - settings.retentionSteps / Step.perSecond) {
            counters.add(.expired)
        }
    }

    /// Whether a subscriber asked for the `session` updates of an id.
    private func isSessionWatched(of id: String) -> Bool {
        interests.includes(.session, of: id)
    }

    /// Whether work in the background has taken long enough for what waits to come first.
    func isPieceOver(since began: Int) -> Bool {
        Clock.monotonic() - began >= Limits.pieceMicrosecondsMax * 1_000
    }

    /// Sessions that were used while the clock was not right count as used now.
    private func refreshMistimed(_ now: Int) {
        // A disk that hangs answers none of them.
        guard number == 0, let storage, !storage.isRefreshing else { return }
        storage.isRefreshing = true
        let change = StoreChange.refresh(lastUsed: Int.min..<Limits.earliestTime, to: now)
        storage.writer.submit([change], replies: 0) { [weak self] _ in
            self?.afterWhatWaits { $0.storage?.isRefreshing = false }
        }
    }

    /// Puts the marks right that a jump of the clock has made wrong.
    private func repairMarks(by wallClock: WallClock, _ storage: LaneStorage) {
        guard let change = wallClock.beginRepair() else { return }
        storage.writer.submit([change], replies: 0) {
            wallClock.endRepair(isDurable: $0 == .durable)
        }
    }

    /// Drops a stored session of which nobody is told, also one that cannot come back; but none
    /// that was used at this time or later, in seconds since the Unix epoch. Whether it has.
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
            // versions.
            if error.recovery == .retry { return false }
        }
        activeSessions.formerVersions.remember(version, of: id)
        storage.delete(id, version: version)
        return true
    }

    private func isMine(_ id: String) -> Bool {
        guard let storage, storage.rights.includes(id) else { return false }
        return storage.rights.driver != nil || settings.choice.lane(of: id) == number
    }
}

/// Drops a stored session that nobody has used for too long.
private struct ExpiryTask: LaneTask {
    let session: String

    var subject: String? { session }
    var mayTakeLong: Bool { true }

    func perform(on lane: Lane, at moment: Moment) { lane.expire(session, moment) }
}

extension Limits {
    /// Stored sessions that a lane deletes at once after `retention`: some milliseconds of work.
    static let expiredAtOnceMax = 256
    /// Microseconds after which a piece of background work ends.
    static let pieceMicrosecondsMax = 2_000
}
