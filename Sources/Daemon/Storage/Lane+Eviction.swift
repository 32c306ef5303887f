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

    /// Looks at what time alone makes due.
    func evictionTick() {
        storeUsed()
        let due = spare.eviction.tick()
        if due.isExpiry { expireUnused() }
        if due.isSweep { evictIdle() }
    }

    /// Stores what samples alone have changed, of the next part of the used sessions.
    func storeUsed() {
        if storage?.used.beginPhase() ?? false { storeUsedNext() }
    }

    /// Looks at some of them at a time.
    private func storeUsedNext() {
        guard let storage else { return }
        let began = Clock.monotonic()
        while let slot = storage.used.take() {
            storage.lookAtUse(of: slot, retentionSteps: settings.retentionSteps)
            if isPieceOver(since: began) {
                afterWhatWaits { $0.storeUsedNext() }
                break
            }
        }
        conclude()
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
            afterWhatWaits { $0.evictNext() }
        }
        conclude()
    }

    private func evict(_ active: ActiveSession, ifIdleAt step: Step) {
        // Stored for its heir already: once more, and it may be stored behind the heir's.
        guard !active.passage.isGoing, !active.passage.isChanging else { return }
        guard step - active.lastEvent >= settings.idleSteps else { return }
        if let storage {
            storage.noteSamples(of: active)
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
