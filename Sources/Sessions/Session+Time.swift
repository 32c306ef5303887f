package import Geometry
import Gestures
import Interactions
import Notation

/// How a session moves on: when it is due, and what a step does.
extension Session {
    /// The step at which the components are.
    var motion: Step { Step(clock.count - jumped) }

    /// The instant that the session shows now.
    package var instant: Instant { opened + clock }

    /// Whether anything changes with the next step. Inlined, because a call copies the session.
    @inline(__always)
    package var isMoving: Bool { moving != 0 }

    /// Whether more goes on than a saved record tells: motion, contacts, timers, waits.
    package var isUnderWay: Bool {
        isMoving || !trackings.isEmpty || reacting.earliestWait != .never
            || earliestTimer != .never
    }

    /// Whether its waits let it leave memory at the step `now` of its clock. Nobody has used it
    /// since the step `step`.
    ///
    /// Actions that wait keep it, and so do those that follow from them, but not for ever: some
    /// bring about their own cause. An `idle` or `every` keeps it until one has happened.
    package func mayBeParked(at now: Step, unusedSince step: Step) -> Bool {
        if !reacting.waits.isEmpty, now < step.after(seconds: Limits.waitsKeepSeconds) {
            return false
        }
        guard reacting.timers.contains(where: { $0.due != .never }) else { return true }
        return reacting.lastTimerEnd.map { $0 >= step } ?? false
    }

    /// Notes when a component moves by itself, after anything that may change that.
    mutating func reschedule(_ index: Int, _ own: Schedule) {
        var schedule = own
        // Mostly there is no contact, and this spares a copy of the session.
        if !trackings.isEmpty {
            schedule.timer = min(schedule.timer, trackings.nextTimer(on: index))
        }
        let former = schedules[index]
        guard schedule != former else { return }
        schedules[index] = schedule
        if schedule.isMoving != former.isMoving {
            moving ^= 1 << UInt32(index)
            if !schedule.isMoving { reacting.endCommands(on: index) }
        }
        guard schedule.timer != former.timer else { return }
        earliestTimer = schedules.reduce(.never) { min($0, $1.timer) }
    }

    /// Forgets when components move, for they are others now.
    mutating func forgetSchedules() {
        schedules = machines.map { _ in Schedule(isMoving: false, timer: .never) }
        (moving, earliestTimer) = (0, .never)
    }

    /// The next step of the clock at which this session is due; nil: never.
    package func nextWake(interest: Channels) -> Step? {
        var session = self
        let answer = session.nextAnswer()
        return session.nextWake(interest: interest, answer: answer)
    }

    /// The same, where it is known when a waiting subscription may be answered.
    ///
    /// A session that moves is due at each frame, and less often if nobody watches: it makes up the
    /// steps between on the way.
    ///
    /// It changes nothing. But a call of a function that could not is given a copy of the session,
    /// where the compiler does not put it in line.
    mutating func nextWake(interest: Channels, answer: Step?) -> Step? {
        var next: Step?
        // Asked so, for a property of the session would copy it.
        let isMoving = moving != 0
        if isMoving && interest.isDisjoint(with: .motion) {
            let stride = Limits.unwatchedLookSteps
            next = clock + (stride - (clock.count + unwatchedPhase) % stride)
        } else if isMoving || outgoing.hasChanges(for: interest) {
            next = clock + (frameSteps - clock.count % frameSteps)
        }
        // Mostly nobody touches.
        if touches.publication != nil, let frame = frameOfTouches(interest: interest) {
            next = min(next ?? frame, frame)
        }
        let due = min(earliestTimer, reacting.earliestWait)
        if due != .never {
            let step = max(due + jumped, clock + 1)
            next = min(next ?? step, step)
        }
        if let answer {
            let step = max(answer, clock + 1)
            next = min(next ?? step, step)
        }
        return next
    }

    /// The next frame at which contacts are told, or the one at which the first of them is lost;
    /// nil: nobody wants to know.
    private mutating func frameOfTouches(interest: Channels) -> Step? {
        var step = clock + 1
        if !touches.hasChanges(for: interest) {
            guard touches.isOn, !touches.ledger.isEmpty,
                !interest.isDisjoint(with: [.touches, .frame])
            else { return nil }
            step = max(touches.ledger.earliestLoss + jumped, step)
        }
        return step + (frameSteps - step.count % frameSteps) % frameSteps
    }

