import Dispatch
import Geometry
import Notation
import Sessions
import Store

// MARK: - Sessions that nobody uses

extension Lane {
    /// Drops stored sessions that nobody has used for too long, some at a time.
    func expire(at step: Step) {
        guard let storage else { return }
        let began = Clock.monotonic()
        let wallClock = storage.writer.wallClock
        if number == 0 { repairMarks(by: wallClock, storage) }
        guard let now = wallClock.expiryTime(), now >= Limits.earliestTime,
            !refreshMistimed(now, storage)
        else { return }
        let moment = Moment(now: began, step: step)
        let old = try? storage.reader.ids(
            .unused(
                before: now - settings.retentionSteps / Step.perSecond, shards: [0],
                limit: Limits.expiredAtOnceMax))
        for id in old ?? [] where isMine(id) && activeSessions[id] == nil && mayRemove {
            if storage.writeBehind.isRemoved(id) { continue }
            // Only where somebody is told must it come back for that.
            if isSessionWatched(of: id), let resident = try? find(id, moment) {
                close(resident, .expired)
            } else if forget(id) {
                counters.add(.expired)
            }
            guard isPieceOver(since: began) else { continue }
            queue.async { [weak self] in self?.atWork { $0.expireOn(at: step) } }
            return
        }
    }

    private func expireOn(at step: Step) {
        expire(at: step)
        conclude()
    }

    /// Whether a subscriber asked for the `session` updates of an id.
    private func isSessionWatched(of id: String) -> Bool {
        interests.includes(.session, of: id)
    }

    /// Whether work in the background has taken long enough for what waits to come first.
    func isPieceOver(since began: Int) -> Bool {
        Clock.monotonic() - began >= Limits.pieceMicrosecondsMax * 1_000
    }

    /// Whether there are sessions that were used while the clock was not right; they count as
    /// used now.
    private func refreshMistimed(_ now: Int, _ storage: LaneStorage) -> Bool {
        // Where nobody can tell, nothing expires.
        guard
            let mistimed = try? storage.reader.ids(
                .unused(before: Limits.earliestTime, shards: [0], limit: 1))
        else { return true }
        guard !mistimed.isEmpty else { return false }
        if number == 0 {
            let change = StoreChange.refresh(lastUsed: Int.min..<Limits.earliestTime, to: now)
            storage.writer.submit([change], replies: 0) { _ in }
        }
        return true
    }

    /// Puts the marks right that a jump of the clock has made wrong.
    private func repairMarks(by wallClock: WallClock, _ storage: LaneStorage) {
        guard let change = wallClock.beginRepair() else { return }
        storage.writer.submit([change], replies: 0) {
            wallClock.endRepair(isDurable: $0 == .durable)
        }
    }

    /// Drops a stored session of which nobody is told, also one that cannot come back. Whether
    /// there was one.
    func forget(_ id: String) -> Bool {
        guard let storage, !storage.writeBehind.isRemoved(id), storage.reader.has(id) else {
            return false
        }
        var version = 0
        do throws(StoreError) {
            if case .found(let stored) = try storage.reader.lookUp(id, late: { _ in }) {
                version = (try? record(in: stored, storage.writer))?.version ?? 0
            }
        } catch {
            // Its version may be read later; without it the next session of this name could repeat
            // versions.
            if error.kind == .disk { return false }
        }
        activeSessions.formerVersions.remember(version, of: id)
        storage.delete(id, version: version)
        return true
    }

    private func isMine(_ id: String) -> Bool {
        settings.choice.lane(of: id) == number
    }
}

extension Limits {
    /// Stored sessions that a lane deletes at once after `retention`: some milliseconds of work.
    static let expiredAtOnceMax = 256
    /// Microseconds after which a piece of background work ends.
    static let pieceMicrosecondsMax = 2_000
}
