import Codec
import Geometry
import Interactions
import Notation
import Protocol
import Sessions

/// The sessions of a lane, by the rules that the simulator shares; see ``SessionTable``.
///
/// Events (``EventReceiver``), requests and tasks change an ``ActiveSession`` here; at the end of a
/// piece of work ``LaneMotion`` has each changed session publish into the ``LaneSink``, and
/// `conclude` stores and posts. Used on the lane's queue alone, which the compiler cannot check.
final class LaneTable: SessionTable, @unchecked Sendable {
    typealias Received = EventFrames

    let number: Int
    var settings: LaneSettings
    let counters: Counters
    let queue: LaneQueue
    var opener: SessionOpener
    let activeSessions: ActiveSessions
    let interests = Interests()
    var reporter: RejectionReporter
    var sink: LaneSink
    /// Nil: nothing is stored.
    let storage: LaneStorage?
    /// Sessions whose stored record cannot be read.
    var unreadable = UnreadableSessions()
    /// The sessions that take too long to move in turn with the others.
    let heavy = HeavySessions()
    /// Requests that read the store in pieces.
    let pieces: RequestPieces
    /// The sessions whose events or changes take long.
    var costlySessions: CostlySessions
    /// The nanoseconds that requests took of late.
    var costs = RequestCosts()
    /// Measures how long events take.
    var meter = EventMeter()

    init(
        number: Int, settings: LaneSettings, counters: Counters, queue: LaneQueue, sink: LaneSink,
        reporter: RejectionReporter, storage: LaneStorage?
    ) {
        self.number = number
        self.settings = settings
        self.counters = counters
        self.queue = queue
        self.sink = sink
        self.reporter = reporter
        self.storage = storage
        pieces = RequestPieces(queue, sink.outbox)
        opener = SessionOpener(
            scenes: settings.scenes, autoOpen: settings.autoOpen.map { .named($0) },
            frameRate: settings.frameRate,
            epochs: EpochNames(
                epoch: settings.epoch, lane: number, laneCount: settings.choice.count))
        activeSessions = ActiveSessions(versionFloor: settings.versionFloor)
        costlySessions = CostlySessions(settings.choice)
    }

    var outbox: Outbox { sink.outbox }

    /// Adopts the settings of a reload. Open sessions keep their scene and frame rate; `update` can
    /// give them a new scene.
    func adopt(_ settings: LaneSettings) {
        self.settings = settings
        opener.scenes = settings.scenes
        unreadable.forgetAll()
        for active in activeSessions.all {
            active.session.catalog = opener.catalog
            active.next?.catalog = opener.catalog
        }
        opener.autoOpen = settings.autoOpen.map { .named($0) }
        opener.frameRate = settings.frameRate
        for active in activeSessions.all { tellTouches(of: active) }
    }

    /// Has a session tell its contacts, or no more, as the settings say.
    func tellTouches(of active: ActiveSession) {
        if active.session.tellTouches(settings.tellsTouches) { markChanged(active) }
        _ = active.next?.tellTouches(settings.tellsTouches)
    }

    /// Ends a piece of work: stores what is due, and posts what was published.
    func conclude() {
        storage?.workEnded()
        sink.post()
        let counts = sink.takeCounts()
        counters.add(.updates, counts.updates)
        counters.add(.states, counts.states)
        if sink.transitionsSkipped > 0 {
            counters.add(.transitionsSkipped, sink.takeSkipped())
        }
    }

    // MARK: Where sessions stand

    func openSession(_ id: String) -> ActiveSession? { activeSessions[id] }

    /// A keyed hash of a session's name, by which costly work finds the session. Each start
    /// of the daemon makes a new secret for the hash.
    func nameKey(of session: String) -> NameKey { settings.choice.key(of: session) }

    func nameKey(of session: UnsafeRawBufferPointer) -> NameKey {
        unsafe settings.choice.key(of: RawSpan(_unsafeBytes: session))
    }

