import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Store
import Synchronization

/// Serves the costly work of a lane: it decides what is left to the spare time, and does it there.
///
/// Three kinds of work are costly: requests that say so, events that change a scene, and events of
/// a session whose events take long. Work behind it for the same session follows it. Events of a
/// session whose reactions change its scene wait here as well, so that each waits for the changes
/// that the ones before it led to. Used on the lane's queue alone.
final class CostlyServer {
    let table: LaneTable
    let receiver: EventReceiver
    let motion: LaneMotion
    /// Nil: nothing is stored.
    private let lookups: StoreLookups?
    let spare: SpareTime
    let load: LaneLoad
    /// The lane, which owns it; nil: the lane has gone, while a block of its queue was waiting.
    private weak var performer: (any WorkPerformer)?

    init(
        _ table: LaneTable, _ receiver: EventReceiver, _ motion: LaneMotion, _ spare: SpareTime,
        lookups: StoreLookups?, load: LaneLoad, performer: any WorkPerformer
    ) {
        self.table = table
        self.receiver = receiver
        self.motion = motion
        self.spare = spare
        self.lookups = lookups
        self.load = load
        self.performer = performer
    }

    // MARK: Serving

    /// Serves a unit that was taken: its request, or what came behind that up to the next costly
    /// event. The rest is put back.
    func serve(_ unit: CostlyWork.Unit) {
        var unit = unit
        if lookups?.holdIfAbsent(unit) == true { return end(unit) }
        // Work in its session's line makes the changes, and is answered by them.
        if unit.isApart, changing(unit) != nil { return spare.costly.putBack(unit) }
        let now = Clock.monotonic()
        let moment = Moment(now: now, step: table.settings.grid.step(at: now))
        table.allowCountingIfBegun()
        try? table.storage?.reader.begin()
        serve(&unit, moment, mayBeCostly: true, isInPieces: true)
        table.storage?.reader.end()
        if isDone(unit) { end(unit) } else { spare.costly.putBack(unit) }
        motion.flushChanged()
    }

    /// The session of a unit that becomes another one; nil: it does not.
    private func changing(_ unit: CostlyWork.Unit) -> ActiveSession? {
        guard let open = unit.session.flatMap({ table.activeSessions[$0] }),
            open.presence.isChanging
        else {
            return nil
        }
        return open
    }

    private func isDone(_ unit: CostlyWork.Unit) -> Bool { unit.isEmpty && changing(unit) == nil }

    private func end(_ unit: CostlyWork.Unit) {
        spare.costly.end(unit)
        load.waiting.wrappingSubtract(1, ordering: .releasing)
    }

    /// Goes on with a unit. `mayBeCostly`: one costly piece of it may be done. `isInPieces`: it
    /// ends where a piece of time is over.
    private func serve(
        _ unit: inout CostlyWork.Unit, _ moment: Moment, mayBeCostly: Bool, isInPieces: Bool
    ) {
        var mayBeCostly = mayBeCostly
        if let open = changing(unit) {
            guard mayBeCostly, motion.makeChange(of: open) else { return }
            answerChange(&unit, moment)
            mayBeCostly = false
        }
        if let request = unit.request {
            guard mayBeCostly else { return }
            mayBeCostly = false
            guard serve(request, &unit, moment) else { return }
            unit.request = nil
            table.sink.postIfLarge()
        }
        table.meter.begin(at: Clock.monotonic())
        while unit.place < unit.followers.work.count {
            if changing(unit) != nil { return }
            if refusesNext(of: &unit, moment) { continue }
            let isCostly = unit.nextIsChange || eventCost(of: unit) != nil
            if isCostly {
                guard mayBeCostly else { return }
                mayBeCostly = false
            }
            guard serveNext(of: &unit, moment) else { return }
            table.sink.postIfLarge()
            let now = Clock.monotonic()
            table.meter.look(at: now, works: 1)
            if isInPieces, now - moment.now >= Limits.pieceMicrosecondsMax * 1_000 { return }
        }
    }

    /// The cost of the events of a unit's session, where they take long; nil: they do not.
    private func eventCost(of unit: CostlyWork.Unit) -> EventCost? {
        guard table.costlySessions.isAnySlow,
            let open = unit.session.flatMap({ table.activeSessions[$0] }),
            open.effort.events.areLong
        else { return nil }
        return open.effort.events
    }

