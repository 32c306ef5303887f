import CSystem
import Codec
import Dispatch
import Geometry
import Glibc
import Interactions
import Notation
import Protocol
import Sessions
import Store
import Synchronization

/// What every lane is told at its making, and by a reload.
struct LaneSettings: Sendable {
    var grid: Grid
    /// The daemon's life; sessions append a number of their own.
    var epoch: String
    var scenes: [String: Scene]
    /// The scene of sessions that open by their first event; nil: none do.
    var autoOpen: String?
    var frameRate: Int
    var sessionsMax: Int
    /// Steps without an event after which a session is parked.
    var idleSteps: Int
    /// Steps without an event after which the store lets go of it.
    var retentionSteps: Int
    var laneCount: Int
    /// Of the ids' hashes, and where versions of counts begin, where no store knows better.
    var key: UInt128
    var floor: Int
}

/// A serial queue and the sessions that live on it, all their lives.
///
/// What says "Called by the reactor", what is pending, `load` and `latencies` may be used
/// from elsewhere. Everything else is touched on the queue alone, or by the reactor while it holds
/// the queue (`runInline`, `settle`, `stop`, `storeLast`, `isStored`); hence unchecked. The queue
/// is never blocked.
final class Lane: @unchecked Sendable {
    let number: Int
    var settings: LaneSettings
    let counters: Counters
    let outbox: Outbox
    let budget: RejectionBudget
    let rejectionLog: RejectionLog
    let queue: DispatchQueue
    /// Tells of the next step at which anything wants to be looked at. The system's own timer, for
    /// one of Dispatch's allocates each time it is set.
    let alarm: CInt
    private let inbox = Inbox()
    /// Made at the start, since Dispatch traps where one goes that was never activated, as those
    /// of the lanes before one that cannot be made.
    private var sources: Sources?
    /// What the queue has taken from the inbox.
    private var taken: [Batch] = []
    /// What the reactor does itself: its own, but for the time of the visit.
    var visited = Visited()
    lazy var visit = InlineBatch(queue) { [unowned self] in processVisited() }
    var sweeper: (any DispatchSourceTimer)? { sources?.sweeper }

    /// Events that were submitted and are not done; the reactor stops reading at the bound.
    let pendingEvents = Atomic<Int>(0)
    /// Their bytes; bounded too.
    let pendingBytes = Atomic<Int>(0)
    /// From the reading of an event to the posting of what it caused.
    let latencies = Mutex(Histogram())
    let load = LaneLoad()

    let decoder = EventDecoder()
    var sink: LaneSink
    var residents = ActiveSessions()
    /// Those that want to be looked at at some step.
    var listed: [ActiveSession] = []
    /// Those that the batch at hand has changed.
    var touched: [ActiveSession] = []
    /// What is wanted by name, also of sessions that are not open yet.
    var interests: [String: Channels] = [:]
    var broadInterest: Channels = []
    /// Contacts whose `began` was refused and opened no session.
    var refusedWithoutSession = RefusedContacts()
    var nowhereLimits = NowhereLimits()
    var lastTick = Step.zero
    /// The first step at which any of the listed wants to be looked at, or one before it.
    var earliestWake: Step?
    /// The step for which the timer is set; nil: it is not.
    var armed: Step?
    /// Those that the sweep under way has not come to yet.
    private var unswept: [ActiveSession] = []
    private var sessionsOpened = 0
    var formerVersions: FormerVersions
    /// What is stored; nil: nothing is.
    var keeping: Keeping?
    /// Where records are written before they leave.
    var document = ByteBuffer(capacity: 1_024)

    init(
        number: Int, settings: LaneSettings, counters: Counters, outbox: Outbox,
        budget: RejectionBudget, rejectionLog: RejectionLog, keeping: Keeping? = nil
    ) throws(StartError) {
        self.number = number
        self.settings = settings
        self.counters = counters
        self.outbox = outbox
        self.budget = budget
        self.rejectionLog = rejectionLog
        self.keeping = keeping
        formerVersions = FormerVersions(floor: keeping?.storeWriter.floor ?? settings.floor)
        sink = LaneSink(outbox: outbox)
        queue = DispatchQueue(label: "gestured.lane.\(number)", qos: .userInteractive)
        alarm = gs_timer_open()
        guard alarm >= 0 else { throw StartError("cannot open a timer") }
    }

    deinit {
        // Of one that has started the timer's source closes it.
        if sources == nil { _ = Glibc.close(alarm) }
    }

