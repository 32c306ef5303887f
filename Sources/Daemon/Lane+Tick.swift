import Dispatch
import Geometry
import Sessions

extension Lane {
    /// The timer fired.
    func tick() {
        armed = nil
        let step = settings.grid.step(at: Clock.monotonic())
        if step > lastTick { tick(to: step) }
        arm()
        sink.post()
        addCounts()
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
                setWake(resident)
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

    /// Moves one session on, and shows the last frame that it passes.
    ///
    /// A late tick shows one frame, not all that it missed: the newest.
    private func advance(_ resident: Resident, to step: Step) {
        let target = resident.clock(at: step)
        let frame = resident.session.frame(notAfter: target)
        var jumped = 0
        if frame > resident.session.clock {
            jumped += resident.session.advance(to: frame)
            let statesBefore = sink.states
            flush(resident, inFrame: true)
            if sink.states > statesBefore {
                let due = settings.grid.time(of: resident.openedAt + frame.count)
                countFrame(isLate: Clock.monotonic() - due > Step(1).nanoseconds)
            } else if sink.isFull {
                counters.add(.framesSkipped)
            }
        }
        if target > resident.session.clock {
            jumped += resident.session.advance(to: target)
            flush(resident, inFrame: false)
        }
        if jumped > 0 { counters.add(.stepsJumped, jumped) }
    }

    private func countFrame(isLate: Bool) {
        counters.add(.frames)
        if isLate { counters.add(.framesLate) }
    }

    /// Decides when a session wants to be looked at next, and lists it if it does.
    func list(_ resident: Resident) {
        setWake(resident)
        guard let wake = resident.wake else { return }
        earliestWake = min(earliestWake ?? wake, wake)
        guard !resident.isListed else { return }
        resident.isListed = true
        listed.append(resident)
    }

    private func setWake(_ resident: Resident) {
        let isMoving = resident.session.isMoving
        count(resident, isMoving: isMoving)
        if !isMoving, let interest = resident.interestAtRest {
            resident.interest = interest
            resident.interestAtRest = nil
        }
        let wake = resident.session.nextWake(
            interest: resident.interest.union(broadInterest))
        resident.wake = wake.map { resident.openedAt + $0.count }
    }

    func count(_ resident: Resident, isMoving: Bool) {
        guard resident.isCountedMoving != isMoving else { return }
        resident.isCountedMoving = isMoving
        counters.add(.moving, isMoving ? 1 : -1)
    }

    /// Sets the timer to the next step at which anything wants to be looked at.
    func arm() {
        guard let next = earliestWake, next != armed else { return }
        armed = next
        let time = settings.grid.time(of: next)
        timer.schedule(
            deadline: DispatchTime(uptimeNanoseconds: UInt64(time)), leeway: .nanoseconds(0))
    }
}