    /// Serves a request; returns false where changes that it led to are left.
    private func serve(
        _ request: CostlyWork.Request, _ unit: inout CostlyWork.Unit, _ moment: Moment
    ) -> Bool {
        // Nobody would read the answer, which is all that the request is for.
        if request.request.isForItsAskerAlone,
            table.outbox.unreachable.contains(request.envelope.identity)
        {
            request.request.refuse(on: table, answering: request.envelope, CostlyWork.busy)
            return true
        }
        let open = unit.session.flatMap { table.activeSessions[$0] }
        unit.isPerformed = true
        return motion.leavesNoChange(open) {
            request.request.perform(on: table, answering: request.envelope, at: moment)
        }
    }

    /// Refuses the next event where it and those behind it would take longer than may wait. They
    /// came before it was known how long each takes.
    private func refusesNext(of unit: inout CostlyWork.Unit, _ moment: Moment) -> Bool {
        guard !unit.nextIsChange, unit.receipt == nil, !unit.hasMoved,
            let cost = eventCost(of: unit), !cost.mayBeShort,
            !spare.costly.mayServeAll(unit, nanoseconds: cost.nanoseconds),
            let event = unit.followers.work[unit.place].event
        else { return false }
        let work = unit.followers.work[unit.place]
        let followers = unit.followers
        unit.pass()
        unsafe followers.bytes.withUnsafeBytes { bytes in
            let frames = unsafe event.frames(in: bytes)
            if case .acknowledgedEvent = work {
                table.counters.add(.rejected)
                work.refuse(CostlyWork.busyWorking, on: table)
            } else {
                receiver.refuse(frames, CostlyWork.busyWorking, moment)
            }
        }
        return true
    }

    /// Does the next follower; returns false where changes that it led to are left.
    private func serveNext(
        of unit: inout CostlyWork.Unit, _ moment: Moment
    ) -> Bool {
        let work = unit.followers.work[unit.place]
        guard let topic = work.event?.topic else {
            unit.pass()
            unsafe performer?.perform(
                work, UnsafeRawBufferPointer(start: nil, count: 0), moment)
            return true
        }
        let followers = unit.followers
        return unsafe followers.bytes.withUnsafeBytes { bytes in
            let topic = unsafe UnsafeRawBufferPointer(rebasing: bytes[topic])
            guard let open = unsafe table.session(of: topic)?.open else {
                unit.pass()
                unsafe performer?.perform(work, bytes, moment)
                return true
            }
            // Motion comes first; it may lead to changes itself.
            var now = moment
            if open.session.areChangesLong {
                // Once: a session that changes itself all the time takes the event where it stands.
                let target = open.clock(at: moment.step)
                if !unit.hasMoved,
                    !motion.leavesNoChange(
                        open,
                        {
                            table.advanceByWeight(open, to: target) {
                                open.session.advance(to: $0)
                            }
                        })
                {
                    unit.hasMoved = true
                    return false
                }
                now = Moment(now: moment.now, step: open.openedAt + open.session.clock.count)
            }
            return unsafe serve(work, of: open, bytes, &unit, now)
        }
    }

    private func serve(
        _ work: LaneWork, of open: ActiveSession, _ bytes: UnsafeRawBufferPointer,
        _ unit: inout CostlyWork.Unit, _ moment: Moment
    ) -> Bool {
        let began = Clock.processor()
        var receipt: EventReceipt?
        let isDone = motion.leavesNoChange(open) {
            unsafe receipt = receiver.receipt(for: work, in: bytes, moment)
            if receipt == nil { unsafe performer?.perform(work, bytes, moment) }
        }
        note(Clock.processor() - began, ofNext: unit, open)
        table.costlySessions.note(open)
        unit.receipt = receipt
        if isDone { unsafe finish(&unit, bytes) }
        return isDone
    }

    /// Notes how long the unit's next event took the processor.
    private func note(_ nanoseconds: Int, ofNext unit: CostlyWork.Unit, _ open: ActiveSession) {
        if unit.nextIsChange {
            open.effort.noteChange(nanoseconds: nanoseconds)
        } else {
            table.costlySessions.noteEvent(of: open, nanoseconds: nanoseconds)
        }
    }

    /// The changes are made to which the request, or the event at the unit's place, has led: it is
    /// answered.
    private func answerChange(_ unit: inout CostlyWork.Unit, _ moment: Moment) {
        if unit.isPerformed, let request = unit.request {
            unit.request = nil
            request.request.changesMade(on: table, answering: request.envelope, at: moment)
        } else if unit.receipt != nil {
            let followers = unit.followers
            unsafe followers.bytes.withUnsafeBytes { unsafe finish(&unit, $0) }
        }
    }

