import Dispatch
import Geometry
import Notation
import Sessions
import Synchronization

/// Finds the sessions that nobody uses. One sweep after the other, each in pieces.
struct Eviction {
    /// Made at the start: Dispatch traps when a source goes that was never activated.
    private var timer: (any DispatchSourceTimer)?
    /// Sessions that the sweep under way has still to look at.
    private var rest: [ActiveSession] = []

    /// Has `queue` call `sweep` again and again, each time `steps` are a tenth over.
    mutating func start(on queue: DispatchQueue, idleSteps: Int, sweep: @escaping () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: sweep)
        self.timer = timer
        schedule(idleSteps: idleSteps)
        timer.activate()
    }

    func stop() { timer?.cancel() }

    /// Sweeps ten times within the time after which an unused session is evicted.
    func schedule(idleSteps: Int) {
        let seconds = Double(idleSteps) / Double(Step.perSecond)
        let interval = min(10, max(0.05, seconds / 10))
        timer?.schedule(deadline: .now() + interval, repeating: interval)
    }

    var isUnderWay: Bool { !rest.isEmpty }
    mutating func begin(_ all: [ActiveSession]) { rest = all }
    mutating func next() -> ActiveSession? { rest.popLast() }
}

extension Lane {
    /// Runs a block that the lane has queued itself.
    func atWork(_ body: (Lane) -> Void) {
        load.isAtWork.store(true, ordering: .relaxed)
        body(self)
        load.isAtWork.store(false, ordering: .relaxed)
    }

    /// Evicts the sessions that nobody has used for too long, or closes them if nothing is stored.
    func evictIdle() {
        guard !eviction.isUnderWay else { return }
        eviction.begin(activeSessions.all)
        evictNext()
    }

    /// Looks at some sessions at a time, so that new work need not wait for all of them.
    private func evictNext() {
        let began = Clock.monotonic()
        let step = settings.grid.step(at: began)
        for _ in 0..<Limits.evictedAtOnceMax {
            guard let active = eviction.next() else { break }
            guard active.isOpen else { continue }
            evict(active, ifIdleAt: step)
            // A world takes much longer than others.
            if isPieceOver(since: began) { break }
        }
        if eviction.isUnderWay {
            queue.async { [weak self] in self?.atWork { $0.evictNext() } }
        } else {
            expire(at: step)
        }
        conclude()
    }

    private func evict(_ active: ActiveSession, ifIdleAt step: Step) {
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
