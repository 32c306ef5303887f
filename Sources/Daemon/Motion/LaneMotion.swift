import Geometry
import Notation
import Sessions
import Synchronization

/// Moves the sessions of a lane in time, and has them publish.
///
/// `tick` looks at each session that is due at a step, in turn; one that takes too long steps aside
/// and moves in the ``SpareTime``. After each look a session is listed for the step at which it is
/// due next (``Ticker``). Used on the lane's queue alone.
final class LaneMotion {
    let table: LaneTable
    let spare: SpareTime
    let load: LaneLoad
    var ticker: Ticker
    /// When the pass over all sessions that move in turn began, on the monotonic clock.
    private var passBegan = 0

    init(_ table: LaneTable, spare: SpareTime, load: LaneLoad) throws(StartError) {
        self.table = table
        self.spare = spare
        self.load = load
        ticker = try Ticker()
    }

    /// Brings sessions that are due to a step of the daemon's grid, for a piece of time; what is
    /// left goes on with the next turn.
    func tick(to step: Step, since began: Int) {
        if step > ticker.lastStep, ticker.begin(step) {
            passBegan = began
            if !ticker.isInPass { table.heavy.passed(nanoseconds: began - passBegan) }
        }
        var last = began
        let wasInPass = ticker.isInPass
        while let active = ticker.next() {
            // A session that was due may have become due later, or rests.
            let lag = active.wake.map { step - $0 } ?? -1
            let isDue = lag >= 0
            if lag > Limits.unwatchedLookSteps { table.counters.add(.looksLate) }
            if isDue { last = look(at: active, to: step, since: last) }
            if active.effort.weight == .heavy { setAside(active) } else { list(active) }
            if isDue, last - began >= Limits.pieceMicrosecondsMax * 1_000 { break }
        }
        if wasInPass, !ticker.isInPass { table.heavy.passed(nanoseconds: last - passBegan) }
    }

    /// Looks at the next heavy session that is due; returns whether one was.
    func moveHeavy() -> Bool {
        guard !table.heavy.isEmpty else { return false }
        let step = table.settings.grid.step(at: Clock.monotonic())
        guard let active = table.heavy.take(dueAt: step) else { return false }
        advanceMeasured(active, to: step)
        if active.presence.isChanging {
            active.listing = .nowhere
        } else if active.wake == nil || active.effort.weight == .light {
            active.listing = .nowhere
            list(active)
        } else {
            table.heavy.putBack(active)
        }
        return true
    }

    /// A session takes too long to move in turn with the others.
    private func setAside(_ active: ActiveSession) {
        table.counters.add(.throttled)
        guard active.wake != nil else { return }
        active.listing = .spare
        table.heavy.insert(active)
    }

    /// Looks at a session that is due; returns when it ended.
    private func look(at active: ActiveSession, to step: Step, since began: Int) -> Int {
        guard active.effort.weight == .light else {
            advanceMeasured(active, to: step)
            return Clock.monotonic()
        }
        let ended = renderFrame(of: active, at: active.clock(at: step))
        active.effort.noteWall(ended - began, limit: table.heavy.limit)
        return ended
    }

    /// Moves a session on by as many steps as fit a piece, and measures what they take. It makes no
    /// more up than others do; but it makes them up one after the other, so that nobody waits for
    /// all of them.
    func advanceMeasured(_ active: ActiveSession, to step: Step) {
        let target = active.clock(at: step)
        let jumped = active.session.jump(toReach: target)
        if jumped > 0 { table.counters.add(.stepsJumped, jumped) }
        let (end, steps) = active.nextLook(to: target)
        let began = Clock.processor()
        renderFrame(of: active, at: end)
        active.effort.noteProcessor(
            Clock.processor() - began, steps: steps, limit: table.heavy.limit)
    }

