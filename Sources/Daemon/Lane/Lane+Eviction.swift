import Dispatch
import Geometry
import Notation
import Sessions
import Synchronization

extension Lane {
    /// Runs a block that the lane has queued itself.
    func atWork(_ body: (Lane) -> Void) {
        load.isAtWork.store(true, ordering: .relaxed)
        body(self)
        load.isAtWork.store(false, ordering: .relaxed)
    }

    /// Evicts the sessions that nobody has used for too long, or closes them if nothing is stored.
    func evictIdle() {
        guard !spare.eviction.isUnderWay else { return }
        spare.eviction.begin(activeSessions.all)
        evictNext()
    }

    /// Looks at some sessions at a time, so that new work need not wait for all of them.
    private func evictNext() {
        let began = Clock.monotonic()
        let step = settings.grid.step(at: began)
        for _ in 0..<Limits.evictedAtOnceMax {
            guard let active = spare.eviction.next() else { break }
            guard active.isOpen else { continue }
            evict(active, ifIdleAt: step)
            // A world takes much longer than others.
            if isPieceOver(since: began) { break }
        }
        if spare.eviction.isUnderWay {
            queue.async { [weak self] in self?.atWork { $0.evictNext() } }
        } else {
            expire(at: step)
        }
        conclude()
    }

    private func evict(_ active: ActiveSession, ifIdleAt step: Step) {
        // Stored for its heir already: once more, and it may be stored behind the heir's.
        guard !active.passage.isGoing else { return }
        // Samples are noted here alone; what rests is not looked at again and again.
        storage?.noteUse(of: active)
        guard step - active.lastEvent >= settings.idleSteps else {
            storage?.refresh(active, retentionSteps: settings.retentionSteps)
            return
        }
        if let storage {
            storage.idled(active)
        } else {
            close(active, .expired, at: step)
        }
    }
}

extension Limits {
    /// Sessions that a lane checks for idleness in one piece: some milliseconds of work.
    static let evictedAtOnceMax = 128
}
