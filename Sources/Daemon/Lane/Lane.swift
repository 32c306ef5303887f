import Codec
import Dispatch
import Geometry
import Interactions
import Protocol
import Sessions
import Store
import Synchronization

/// A serial queue and the sessions that live on it, all their lives.
///
/// A batch of events passes so: the reactor posts it to the ``Inbox``, or runs it itself if the
/// lane is idle (``InlineExecution``); a `turn` takes it and `process` brings what moves to now
/// (``Ticker``); `perform` decodes each event (``EventIntake``) and hands it to the rules of
/// ``SessionTable``, which change an ``ActiveSession``; at the end each changed session is noted
/// for the store and publishes into the ``LaneSink``. All of it goes in pieces of time, and what
/// takes long has the ``SpareTime`` between them. Each of these types holds its own state; the lane
/// passes work from one to the next. The order within `process` is part of the protocol; everything
/// else may be moved.
///
/// The reactor uses the functions marked "Called by the reactor" and `load`. Everything else
/// runs on the queue, or on the reactor's thread while it holds the queue; hence unchecked. Nothing
/// may block the queue.
final class Lane: @unchecked Sendable {
    let number: Int
    var settings: LaneSettings
    let counters: Counters
    let queue: DispatchQueue
    let load = LaneLoad()
    let inbox = Inbox()
    private(set) lazy var inline = InlineExecution(queue) { [unowned self] in processInline() }

    var intake: EventIntake
    var opener: SessionOpener
    let activeSessions: ActiveSessions
    var interests = Interests()
    var ticker: Ticker
    var spare = SpareTime()
    var sink: LaneSink
    /// Nil: nothing is stored.
    let storage: LaneStorage?

    init(
        number: Int, settings: LaneSettings, counters: Counters, outbox: Outbox,
        budget: RejectionBudget, rejectionLog: RejectionLog, storage: LaneStorage? = nil
    ) throws(StartError) {
        self.number = number
        self.settings = settings
        self.counters = counters
        opener = SessionOpener(
            scenes: settings.scenes, autoOpen: settings.autoOpen.map { .named($0) },
            frameRate: settings.frameRate,
            epochs: EpochNames(
                epoch: settings.epoch, lane: number, laneCount: settings.choice.count))
        intake = EventIntake(reporter: RejectionReporter(budget: budget, log: rejectionLog))
        self.storage = storage
        activeSessions = ActiveSessions(
            versionFloor: settings.versionFloor)
        sink = LaneSink(outbox: outbox)
        queue = DispatchQueue(label: "gestured.lane.\(number)", qos: .userInteractive)
        ticker = try Ticker()
        storage?.lane = self
    }

    var outbox: Outbox { sink.outbox }

    // MARK: Called by the reactor

    /// Sets the timers going; called once, before anything is submitted.
    func start() {
        ticker.timer.start(on: queue) { [weak self] in self?.timerFired() }
        inbox.start(on: queue) { [weak self] in self?.turn() }
        spare.eviction.start(on: queue, idleSteps: settings.idleSteps) { [weak self] in
            self?.atWork { $0.evictionTick() }
        }
    }

    /// Queues one round's work, and leaves an empty batch in its place.
    func submit(_ batch: inout Batch) {
        load.expect(batch)
        load.waiting.wrappingAdd(1, ordering: .relaxed)
        inbox.post(&batch)
    }

    /// Waits until everything submitted is done and posted, but for requests that take long: these
    /// are refused. Called once, at the end.
    func stop() {
        queue.sync {
            refuseCostly()
            // The queue may not have been told of the last batches yet.
            turn()
            performWaiting(until: .all)
            refuseCostly()
            refuseHeld()
            conclude()
            ticker.timer.stop()
            inbox.stop()
            spare.eviction.stop()
        }
    }

    // MARK: Batches

    /// Performs a batch from a piece of work on, for a piece of time; returns the first piece of
    /// work that is left.
    @discardableResult
    func process(_ batch: Batch, from start: Int = 0) -> Int {
        dispatchPrecondition(condition: .onQueue(queue))
        let now = Clock.monotonic()
        let step = settings.grid.step(at: now)
        countIfBegun()
        // Moving sessions come to this step first, so that timers precede events.
        if step > ticker.lastStep { tick(to: step, since: now) }
        // A session leaves memory only between batches, so one view of the store serves them all.
        try? storage?.reader.begin()
        let end = perform(batch, from: start, Moment(now: now, step: step))
        storage?.reader.end()
        flushChanged()
        arm()
        conclude()
        load.note(nanoseconds: Clock.monotonic() - now, works: end - start)
        // The reactor has stopped reading because of this lane; nothing else would wake it.
        if end == batch.work.count, load.finish(batch) { outbox.wake() }
        return end
    }

    /// Publishes what the changed sessions have to tell.
    func flushChanged() {
        for active in activeSessions.changed {
            active.isChanged = false
            guard active.isOpen else { continue }
            storage?.noteChanges(of: active)
            flush(active)
        }
        activeSessions.forgetChanged()
    }

    /// Ends a piece of work: stores what is due, and posts what was published.
    func conclude() {
        storage?.workEnded()
        sink.post()
        let counts = sink.takeCounts()
        counters.add(.updates, counts.updates)
        counters.add(.states, counts.states)
    }
}