    /// The session that a topic names, as far as its bytes name one.
    func session(
        of topic: UnsafeRawBufferPointer
    ) -> (name: UnsafeRawBufferPointer, open: ActiveSession?)? {
        guard let place = unsafe Topic.session(in: topic) else { return nil }
        let name = unsafe UnsafeRawBufferPointer(rebasing: topic[place.range])
        return unsafe (name, activeSessions[name, place.hash])
    }

    func makeSession(_ id: String, _ scene: Scene, at moment: Moment) -> ActiveSession {
        makeSession(id, scene, .new(version: formerVersion(of: id)), at: moment)
    }

    func makeSession(
        _ id: String, _ scene: Scene, _ beginning: Session.Beginning, at moment: Moment
    ) -> ActiveSession {
        let grid = settings.grid
        let openedAt = grid.next(at: moment.now)
        let ahead = grid.time(of: openedAt) - Clock.monotonic()
        let session = opener.makeSession(
            id, settings.shelf.shared(scene), opened: Instant(nanoseconds: Clock.wall() + ahead),
            beginning: beginning,
            key: idHashKey, mayCount: mayCount)
        let made = ActiveSession(session, openedAt: openedAt, interest: interests[id])
        tellTouches(of: made)
        return made
    }

    /// The last version that a former session of this name may have published.
    func formerVersion(of id: String) -> Int {
        guard let storage else { return activeSessions.formerVersions[id] }
        return max(activeSessions.formerVersions[id], storage.rights[id].versionFloor)
    }

    /// The key under which the ids of events are hashed.
    var idHashKey: UInt128 { storage?.writer.key ?? settings.key }

    func insert(_ active: ActiveSession) throws(Rejection) {
        if counters.fetchAdd(.sessions, 1) >= settings.sessionsMax {
            counters.add(.sessions, -1)
            throw Rejection(
                .sessionLimit, "there are \(settings.sessionsMax) sessions already")
        }
        do throws(Rejection) {
            // The event that opened the session may already have changed its scene.
            let kept = try settings.shelf.insert(active.session.scene)
            active.shelvedText = kept.document
            active.session.share(kept)
        } catch {
            counters.add(.sessions, -1)
            throw error
        }
        activeSessions[active.session.id] = active
        unreadable.forget(active.session.id)
        active.isOpen = true
        costlySessions.note(active)
        storage?.opened(active, saved: active.arrive())
        counters.add(.opened)
        markChanged(active)
    }

    func exchange(_ active: ActiveSession, for next: Scene) throws(Rejection) -> Scene {
        let kept = try settings.shelf.insert(next)
        settings.shelf.remove(active.shelvedText)
        active.shelvedText = kept.document
        counters.add(.changed)
        return kept
    }

    func publishLastWord(of active: ActiveSession) {
        _ = active.session.flushUrgent(to: interests.channels(of: active), into: &sink)
    }

    func remove(_ active: ActiveSession, after event: SessionEvent) {
        activeSessions[active.session.id] = nil
        if !event.isKept {
            activeSessions.formerVersions.remember(
                active.session.badges.version, of: active.session.id)
        }
        settings.shelf.remove(active.shelvedText)
        storage?.closed(active, isEvicted: event.isKept)
        active.isOpen = false
        active.wake = nil
        active.next = nil
        costlySessions.note(active)
        countMotion(of: active, false)
        counters.add(.sessions, -1)
        switch event {
        case .closed: counters.add(.closed)
        case .parked: counters.add(.parked)
        case .expired: counters.add(.expired)
        case .opened, .restored: preconditionFailure("no session ends by \(event)")
        case .moved: break
        }
    }

    /// Ends a session's life at a step.
    func close(_ active: ActiveSession, _ event: SessionEvent, at step: Step) {
        advance(active, to: step)
        close(active, event)
    }

    func removeUnreadable(_ id: String) -> Bool { isRemovalPending(id) || mayRemove && forget(id) }

    // MARK: Time