    /// Moves one session on to a step of its clock, and publishes the last frame that it passes.
    /// Returns when that was done.
    @discardableResult
    private func renderFrame(of active: ActiveSession, at target: Step) -> Int {
        let former =
            active.effort.changesItself && active.session.areChangesLong ? active.session : nil
        if former != nil { active.session.leavesChanges = true }
        let shownBefore = table.sink.shown
        let interest = table.interests.channels(of: active)
        active.limitFormerBadges(at: ticker.lastStep)
        table.sink.begin(active.effort.publishing, spacing: spacing(of: active))
        defer { active.effort.publishing = table.sink.end() }
        let frame = active.session.renderFrame(at: target, interest: interest, into: &table.sink)
        if let former {
            if active.session.hasChangeLeft {
                leaveChanges(of: active, insteadOf: former)
                return Clock.monotonic()
            }
            active.session.leavesChanges = false
        }
        shelveScene(of: active)
        setWake(of: active, frame)
        table.storage?.noteChanges(of: active)
        let now = Clock.monotonic()
        if let step = frame.step {
            if table.sink.shown > shownBefore {
                let due = table.settings.grid.time(of: active.openedAt + step.count)
                table.sink.noteFrame(due: due)
            } else if table.sink.isFull {
                table.counters.add(.framesSkipped)
            } else if frame.isMoving && !interest.isDisjoint(with: [.state, .frame]) {
                table.counters.add(.framesStill)
            }
        }
        if frame.jumped > 0 { table.counters.add(.stepsJumped, frame.jumped) }
        return now
    }

    /// The frames of which a session publishes one. With `Int.max` it publishes none until the
    /// outbox is faster.
    @inline(__always)
    private func spacing(of active: ActiveSession) -> Int {
        table.sink.isRestrained ? restrained(active) : 1
    }

    @inline(never)
    private func restrained(_ active: ActiveSession) -> Int {
        let outbox = table.outbox
        let subscribers = table.interests.subscribers.count(of: active)
        if outbox.isSlow, subscribers >= Limits.manySubscribersMin { return .max }
        let spacing = outbox.publishSpacing.load(ordering: .relaxed)
        return Restraint.spacing(spacing, subscribers: subscribers)
    }

    /// Publishes what the changed sessions have to tell.
    @inline(never)
    func flushChanged() {
        for active in table.activeSessions.changed {
            active.isChanged = false
            guard active.isOpen else { continue }
            table.storage?.noteChanges(of: active)
            flush(active)
        }
        table.activeSessions.forgetChanged()
    }

    /// Publishes what a session has to tell at the end of a batch, and lists it if it goes on.
    func flush(_ active: ActiveSession) {
        // It publishes once it has become what it is going to be.
        guard !active.presence.isChanging else { return }
        shelveScene(of: active)
        active.limitFormerBadges(at: ticker.lastStep)
        table.sink.begin(active.effort.publishing, spacing: spacing(of: active))
        let frame = active.session.flushUrgent(
            to: table.interests.channels(of: active), into: &table.sink)
        active.effort.publishing = table.sink.end()
        setWake(of: active, frame)
        list(active)
    }

    /// Lists a session that is due at some step, with its like.
    func list(_ active: ActiveSession) {
        guard active.effort.weight == .heavy else {
            let interest = table.interests.channels(of: active)
            return ticker.list(active, isWatched: !interest.isDisjoint(with: .motion))
        }
        guard active.wake != nil, active.listing == .nowhere else { return }
        active.listing = .spare
        table.heavy.insert(active)
    }

    private func setWake(of active: ActiveSession, _ frame: Session.Frame) {
        if frame.restsForced > 0 { table.counters.add(.restsForced, frame.restsForced) }
        if frame.worldsUnread > 0 { table.counters.add(.worldsUnread, frame.worldsUnread) }
        if frame.reactionsRefused > 0 {
            table.counters.add(.reactionsRefused, frame.reactionsRefused)
        }
        if frame.reactionsStopped > 0 {
            table.counters.add(.reactionsStopped, frame.reactionsStopped)
        }
        if active.isCountedMoving != frame.isMoving {
            table.countMotion(of: active, frame.isMoving)
        }
        if !frame.isMoving, let wanted = active.wanted.atRest {
            active.wanted.byName = wanted
            active.wanted.atRest = nil
        }
        // One whose reactions wait goes on to cost what it does.
        if !frame.isMoving, frame.wake == nil { active.effort.rested() }
        let isStill = active.presence.isGoing || active.presence.isChanging
        active.wake = isStill ? nil : frame.wake.map { active.openedAt + $0.count }
    }

    /// Sets the timer to the next step at which any session is due.
    func arm() {
        let heavy = table.heavy.isEmpty ? nil : table.heavy.earliestWake
        load.nextTick.store(
            ticker.arm(table.settings.grid, others: heavy) ?? .max, ordering: .relaxed)
    }
}
