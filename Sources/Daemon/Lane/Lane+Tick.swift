import CSystem
import Geometry
import Sessions
import Synchronization

extension Lane {
    /// The timer fired.
    func tick() {
        gs_timer_clear(alarm)
        armed = nil
        let step = settings.grid.step(at: Clock.monotonic())
        if step > lastTick { tick(to: step) }
        arm()
        conclude()
    }

    /// Brings everything that wants to be looked at to a step of the daemon's grid.
    func tick(to step: Step) {
        lastTick = step
        earliestWake = nil
        var index = 0
        while index < listed.count {
            let resident = listed[index]
            if let wake = resident.wake, wake <= step {
                advance(resident, to: step)
            }
            if let wake = resident.wake {
                earliestWake = min(earliestWake ?? wake, wake)
                index += 1
            } else {
                resident.isListed = false
                listed.swapAt(index, listed.count - 1)
                listed.removeLast()
            }
        }
    }

    /// Moves one session on, and tells the last frame that it passes.
    private func advance(_ resident: ActiveSession, to step: Step) {
        let statesBefore = sink.states
        let interest = resident.interest.union(broadInterest)
        let look = resident.session.look(
            at: resident.clock(at: step), interest: interest, into: &sink)
        setWake(resident, look)
        storage?.noteChanges(of: resident)
        if let frame = look.frame {
            if sink.states > statesBefore {
                let due = settings.grid.time(of: resident.openedAt + frame.count)
                countFrame(isLate: Clock.monotonic() - due > Step(1).nanoseconds)
            } else if sink.isFull {
                counters.add(.framesSkipped)
            } else if look.isMoving && interest.contains(.state) {
                counters.add(.framesStill)
            }
        }
        if look.jumped > 0 { counters.add(.stepsJumped, look.jumped) }
    }

    private func countFrame(isLate: Bool) {
        counters.add(.frames)
        if isLate { counters.add(.framesLate) }
    }

    /// Tells what a session has to tell at the end of a batch, and lists it if it goes on.
    func finish(_ resident: ActiveSession) {
        let look = resident.session.tell(
            to: resident.interest.union(broadInterest), into: &sink)
        setWake(resident, look)
        guard let wake = resident.wake else { return }
        earliestWake = min(earliestWake ?? wake, wake)
        guard !resident.isListed else { return }
        resident.isListed = true
        listed.append(resident)
    }

    private func setWake(_ resident: ActiveSession, _ look: Session.Look) {
        if look.restsForced > 0 { counters.add(.restsForced, look.restsForced) }
        if look.worldsUnread > 0 { counters.add(.worldsUnread, look.worldsUnread) }
        if resident.isCountedMoving != look.isMoving { count(resident, isMoving: look.isMoving) }
        if !look.isMoving, let interest = resident.interestAtRest {
            resident.interest = interest
            resident.interestAtRest = nil
        }
        resident.wake = look.wake.map { resident.openedAt + $0.count }
    }

    func count(_ resident: ActiveSession, isMoving: Bool) {
        guard resident.isCountedMoving != isMoving else { return }
        resident.isCountedMoving = isMoving
        counters.add(.moving, isMoving ? 1 : -1)
    }

    /// Sets the timer to the next step at which anything wants to be looked at.
    func arm() {
        guard let next = earliestWake else {
            return load.nextTick.store(.max, ordering: .relaxed)
        }
        let time = settings.grid.time(of: next)
        load.nextTick.store(time, ordering: .relaxed)
        guard next != armed else { return }
        armed = next
        gs_timer_set(alarm, Int64(time))
    }
}
