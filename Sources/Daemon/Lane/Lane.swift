import Codec
import Dispatch
import Geometry
import Interactions
import Membership
import Notation
import Protocol
import Sessions
import Store
import Synchronization

/// A serial queue, and the sessions that run on it from opening to end.
///
/// The way of a batch of events: the reactor posts it to the ``Inbox``, or runs it itself if the
/// lane is idle (``InlineExecution``); a `turn` takes it and `process` brings what moves to now
/// (``LaneMotion``); `perform` hands each event to the ``EventReceiver``, which decodes it and has
/// the ``LaneTable`` apply it; at the end each changed session is noted for the store and publishes
/// into the ``LaneSink``. All of it goes in pieces of time, and work that takes long runs in the
/// ``SpareTime`` between these pieces (``CostlyServer``). Each of these types holds its own state;
/// the lane passes work from one to the next. The order within `process` is part of the protocol;
/// all other code may be rearranged.
///
/// The reactor uses the functions marked "Called by the reactor" and `load`. Everything else
/// runs on the queue, or on the reactor's thread while it holds the queue; the compiler cannot
/// check that. Nothing may block the queue but the reading of a local store.
final class Lane: @unchecked Sendable {
    let number: Int
    let load = LaneLoad()
    let queue: DispatchQueue
    let inbox = Inbox()
    private(set) lazy var inline = InlineExecution(queue) { [unowned self] in processInline() }
    let spare = SpareTime()

    let table: LaneTable
    private let receiver: EventReceiver
    let motion: LaneMotion
    private(set) lazy var costly = CostlyServer(
        table, receiver, motion, spare, lookups: lookups, load: load, performer: self)
    let expiry: SessionExpiry
    /// These are nil where nothing is stored.
    private var storage: LaneStorage? { table.storage }
    private(set) lazy var lookups = storage.map { StoreLookups(table, $0, performer: self) }
    /// Whether it has ended: then `turn` does nothing. Other blocks that it had queued still run.
    private(set) var hasStopped = false
    private(set) lazy var shards = storage.flatMap { storage in
        lookups.map { ShardMoves(table, storage, motion, costly, $0, performer: self) }
    }

    init(
        number: Int, settings: LaneSettings, counters: Counters, outbox: Outbox,
        budget: RejectionBudget, rejectionLog: RejectionLog, storage: LaneStorage? = nil
    ) throws(StartError) {
        self.number = number
        let queue = LaneQueue(number: number, load: load)
        self.queue = queue.queue
        table = LaneTable(
            number: number, settings: settings, counters: counters, queue: queue,
            sink: LaneSink(outbox: outbox),
            reporter: RejectionReporter(budget: budget, log: rejectionLog), storage: storage)
        receiver = EventReceiver(table)
        motion = try LaneMotion(table, spare: spare, load: load)
        expiry = SessionExpiry(table, motion)
        storage?.attach(to: self)
        expiry.lookups = lookups
    }

    // MARK: Called by the reactor

    /// Sets the timers going; called once, before anything is submitted.
    func start() {
        motion.ticker.timer.start(on: queue) { [weak self] in
            self?.motion.ticker.fired()
            self?.turn()
        }
        inbox.start(on: queue) { [weak self] in self?.turn() }
        expiry.start()
    }

    /// Queues one round's work, and leaves an empty batch in its place.
    func submit(_ batch: inout Batch) {
        load.expect(batch)
        load.waiting.wrappingAdd(1, ordering: .relaxed)
        inbox.post(&batch)
    }

    /// Waits until everything submitted is done and posted. Requests that take long are refused
    /// instead. Called once, at the end.
    func stop() {
        queue.sync {
            costly.refuseAll()
            // The queue may not have been told of the last batches and barriers yet. They may leave
            // work that takes long once more.
            turn()
            performWaiting(until: .all)
            costly.refuseAll()
            lookups?.refuseAll()
            table.pieces.stop()
            table.conclude()
            motion.ticker.timer.stop()
            inbox.stop()
            expiry.stop()
            hasStopped = true
        }
    }

    /// Stores everything as it is: the lane has stopped. Called one time.
    func storeLast() { queue.sync { storage?.close() } }