    /// What has the queue do something.
    private struct Sources {
        let timer: any DispatchSourceRead
        /// Has it look into the inbox; made once, so that no closure is for each batch.
        let arrivals: any DispatchSourceUserDataAdd
        let sweeper: any DispatchSourceTimer
    }

    /// Sets the timers going; called once, before anything is submitted.
    func start() {
        let sources = Sources(
            timer: DispatchSource.makeReadSource(fileDescriptor: alarm, queue: queue),
            arrivals: DispatchSource.makeUserDataAddSource(queue: queue),
            sweeper: DispatchSource.makeTimerSource(queue: queue))
        self.sources = sources
        sources.timer.setEventHandler { [weak self] in self?.atWork { $0.tick() } }
        sources.timer.setCancelHandler { [alarm] in _ = Glibc.close(alarm) }
        sources.timer.activate()
        sources.arrivals.setEventHandler { [weak self] in self?.processWaiting() }
        sources.arrivals.activate()
        sources.sweeper.setEventHandler { [weak self] in self?.atWork { $0.sweep() } }
        scheduleSweeps()
        sources.sweeper.activate()
    }

    /// Queues one round's work, and leaves an empty batch in its place. Called by the reactor.
    func submit(_ batch: inout Batch) {
        expect(batch)
        load.waiting.wrappingAdd(1, ordering: .relaxed)
        inbox.post(&batch)
        sources?.arrivals.add(data: 1)
    }

    /// Counts what is to be processed, which counts it off.
    func expect(_ batch: Batch) {
        pendingEvents.wrappingAdd(batch.eventCount, ordering: .relaxed)
        pendingBytes.wrappingAdd(batch.size, ordering: .relaxed)
    }

    /// Whether more events may be submitted.
    var hasRoom: Bool {
        pendingEvents.load(ordering: .relaxed) < Limits.laneEventsMax
            && pendingBytes.load(ordering: .relaxed) < Limits.laneBytesMax
    }

    /// Waits until everything submitted is done and posted. Called by the reactor, at the end.
    func stop() {
        queue.sync {
            // Of the last ones the queue may not have been told yet.
            processWaiting()
            sources?.timer.cancel()
            sources?.arrivals.cancel()
            sources?.sweeper.cancel()
        }
    }

    // MARK: A round

    /// Does what waits by now; what comes meanwhile follows what else the queue has to do.
    private func processWaiting() {
        inbox.take(into: &taken)
        for index in taken.indices {
            process(taken[index])
            load.waiting.wrappingSubtract(1, ordering: .releasing)
        }
        inbox.recycle(&taken)
    }

    func process(_ batch: Batch) {
        dispatchPrecondition(condition: .onQueue(queue))
        let now = Clock.monotonic()
        let step = settings.grid.step(at: now)
        countIfBegun()
        // What moves comes to this step first, so that timers precede events.
        if step > lastTick { tick(to: step) }
        // Nothing of what is away from memory changes meanwhile: it leaves memory between batches.
        try? keeping?.reader.begin()
        perform(batch, Moment(now: now, step: step))
        keeping?.reader.end()
        for resident in touched {
            resident.isTouched = false
            guard resident.isOpen else { continue }
            noteIfSettledAnew(resident)
            finish(resident)
        }
        touched.removeAll(keepingCapacity: true)
        arm()
        finish(batch)
    }

    private func finish(_ batch: Batch) {
        conclude()
        let before = pendingEvents.wrappingSubtract(
            batch.eventCount, ordering: .relaxed
        ).oldValue
        let bytesBefore = pendingBytes.wrappingSubtract(
            batch.size, ordering: .relaxed
        ).oldValue
        // The reactor has stopped reading because of this lane; nothing else would wake it.
        if before >= Limits.laneEventsMax || bytesBefore >= Limits.laneBytesMax { outbox.wake() }
        let waited = Clock.monotonic() - batch.received
        latencies.withLock { $0.record(nanoseconds: waited, times: batch.eventCount) }
    }

    /// Hands over what is due, and sends what came of a piece of work: the end of each.
    func conclude() {
        handOverIfDue()
        sink.post()
        addCounts()
    }

    private func addCounts() {
        let counts = sink.takeCounts()
        counters.add(.updates, counts.updates)
        counters.add(.states, counts.states)
    }

    /// Remembers that a session has something to tell at the end of this batch.
    func touch(_ resident: ActiveSession) {
        guard !resident.isTouched else { return }
        resident.isTouched = true
        touched.append(resident)
    }

