import Dispatch
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Store
import Synchronization

extension Lane {
    /// One turn of the queue: the barriers, the events that wait, the motion that is due, and the
    /// work of the spare time. `process` begins with a piece of the motion that is due, and then
    /// performs events. A batch that begins at the end of the piece may take another piece, so
    /// motion and events take less than two pieces. The rest of the motion and the spare time share
    /// the next piece. Anything left then goes to the next turn, behind the other work of the
    /// queue: the inbox is woken for events and requests, and the ticker's timer for motion.
    func turn() {
        dispatchPrecondition(condition: .onQueue(queue))
        // A turn may have been queued before the lane stopped.
        guard !hasStopped else { return }
        load.isAtWork.store(true, ordering: .relaxed)
        passBarriers()
        performWaiting(until: .piece)
        let now = Clock.monotonic()
        motion.tick(to: grid.step(at: now), since: now)
        let isBehind = inbox.isAnythingLeft || motion.ticker.isUnderWay
        if !isBehind || spare.isOverdue(at: now) { serveSpare(since: now) }
        motion.arm()
        table.conclude()
        let hasToGoOn = inbox.isAnythingLeft || canServeCostly
        load.isAtWork.store(hasToGoOn, ordering: .relaxed)
        if hasToGoOn { inbox.wake() } else { lookLaterForOutbox() }
    }

    /// Passes the barriers on. Barriers overtake events, so that they show that a lane works even
    /// if it is far behind.
    private func passBarriers() {
        for barrier in inbox.takeBarriers() {
            // A barrier may bring the settings of a reload.
            if case .adopt(let settings) = barrier.purpose {
                let isExpiryChanged = settings.idleSteps != table.settings.idleSteps
                table.adopt(settings)
                motion.flushChanged()
                if isExpiryChanged { expiry.schedule(idleSteps: settings.idleSteps) }
            }
            if barrier.pass(lane: number) { table.sink.barrier(barrier) }
        }
    }

    /// How long a part of a turn goes on.
    enum Extent {
        case piece
        /// Until nothing is left; when the lane stops.
        case all
    }

    /// Processes the batches that wait.
    func performWaiting(until extent: Extent) {
        let began = Clock.monotonic()
        inbox.refill()
        while let (batch, place) = inbox.next {
            let end = process(batch, from: place)
            if inbox.advance(to: end) { load.waiting.wrappingSubtract(1, ordering: .releasing) }
            if extent == .piece, Clock.isPieceOver(since: began) { return }
            if extent == .all { inbox.refill() }
        }
    }

    // MARK: Heavy sessions and costly work

    /// Serves heavy sessions and costly work, one at a time, until a piece of time is over: a long
    /// one, or several that are short.
    private func serveSpare(since began: Int) {
        var isFirst = true
        while isFirst || !Clock.isPieceOver(since: began) {
            isFirst = false
            let isServed =
                spare.takesHeavyFirst()
                ? motion.moveHeavy() || serveCostly() : serveCostly() || motion.moveHeavy()
            guard isServed else { break }
            spare.served(at: Clock.monotonic())
        }
    }

    /// Whether costly work waits, and its answer has room in the outbox.
    private var canServeCostly: Bool { !spare.costly.isEmpty && !table.sink.isFull }

    /// Queues a turn for a moment later, if costly work waits for room in the outbox.
    private func lookLaterForOutbox() {
        guard !spare.costly.isEmpty, !spare.awaitsOutbox else { return }
        spare.awaitsOutbox = true
        queue.asyncAfter(deadline: .now() + .milliseconds(Limits.outboxLookMilliseconds)) {
            [weak self] in
            self?.spare.awaitsOutbox = false
            self?.turn()
        }
    }

    /// Serves the next costly work; returns whether there was some.
    private func serveCostly() -> Bool {
        guard canServeCostly, let unit = spare.costly.next() else { return false }
        costly.serve(unit)
        return true
    }
}

extension Limits {
    /// Milliseconds after which a lane whose requests wait for the outbox looks at it again.
    static let outboxLookMilliseconds = 2
}