    /// Whether everything is stored. Submits what is not yet.
    func isStored() -> Bool { queue.sync { storage?.isDrained() ?? true } }

    /// Whether no work waits for the store any more. Asked repeatedly after the reactor has stopped
    /// reading.
    func isLookedUp() -> Bool { queue.sync { lookups?.isEmpty ?? true } }

    // MARK: Batches

    /// Performs a batch's work for a piece of time, beginning with the item at `start`. Returns the
    /// index of the first item that is left.
    @discardableResult
    func process(_ batch: Batch, from start: Int = 0) -> Int {
        dispatchPrecondition(condition: .onQueue(queue))
        let now = Clock.monotonic()
        let step = table.settings.grid.step(at: now)
        table.allowCountingIfBegun()
        // First the lane moves sessions for a piece of time, so that timers precede events. Before
        // each event it moves the session of that event to the step.
        var began = now
        if step > motion.ticker.lastStep {
            motion.tick(to: step, since: now)
            began = Clock.monotonic()
        }
        table.meter.begin(at: began)
        // No session is evicted until the work is done, so one read transaction serves all of it.
        try? storage?.reader.begin()
        let end = perform(batch, from: start, Moment(now: now, step: step))
        storage?.reader.end()
        motion.flushChanged()
        motion.arm()
        table.conclude()
        load.note(nanoseconds: Clock.monotonic() - now, works: end - start)
        // The reactor waits for room in this lane; nothing else would wake it.
        if end == batch.work.count, load.finish(batch) { table.outbox.wake() }
        return end
    }

    /// Does a batch's work in order, from one place on, until a piece of time is over. The piece
    /// began at `moment.now`, before the motion. Returns the first place that is left. `wasHeld`:
    /// the batch has waited for the store. Its work does not wait for the store again, and its
    /// costly requests are performed at once.
    func perform(
        _ batch: Batch, from start: Int = 0, _ moment: Moment, wasHeld: Bool = false
    ) -> Int {
        // By pointers, so that no item is copied.
        unsafe batch.bytes.withUnsafeBytes { bytes in
            unsafe batch.work.withUnsafeBufferPointer { work in
                unsafe perform(work, from: start, bytes, moment, wasHeld)
            }
        }
    }

    private func perform(
        _ work: UnsafeBufferPointer<LaneWork>, from start: Int, _ bytes: UnsafeRawBufferPointer,
        _ moment: Moment, _ wasHeld: Bool
    ) -> Int {
        let readsAhead = table.activeSessions.fillCaches
        // Nil if no work here waits for the store.
        let remoteLookups = wasHeld || lookups?.answersLate != true ? nil : lookups
        var indexOfLastLook = start
        for index in start..<work.count {
            if readsAhead, index + Limits.sessionsAhead < work.count,
                case .event(let event) = unsafe work[index + Limits.sessionsAhead]
            {
                table.activeSessions.readAhead(event.hash)
            }
            // It may change its session's scene, which takes long.
            let mayBeCommand = unsafe work[index].mayBeCommand(bytes)
            let mayWait =
                mayBeCommand || !spare.costly.isEmpty || !table.costlySessions.isEmpty
            let isLeft =
                mayWait
                ? unsafe costly.leaveIfItMustWait(work[index], bytes, moment, wasHeld: wasHeld)
                : false
            let isHeld = unsafe !isLeft && remoteLookups?.holdIfAbsent(work[index], bytes) == true
            if !isLeft, !isHeld {
                if table.meter.isOn {
                    unsafe performMeasured(work[index], bytes, moment, mayLeave: !wasHeld)
                } else {
                    unsafe perform(work[index], bytes, moment, mayLeave: !wasHeld)
                }
            }
            table.sink.postIfLarge()
            // Most items take microseconds. So the clock is read only after those that may take
            // long, after every 16th, and after the last.
            let mayTakeLong = unsafe table.meter.takeHint() || work[index].mayTakeLong(bytes)
            let isDue = (index + 1) % Limits.shortWorksMax == 0 || index + 1 == work.count
            guard mayTakeLong || isDue else { continue }
            let now = Clock.monotonic()
            table.meter.look(at: now, works: index + 1 - indexOfLastLook)
            indexOfLastLook = index + 1
            if now - moment.now >= Limits.pieceMicrosecondsMax * 1_000 { return index + 1 }
        }
        return work.count
    }

