import Geometry
import Notation
import Sessions
import Synchronization

extension Lane {
    /// The timer fired.
    func timerFired() {
        ticker.fired()
        turn()
    }

    /// Brings sessions that are due to a step of the daemon's grid, for a piece of time; what is
    /// left goes on with the next turn.
    func tick(to step: Step, since began: Int) {
        if step > ticker.lastStep, ticker.begin(step) {
            spare.passBegan(at: began)
            if !ticker.isInPass { spare.passEnded(at: began) }
        }
        var last = began
        let wasInPass = ticker.isInPass
        while let active = ticker.next() {
            // A session that was due may have become due later, or rests.
            let lag = active.wake.map { step - $0 } ?? -1
            let isDue = lag >= 0
            if lag > Limits.unwatchedLookSteps { counters.add(.looksLate) }
            if isDue { last = look(at: active, to: step, since: last) }
            if active.effort.weight == .heavy { setAside(active) } else { list(active) }
            if isDue, last - began >= Limits.pieceMicrosecondsMax * 1_000 { break }
        }
        if wasInPass, !ticker.isInPass { spare.passEnded(at: last) }
    }

    /// A session takes too long to move in turn with the others.
    private func setAside(_ active: ActiveSession) {
        counters.add(.throttled)
        guard active.wake != nil else { return }
        active.listing = .spare
        spare.heavy.insert(active)
    }

    /// Looks at a session that is due; returns when it ended.
    private func look(at active: ActiveSession, to step: Step, since began: Int) -> Int {
        guard active.effort.weight == .light else {
            advanceMeasured(active, to: step)
            return Clock.monotonic()
        }
        let ended = advance(active, to: active.clock(at: step))
        active.effort.noteWall(ended - began, limit: spare.heavy.limit)
        return ended
    }

    /// Moves a session on by as many steps as fit a piece, and measures what they take. It makes no
    /// more up than others do; but it makes them up one after the other, so that nobody waits for
    /// all of them.
    func advanceMeasured(_ active: ActiveSession, to step: Step) {
        let target = active.clock(at: step)
        let jumped = active.session.jump(toReach: target)
        if jumped > 0 { counters.add(.stepsJumped, jumped) }
        let steps = min(target - active.session.clock, active.effort.stepsMax)
        let began = Clock.processor()
        advance(active, to: active.session.isMoving ? active.session.clock + steps : target)
        active.effort.noteProcessor(
            Clock.processor() - began, steps: steps, limit: spare.heavy.limit)
    }

    /// Moves one session on to a step of its clock, and publishes the last frame that it passes.
    /// Returns when that was done.
    @discardableResult
    private func advance(_ active: ActiveSession, to target: Step) -> Int {
        let former =
            active.effort.changesItself && active.session.areChangesLong ? active.session : nil
        if former != nil { active.session.leavesChanges = true }
        let shownBefore = sink.shown
        let interest = interests.channels(of: active)
        let frame = active.session.renderFrame(at: target, interest: interest, into: &sink)
        if let former {
            if active.session.hasChangeLeft {
                leaveChanges(of: active, insteadOf: former)
                return Clock.monotonic()
            }
            active.session.leavesChanges = false
        }
        shelveScene(of: active)
        setWake(of: active, frame)
        storage?.noteChanges(of: active)
        let now = Clock.monotonic()
        if let step = frame.step {
            if sink.shown > shownBefore {
                let due = settings.grid.time(of: active.openedAt + step.count)
                sink.noteFrame(due: due)
            } else if sink.isFull {
                counters.add(.framesSkipped)
            } else if frame.isMoving && !interest.isDisjoint(with: [.state, .frame]) {
                counters.add(.framesStill)
            }
        }
        if frame.jumped > 0 { counters.add(.stepsJumped, frame.jumped) }
        return now
    }

    /// Publishes what a session has to tell at the end of a batch, and lists it if it goes on.
    func flush(_ active: ActiveSession) {
        // It publishes once it has become what it is going to be.
        guard !active.passage.isChanging else { return }
        shelveScene(of: active)
        let frame = active.session.flushUrgent(to: interests.channels(of: active), into: &sink)
        setWake(of: active, frame)
        list(active)
    }

    /// Lists a session that is due at some step, with its like.
    func list(_ active: ActiveSession) {
        guard active.effort.weight == .heavy else {
            let interest = interests.channels(of: active)
            return ticker.list(active, isWatched: !interest.isDisjoint(with: .motion))
        }
        guard active.wake != nil, active.listing == .nowhere else { return }
        active.listing = .spare
        spare.heavy.insert(active)
    }

    private func setWake(of active: ActiveSession, _ frame: Session.Frame) {
        if frame.restsForced > 0 { counters.add(.restsForced, frame.restsForced) }
        if frame.worldsUnread > 0 { counters.add(.worldsUnread, frame.worldsUnread) }
        if frame.reactionsRefused > 0 { counters.add(.reactionsRefused, frame.reactionsRefused) }
        if frame.reactionsStopped > 0 { counters.add(.reactionsStopped, frame.reactionsStopped) }
        if active.isCountedMoving != frame.isMoving { countMotion(of: active, frame.isMoving) }
        if !frame.isMoving, let wanted = active.wanted.atRest {
            active.wanted.byName = wanted
            active.wanted.atRest = nil
        }
        if !frame.isMoving { active.effort.rested() }
        let isStill = active.passage.isGoing || active.passage.isChanging
        active.wake = isStill ? nil : frame.wake.map { active.openedAt + $0.count }
    }

    /// Counts the sessions that move.
    func countMotion(of active: ActiveSession, _ isMoving: Bool) {
        guard active.isCountedMoving != isMoving else { return }
        active.isCountedMoving = isMoving
        counters.add(.moving, isMoving ? 1 : -1)
        if isMoving { storage?.noteUse(of: active) }
    }

    /// Sets the timer to the next step at which any session is due.
    func arm() {
        let heavy = spare.heavy.isEmpty ? nil : spare.heavy.earliestWake
        load.nextTick.store(ticker.arm(settings.grid, others: heavy) ?? .max, ordering: .relaxed)
    }
}