    // MARK: Sessions

    /// The session of a first event, open or not: it is not kept until `keep`.
    func makeSession(
        _ id: String, _ scene: Scene, _ beginning: Session.Beginning? = nil, at moment: Moment
    ) -> ActiveSession {
        let grid = settings.grid
        let openedAt = grid.next(at: moment.now)
        let ahead = grid.time(of: openedAt) - Clock.monotonic()
        var session = Session(
            id: id, epoch: nextEpoch, scene: scene,
            opened: Instant(nanoseconds: Clock.wall() + ahead), frameRate: settings.frameRate,
            beginning: beginning ?? .new(version: formerVersion(of: id)), key: key)
        session.mayCount = mayCount
        return ActiveSession(session, openedAt: openedAt, interest: interests[id] ?? [])
    }

    /// Of the next session that is kept.
    var nextEpoch: String { "\(settings.epoch).\(nextNumber)" }

    /// The last version that a session of this name may have told.
    func formerVersion(of id: String) -> Int { formerVersions[id] }

    /// Of the ids' hashes.
    var key: UInt128 { keeping?.storeWriter.key ?? settings.key }

    /// Different on every lane, so that no two sessions of this daemon share an epoch.
    private var nextNumber: Int { sessionsOpened * settings.laneCount + number + 1 }

    /// Opens a made session for all to see.
    func keep(_ resident: ActiveSession) throws(Rejection) {
        if counters.fetchAdd(.sessions, 1) >= settings.sessionsMax {
            counters.add(.sessions, -1)
            throw Rejection(
                .sessionLimit, "there are \(settings.sessionsMax) sessions already")
        }
        sessionsOpened += 1
        residents[resident.session.id] = resident
        resident.session.suppress(refusedWithoutSession.remove(of: resident.session.id))
        resident.isOpen = true
        counters.add(.opened)
        touch(resident)
    }

    /// Ends a session's life with its last update.
    func drop(_ resident: ActiveSession, _ event: SessionEvent) {
        resident.session.end(event)
        _ = resident.session.tell(to: resident.interest.union(broadInterest), into: &sink)
        residents[resident.session.id] = nil
        if event != .parked {
            formerVersions.remember(resident.session.badges.version, of: resident.session.id)
            unstore(resident)
        }
        resident.isOpen = false
        resident.wake = nil
        count(resident, isMoving: false)
        counters.add(.sessions, -1)
        switch event {
        case .closed: counters.add(.closed)
        case .parked: counters.add(.parked)
        case .expired, .opened, .restored: counters.add(.expired)
        }
    }

    /// Parks the sessions that nobody has sent anything to for too long, or drops them where
    /// nothing is stored.
    private func sweep() {
        // The last one may be under way still.
        guard unswept.isEmpty else { return }
        unswept = residents.all
        sweepOn()
    }

    /// Some at a time, so that what comes meanwhile need not wait for all of them.
    private func sweepOn() {
        let began = Clock.monotonic()
        let step = settings.grid.step(at: began)
        for _ in 0..<Limits.sweptAtOnceMax {
            guard let resident = unswept.popLast() else { break }
            guard resident.isOpen else { continue }
            sweep(resident, at: step)
            // A world takes much longer than others.
            if isPieceOver(since: began) { break }
        }
        if unswept.isEmpty {
            expire(at: step)
        } else {
            queue.async { [weak self] in self?.atWork { $0.sweepOn() } }
        }
        conclude()
    }

    private func sweep(_ resident: ActiveSession, at step: Step) {
        // Samples are noted here alone; what rests is not looked at again and again.
        noteIfUsed(resident)
        guard step - resident.lastEvent >= settings.idleSteps else {
            refresh(resident, at: step)
            return
        }
        if keeping != nil {
            // Stored anew while it is on its way, it would never go.
            guard !resident.isParking || !resident.isBeingStored else { return }
            resident.isParking = true
            store(resident)
        } else {
            drop(resident, .expired, at: step)
        }
    }

    /// Ends a session's life at a step.
    func drop(_ resident: ActiveSession, _ event: SessionEvent, at step: Step) {
        resident.session.advance(to: resident.clock(at: step))
        drop(resident, event)
    }
}

/// When a batch is handled: one reading of the clock for all of it.
struct Moment {
    /// The monotonic clock.
    var now: Int
    /// The daemon's step at that time.
    var step: Step
}