    /// The first step at which a waiting subscription may be answered; nil: none waits.
    mutating func nextAnswer() -> Step? {
        let answer = outgoing.nextAnswer()
        guard let own = touches.publication?.answerStep else { return answer }
        return min(answer ?? own, own)
    }

    /// Brings the session to a step of its clock; returns how many steps it jumped over.
    ///
    /// It makes up motion of at most `Limits.stepsMadeUpMax` steps; rest costs nothing. It ends
    /// before the target where a change of the scene is left.
    @discardableResult
    package mutating func advance(to target: Step) -> Int {
        if !isMoving, nextDue == .never {
            // Most sessions rest most of the time.
            clock = max(clock, target)
            return 0
        }
        var budget = Limits.stepsMadeUpMax
        while clock < target, !hasChangeLeft {
            if isMoving {
                guard budget > 0 else { return jump(to: target) }
                let start = clock
                step(atMost: min(budget, target - clock))
                budget -= clock - start
                continue
            }
            // Reactions may wait for each other without end.
            if reacting.earliestWait <= Step(target.count - jumped) {
                guard budget > 0 else { return jump(to: target) }
                budget -= 1
            }
            // At rest only timers count, so the clock runs straight to the next.
            clock =
                nextDue == .never ? target : min(target, max(nextDue + jumped, clock + 1))
            fireTimers()
            reactInStep()
        }
        return 0
    }

    /// Whether it moves, or reactions of its scene wait: either may take long.
    @inline(__always)
    package var isBusy: Bool { moving != 0 || reacting.earliestWait != .never }

    /// The step from which on there is something that may take long, the target at most: at rest
    /// the first at which a reaction has waited long enough.
    package func firstBusyStep(to target: Step) -> Step {
        if isMoving { return clock }
        let wait = reacting.earliestWait
        return wait == .never ? target : min(target, max(clock + 1, wait + jumped))
    }

    private mutating func jump(to target: Step) -> Int {
        let rest = target - clock
        jumped += rest
        clock = target
        return rest
    }

    /// Jumps over the steps to a target that it would not make up, and moves no further; returns
    /// how many they are. So whoever makes steps up one after the other makes those of `advance`.
    package mutating func jump(toReach target: Step) -> Int {
        let start = firstBusyStep(to: target)
        let rest = target - start - Limits.stepsMadeUpMax
        guard rest > 0 else { return 0 }
        jumped += rest
        clock = start + rest
        return rest
    }

    /// One step: physics to it, then its timers. Where one component moves alone, as many steps as
    /// it makes without consequences for others.
    private mutating func step(atMost count: Int) {
        var start = motion
        var end = start + 1
        if moving.nonzeroBitCount == 1, count > 1 { end = max(end, min(start + count, nextDue)) }
        for index in machines.indices where moving & 1 << UInt32(index) != 0 {
            // Each phase may have a reaction.
            if reacting.watchesPhases(of: index) { end = start + 1 }
            let run = machines[index].run(from: start, to: end, into: &effects)
            // Others that begin to move because of it make the last of its steps.
            (start, end) = (Step(run.reached.count - 1), run.reached)
            clock = Step(end.count + jumped)
            if run.isChanged { outgoing.changeState(index, urgently: false) }
            collectEffects(of: index, run.schedule)
        }
        fireTimers()
        reactInStep()
    }

    /// The first step at which a timer or a reaction's wait is due.
    private var nextDue: Step { min(earliestTimer, reacting.earliestWait) }

    mutating func fireTimers() {
        let now = motion
        while earliestTimer <= now {
            for index in schedules.indices where schedules[index].timer <= now {
                // Contacts come first: what their loss ends has no timer any more.
                let former = user
                noteUser(ofContactsOn: index)
                let hasFired = fireContacts(on: index, at: now)
                user = former
                if hasFired { continue }
                machines[index].fire(at: now, into: &effects)
                markDirty(index)  // Silence may have ended what an event began.
                // A timer's change is motion: it is shown with the next frame.
                effects.needsPublish = false
                outgoing.changeState(index, urgently: false)
                collectEffects(of: index)
            }
        }
    }
}

extension Limits {
    /// Steps that are made up after a stall: a quarter of a second, then time is jumped over.
    package static let stepsMadeUpMax = 30
    /// Steps between two looks at a session that moves while nobody watches: 67 ms.
    package static let unwatchedLookSteps = 8
    /// Seconds for which actions that wait keep an unused session in memory: as long as the longest
    /// of them.
    package static let waitsKeepSeconds = NumberRange.durationSecondsMax
}