    /// The event at the unit's place is done with all that it led to: it is answered.
    private func finish(_ unit: inout CostlyWork.Unit, _ bytes: UnsafeRawBufferPointer) {
        let (work, receipt) = (unit.followers.work[unit.place], unit.receipt)
        unit.receipt = nil
        unit.pass()
        if let receipt { unsafe receiver.answer(work, receipt, in: bytes) }
    }

    // MARK: Without waiting

    /// Does the events at once that wait because some took long, as long as they turn out to be
    /// short: a flood of short ones behind a few long ones is not refused. `mayEnd` is asked after
    /// each unit.
    func serveMeasured(
        of session: NameKey, _ open: ActiveSession?, _ moment: Moment, mayEnd: () -> Bool
    ) {
        while let open, open.effort.events.mayBeShort, var unit = spare.costly.next(of: session) {
            let isEvent =
                unit.request == nil && changing(unit) == nil && !unit.isEmpty && !unit.nextIsChange
            if isEvent { serve(&unit, moment, mayBeCostly: true, isInPieces: false) }
            if isDone(unit) { end(unit) } else { spare.costly.putBack(unit) }
            if !isEvent || mayEnd() { return }
        }
    }

    /// Does what is light of a session's work at once, up to its next costly event: no light event
    /// is lost because a peer asks. One request that changes the session is served on the way. One
    /// that only its asker would read is set apart: it is answered by what the session is later, so
    /// that a flood of events costs no peer its answer. `mayEnd` is asked after each unit.
    func serveLight(of session: NameKey, _ moment: Moment, mayEnd: () -> Bool) {
        var mayBeCostly = true
        while var unit = spare.costly.next(of: session) {
            let isChanging = changing(unit) != nil
            if !isChanging, unit.request?.request.isForItsAskerAlone == true {
                spare.costly.setApart(requestOf: &unit)
                load.waiting.wrappingAdd(1, ordering: .relaxed)
            }
            let hasRequest = !isChanging && unit.request != nil
            serve(&unit, moment, mayBeCostly: mayBeCostly && hasRequest, isInPieces: false)
            if hasRequest { mayBeCostly = false }
            guard isDone(unit) else { return spare.costly.putBack(unit) }
            end(unit)
            if mayEnd() { return }
        }
    }

    /// Refuses what waits for sessions that go elsewhere: nothing of it was done.
    func refuse(_ refusal: Rejection, of isMeant: (String) -> Bool) {
        for unit in spare.costly.takeAll(of: isMeant) {
            // A session that has changes to make yet goes as it is.
            unit.session.flatMap { table.activeSessions[$0] }?.next = nil
            if let request = unit.request {
                request.request.refuse(on: table, answering: request.envelope, refusal)
            }
            for work in unit.followers.work[unit.place...] { work.refuse(refusal, on: table) }
            load.waiting.wrappingSubtract(1, ordering: .releasing)
        }
    }

    /// Whether the next follower is light, for all that is known.
    private func mayBeLight(_ unit: CostlyWork.Unit) -> Bool {
        !unit.nextIsChange && eventCost(of: unit)?.mayBeShort != false
    }

    /// Refuses the costly work that waits; what is light behind it is done. At the end.
    func refuseAll() {
        let now = Clock.monotonic()
        let moment = Moment(now: now, step: table.settings.grid.step(at: now))
        try? table.storage?.reader.begin()
        while var unit = spare.costly.next() {
            changing(unit)?.next = nil
            if let request = unit.request {
                request.request.refuse(on: table, answering: request.envelope, CostlyWork.busy)
                unit.request = nil
            }
            unit.receipt = nil
            while unit.place < unit.followers.work.count {
                let isDone = mayBeLight(unit) && serveNext(of: &unit, moment)
                if isDone { continue }
                changing(unit)?.next = nil
                unit.receipt = nil
                unit.followers.work[unit.place].refuse(CostlyWork.busy, on: table)
                unit.pass()
            }
            end(unit)
        }
        table.storage?.reader.end()
        motion.flushChanged()
    }
}

extension CostlyWork.Unit {
    /// The next follower is done.
    mutating func pass() { pass(isChange: nextIsChange) }

    /// Whether the next follower is an event that changes the scene.
    fileprivate var nextIsChange: Bool {
        guard place < followers.work.count, let topic = followers.work[place].event?.topic else {
            return false
        }
        return unsafe followers.bytes.withUnsafeBytes { bytes in
            unsafe Topic.isOfWholeSession(
                command: UnsafeRawBufferPointer(rebasing: bytes[topic]))
        }
    }
}