    /// Does one item of work, and notes with its session how long an event took the processor.
    @inline(never)
    private func performMeasured(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment, mayLeave: Bool
    ) {
        let began = Clock.processor()
        unsafe perform(work, bytes, moment, mayLeave: mayLeave)
        switch work {
        case .event(let event), .acknowledgedEvent(_, let event):
            let topic = unsafe UnsafeRawBufferPointer(rebasing: bytes[event.topic])
            guard let open = unsafe table.session(of: topic)?.open else { return }
            table.costlySessions.noteEvent(of: open, nanoseconds: Clock.processor() - began)
        case .refusedEvent, .request, .task: break
        }
    }

    /// Does one item of work. `mayLeave`: a costly request may be left to the spare time.
    @inline(__always)
    private func perform(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment, mayLeave: Bool
    ) {
        switch work {
        case .event(let event): unsafe receiver.take(event, in: bytes, moment)
        case .acknowledgedEvent(let envelope, let event):
            unsafe receiver.take(event, answering: envelope, in: bytes, moment)
        case .refusedEvent(let rejection, let event):
            unsafe receiver.tell(rejection, of: event, in: bytes, moment)
        case .request(let envelope, let request):
            if mayLeave, request.isCostly(on: table) {
                costly.leave(request, envelope)
            } else {
                request.perform(on: table, answering: envelope, at: moment)
            }
        case .task(let task): task.perform(on: self, at: moment)
        }
    }
}

extension Lane: WorkPerformer {
    func perform(_ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment) {
        unsafe perform(work, bytes, moment, mayLeave: false)
    }

    func perform(held batch: Batch, from start: Int, _ moment: Moment) -> Int {
        table.allowCountingIfBegun()
        table.meter.begin(at: moment.now)
        let end = perform(batch, from: start, moment, wasHeld: true)
        motion.flushChanged()
        motion.arm()
        if end == batch.work.count, load.finish(events: batch.eventCount, bytes: batch.size) {
            table.outbox.wake()
        }
        return end
    }
}

extension Lane: StorageClient {
    var outbox: Outbox { table.outbox }
    var grid: Grid { table.settings.grid }

    func reply(to replies: [PendingReply], _ outcome: CommitOutcome) {
        table.sink.chunk.reply(to: replies, outcome)
    }

    /// Takes a session out of memory that is stored and not in use.
    func evict(_ session: ActiveSession) {
        table.close(session, .parked, at: grid.step(at: Clock.monotonic()))
    }

    /// Another daemon owns the session: it goes on there.
    func drop(_ session: ActiveSession) {
        let isShared = storage?.rights.driver != nil
        table.close(session, isShared ? .moved(owner: MemberRow?.none.json) : .parked)
    }

    func callStorage(at time: Int) {
        table.queue.later(at: time) { [weak self] in self?.storage?.timerFired() }
    }

    func yieldToStorage() {
        table.queue.later { [weak self] in self?.storage?.yielded() }
    }

    /// A batch was committed, or not. Called by the reactor, which does this for a small batch on
    /// its own thread.
    func commitEnded(_ batch: CommitBatch, _ outcome: CommitOutcome) {
        guard let storage else { return }
        if batch.count <= Limits.inlineEventsMax, load.isIdle {
            queue.sync {
                storage.commitFinished(batch, outcome)
                // If many sessions wait for the next commit, the queue begins it, not the reactor.
                if storage.waitingCount > Limits.gatheredMax {
                    table.queue.later { [table] in table.conclude() }
                } else {
                    table.conclude()
                }
            }
        } else {
            load.waiting.wrappingAdd(1, ordering: .relaxed)
            queue.async { [self] in
                self.storage?.commitFinished(batch, outcome)
                table.conclude()
                load.waiting.wrappingSubtract(1, ordering: .releasing)
            }
        }
    }
}

extension Limits {
    /// Short work between two looks at the clock. An event of a session with reactions does not
    /// count as short, because reactions may set each other off.
    static let shortWorksMax = 16
}
