import Geometry
import Sessions
import Synchronization

extension Lane {
    /// The timer fired.
    func tick() {
        ticker.fired()
        let step = settings.grid.step(at: Clock.monotonic())
        if step > ticker.lastStep { tick(to: step) }
        arm()
        conclude()
    }

    /// Brings every session that is due to a step of the daemon's grid.
    func tick(to step: Step) {
        ticker.begin(step)
        var index = 0
        while index < ticker.count {
            let active = ticker[index]
            if let wake = active.wake, wake <= step { advance(active, to: step) }
            index = ticker.relist(at: index)
        }
    }

    /// Moves one session on, and publishes the last frame that it passes.
    private func advance(_ active: ActiveSession, to step: Step) {
        let statesBefore = sink.states
        let interest = interests.channels(of: active)
        let frame = active.session.renderFrame(
            at: active.clock(at: step), interest: interest, into: &sink)
        setWake(of: active, frame)
        storage?.noteChanges(of: active)
        if let step = frame.step {
            if sink.states > statesBefore {
                let due = settings.grid.time(of: active.openedAt + step.count)
                countFrame(isLate: Clock.monotonic() - due > Step(1).nanoseconds)
            } else if sink.isFull {
                counters.add(.framesSkipped)
            } else if frame.isMoving && interest.contains(.state) {
                counters.add(.framesStill)
            }
        }
        if frame.jumped > 0 { counters.add(.stepsJumped, frame.jumped) }
    }

    private func countFrame(isLate: Bool) {
        counters.add(.frames)
        if isLate { counters.add(.framesLate) }
    }

    /// Publishes what a session has to tell at the end of a batch, and lists it if it goes on.
    func flush(_ active: ActiveSession) {
        let frame = active.session.flushUrgent(to: interests.channels(of: active), into: &sink)
        setWake(of: active, frame)
        ticker.list(active)
    }

    private func setWake(of active: ActiveSession, _ frame: Session.Frame) {
        if frame.restsForced > 0 { counters.add(.restsForced, frame.restsForced) }
        if frame.worldsUnread > 0 { counters.add(.worldsUnread, frame.worldsUnread) }
        if active.isCountedMoving != frame.isMoving { countMotion(of: active, frame.isMoving) }
        if !frame.isMoving, let interest = active.interestAtRest {
            active.interest = interest
            active.interestAtRest = nil
        }
        active.wake = frame.wake.map { active.openedAt + $0.count }
    }

    /// Counts the sessions that move.
    func countMotion(of active: ActiveSession, _ isMoving: Bool) {
        guard active.isCountedMoving != isMoving else { return }
        active.isCountedMoving = isMoving
        counters.add(.moving, isMoving ? 1 : -1)
    }

    /// Sets the timer to the next step at which any session is due.
    func arm() {
        load.nextTick.store(ticker.arm(settings.grid) ?? .max, ordering: .relaxed)
    }
}