    /// Advances a session to a step. A heavy session only skips the steps that are too many to
    /// catch up; the spare time runs the rest. A suspect session runs a few steps. A session does
    /// not move here if its motion would change its scene and such changes take long.
    func advance(_ active: ActiveSession, to moment: Moment) {
        advance(active, to: moment.step)
    }

    private func advance(_ active: ActiveSession, to step: Step) {
        let target = active.clock(at: step)
        guard active.session.clock < target, !active.presence.isChanging else { return }
        advanceByWeight(active, to: target) { end in
            guard active.effort.changesItself, active.session.areChangesLong else {
                return active.session.advance(to: end)
            }
            // Changes on the way are made by the session's own motion, one at a time.
            var next = active.session
            next.leavesChanges = true
            let jumped = next.advance(to: end)
            guard !next.hasChangeLeft else { return 0 }
            next.leavesChanges = false
            active.session = next
            return jumped
        }
    }

    /// Advances a session to a step of its clock, or as far as its weight allows at once. `advance`
    /// does it, and returns the steps that it jumped over.
    @inline(__always)
    func advanceByWeight(_ active: ActiveSession, to target: Step, by advance: (Step) -> Int) {
        // Most are light, and asking a session whether it is busy copies it.
        guard active.effort.weight != .light, active.session.isBusy else {
            let jumped = advance(target)
            if jumped > 0 { counters.add(.stepsJumped, jumped) }
            return
        }
        let jumped = active.session.jump(toReach: target)
        if jumped > 0 { counters.add(.stepsJumped, jumped) }
        guard active.effort.weight == .suspect else { return }
        let (end, steps) = active.nextLook(to: target)
        let began = Clock.processor()
        _ = advance(end)
        active.effort.noteProcessor(
            Clock.processor() - began, steps: steps, limit: heavy.limit)
    }

    func milliseconds(of active: ActiveSession, at moment: Moment) -> Double {
        active.milliseconds(at: moment.now, grid: settings.grid)
    }

    /// Notes whether a session moves: it is counted, and marked as used when it begins.
    func countMotion(of active: ActiveSession, _ isMoving: Bool) {
        guard active.isCountedMoving != isMoving else { return }
        active.isCountedMoving = isMoving
        counters.add(.moving, isMoving ? 1 : -1)
        if isMoving { storage?.noteUse(of: active) }
    }

    // MARK: Events

    func obstacle(to event: Event, in active: ActiveSession) -> Rejection? {
        switch event.payload {
        case .notification, .assign: mayChangeCounts(of: active) ? nil : Self.nothingStored
        case .close: mayRemove ? nil : Self.nothingStored
        case .gesture, .command, .open, .change, .replace: nil
        }
    }

    func recordUse(of active: ActiveSession, at moment: Moment) {
        active.recordUse(at: moment.step)
        if active.session.hasReactions { meter.mayHaveReacted = true }
        storage?.noteUse(of: active)
    }

    /// Has a session publish what it has to tell at the end of this batch.
    func markChanged(_ active: ActiveSession) { activeSessions.markChanged(active) }

    // MARK: Reports

    func mayReport(at moment: Moment) -> Bool { reporter.mayReport(at: moment.now) }

    func mayReportWithoutSession(_ event: EventFrames, at moment: Moment) -> Bool {
        let key = event.name.map { name in
            unsafe nameKey(of: UnsafeRawBufferPointer(rebasing: event.topic[name]))
        }
        return reporter.mayReport(withoutSession: key, at: moment.now)
    }

    func publish(_ report: RejectionReport, at moment: Moment) {
        sink.publishWithoutSession(report)
    }

    func countReport(_ report: RejectionReport?) {
        if let report {
            reporter.record(report)
        } else {
            counters.add(.rejectionsUntold)
        }
    }
}

extension SessionEvent {
    /// Whether the store keeps a session that ends so: it comes back, here or at another member.
    fileprivate var isKept: Bool {
        switch self {
        case .parked, .moved: true
        case .opened, .restored, .closed, .expired: false
        }
    }
}
