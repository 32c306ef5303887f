import Geometry
import Sessions
import Store

// MARK: - Sessions that nobody uses

extension Lane {
    /// Seconds since the Unix epoch of 2020-01-01, before which no clock is right: one without a
    /// battery stands there until it is set.
    private static var earliestTime: Int { 1_577_836_800 }

    /// Drops stored sessions that nobody has used for too long.
    func expire(at step: Step) {
        guard let keeping else { return }
        let now = Clock.wall() / 1_000_000_000
        guard now >= Self.earliestTime, !refreshMistimed(now, keeping) else { return }
        let moment = Moment(now: Clock.monotonic(), step: step)
        let old = try? keeping.reader.ids(
            touchedBefore: now - settings.retentionSteps / Step.perSecond,
            limit: Limits.expiredAtOnceMax)
        for id in old ?? [] where isMine(id) && residents[id] == nil && mayRemove {
            if let resident = try? find(id, moment) {
                drop(resident, .expired)
            } else if forget(id) {
                counters.add(.expired)
            }
        }
    }

    /// Whether there are sessions that were touched while the clock was not right; they count as
    /// touched now.
    private func refreshMistimed(_ now: Int, _ keeping: Keeping) -> Bool {
        let mistimed = try? keeping.reader.ids(touchedBefore: Self.earliestTime, limit: 1)
        guard mistimed?.isEmpty == false else { return false }
        if number == 0 {
            let change = StoreChange.refresh(touchedBefore: Self.earliestTime, to: now)
            keeping.keeper.submit([change], waiting: 0) { _ in }
        }
        return true
    }

    /// Drops a stored session that cannot come back, as where its scene is gone; nobody is told.
    /// Whether there was one.
    func forget(_ id: String) -> Bool {
        guard let keeping, !keeping.isRemoved(id), keeping.reader.has(id) else { return false }
        let stored = try? keeping.reader.session(id)
        let version = stored.flatMap { try? record(in: $0, keeping.keeper) }?.version ?? 0
        formerVersions.remember(version, of: id)
        self.keeping?.removed[id] = Keeping.Removal(version: version, stored: version)
        return true
    }

    private func isMine(_ id: String) -> Bool {
        Int(StableHash(id).value % UInt64(settings.laneCount)) == number
    }
}
