import Dispatch
import Geometry
import Notation
import Sessions
import Store

// MARK: - Sessions that nobody uses

extension Lane {
    /// Seconds since the Unix epoch of 2020-01-01, before which no clock is right: one without a
    /// battery stands there until it is set.
    private static var earliestTime: Int { 1_577_836_800 }

    /// Drops stored sessions that nobody has used for too long, some at a time.
    func expire(at step: Step) {
        guard let storage else { return }
        let began = Clock.monotonic()
        let now = Clock.wall() / 1_000_000_000
        guard now >= Self.earliestTime, !refreshMistimed(now, storage) else { return }
        let moment = Moment(now: began, step: step)
        let old = try? storage.reader.ids(
            touchedBefore: now - settings.retentionSteps / Step.perSecond,
            limit: Limits.expiredAtOnceMax)
        for id in old ?? [] where isMine(id) && activeSessions[id] == nil && mayRemove {
            if storage.writeBehind.isRemoved(id) { continue }
            // Only where somebody is told must it come back for that.
            if isAnybodyTold(of: id), let resident = try? find(id, moment) {
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

    /// Whether somebody wants to know of a session that goes.
    private func isAnybodyTold(of id: String) -> Bool {
        interests.includes(.session, of: id)
    }

    /// Whether work in the background has taken long enough for what waits to come first.
    func isPieceOver(since began: Int) -> Bool {
        Clock.monotonic() - began >= Limits.pieceMicrosecondsMax * 1_000
    }

    /// Whether there are sessions that were touched while the clock was not right; they count as
    /// touched now.
    private func refreshMistimed(_ now: Int, _ storage: LaneStorage) -> Bool {
        let mistimed = try? storage.reader.ids(touchedBefore: Self.earliestTime, limit: 1)
        guard mistimed?.isEmpty == false else { return false }
        if number == 0 {
            let change = StoreChange.refresh(touchedBefore: Self.earliestTime, to: now)
            storage.writer.submit([change], replies: 0) { _ in }
        }
        return true
    }

    /// Drops a stored session of which nobody is told, also one that cannot come back. Whether
    /// there was one.
    func forget(_ id: String) -> Bool {
        guard let storage, !storage.writeBehind.isRemoved(id), storage.reader.has(id) else {
            return false
        }
        var version = 0
        if case .found(let stored)? = try? storage.reader.lookUp(id) {
            version = (try? record(in: stored, storage.writer))?.version ?? 0
        }
        activeSessions.formerVersions.remember(version, of: id)
        storage.delete(id, version: version)
        return true
    }

    private func isMine(_ id: String) -> Bool {
        Int(StableHash(id).value % UInt64(settings.laneCount)) == number
    }
}
