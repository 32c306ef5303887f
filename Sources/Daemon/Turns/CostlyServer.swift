import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Store
import Synchronization

/// The costly work of a lane: what is left to the spare time, and how it is served there.
///
/// Two kinds of work are costly: requests that say so, and events that change a scene. Work behind
/// it for the same session follows it. Events of a session whose reactions change its scene wait
/// here as well, so that each waits for the changes that the ones before it led to.
extension Lane {
    // MARK: Leaving

    /// Leaves a costly request to the spare time.
    func leave(_ request: any LaneRequest, _ envelope: Envelope) {
        do throws(Rejection) {
            try spare.costly.add(request, envelope)
            load.waiting.wrappingAdd(1, ordering: .relaxed)
        } catch {
            request.refuse(on: self, answering: envelope, error)
        }
    }

    /// Leaves a piece of work to the spare time, where it is costly or follows other work there.
    /// Returns false where it need not wait. `wasHeld`: it has waited for the store already.
    func hasToWait(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment, wasHeld: Bool
    ) -> Bool {
        switch work {
        case .event(let event):
            return unsafe hasToWait(work, event, by: [], nil, bytes, moment, wasHeld: wasHeld)
        case .acknowledgedEvent(let envelope, let event):
            return unsafe hasToWait(
                work, event, by: envelope.identity, envelope, bytes, moment, wasHeld: wasHeld)
        // It changes nothing, so it need not wait.
        case .refusedEvent: return false
        case .request(_, let request):
            guard let hash = request.subject.map({ StableHash($0) }), spare.costly.holds(hash),
                !request.isCostly(on: self)
            else { return false }
            follow(hash, of: request.subject, work)
            return true
        case .task(let task):
            guard task.waitsForChanges, let session = task.subject,
                activeSessions[session]?.passage.isChanging == true
            else { return false }
            follow(StableHash(session), of: session, work)
            return true
        }
    }

    private func hasToWait(
        _ work: LaneWork, _ event: PlacedEvent, by asker: @autoclosure () -> [UInt8],
        _ envelope: Envelope?, _ bytes: UnsafeRawBufferPointer, _ moment: Moment, wasHeld: Bool
    ) -> Bool {
        let frames = unsafe event.frames(in: bytes)
        let isChange = unsafe event.isWhole && Topic.isOfWholeSession(command: frames.topic)
        guard let leaving = leaving(frames, isChange, by: asker()),
            !wasHeld || leaving.open != nil
        else { return false }
        return leave(leaving, envelope, moment) { unsafe $0.addCopy(of: work, from: bytes) }
    }

    private func follow(_ hash: StableHash, of session: String?, _ work: LaneWork) {
        guard spare.costly.follow(hash, of: session, work) else { return }
        load.waiting.wrappingAdd(1, ordering: .relaxed)
    }

    /// An event that is to wait.
    private struct Leaving {
        let frames: EventIntake.Frames
        let isChange: Bool
        let asker: [UInt8]
        let session: String
        let open: ActiveSession?

        var size: Int { unsafe frames.topic.count + frames.body.count }
    }

    /// The event as it is to wait; nil: it need not, or its topic names no session.
    private func leaving(
        _ frames: EventIntake.Frames, _ isChange: Bool, by asker: @autoclosure () -> [UInt8]
    ) -> Leaving? {
        guard
            isChange || spare.costly.holds(frames.hash)
                || spare.changing.contains(frames.hash.value),
            let name = unsafe Topic.session(in: frames.topic)?.range,
            unsafe Topic.isName(
                UnsafeRawBufferPointer(rebasing: frames.topic[name]).assumingMemoryBound(
                    to: UInt8.self))
        else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[name])
        let open = unsafe activeSessions[bytes, frames.hash]
        // A first event opens its session; only a scene of its own takes long.
        let size = unsafe frames.topic.count + frames.body.count
        guard open != nil || size > Limits.shortDocumentBytesMax || spare.costly.holds(frames.hash)
        else { return nil }
        let session = unsafe open?.session.id ?? String(decoding: bytes, as: UTF8.self)
        return Leaving(
            frames: frames, isChange: isChange, asker: asker(), session: session, open: open)
    }

    /// Adds an event, if there is room or can be made; else it is refused. Returns whether that was
    /// done; false: the event need not wait any more.
    private func leave(
        _ event: Leaving, _ envelope: Envelope?, _ moment: Moment,
        _ addCopy: (inout Batch) -> Void
    ) -> Bool {
        let hash = event.frames.hash
        if event.isChange {
            let scene = event.open?.session.scene.text?.utf8.count ?? 0
            let cost = (event.open?.effort ?? Effort()).changeCost(ofBytes: scene + event.size)
            guard spare.costly.hasRoom(forChangeOf: hash, nanoseconds: cost) else {
                refuse(event, envelope, CostlyWork.busyChanging, moment)
                return true
            }
        }
        if !spare.costly.hasRoom(forEvent: event.size, of: hash) {
            serveLight(of: hash, moment)
            let mayWait = spare.costly.hasRoom(forEvent: event.size, of: hash)
            if !event.isChange, !spare.costly.holds(hash), !spare.changing.contains(hash.value) {
                return false
            }
            guard mayWait else {
                refuse(event, envelope, CostlyWork.busy, moment)
                return true
            }
        }
        if spare.costly.add(
            eventOf: event.session, hash, isChange: event.isChange, by: event.asker,
            addCopy)
        {
            load.waiting.wrappingAdd(1, ordering: .relaxed)
        }
        return true
    }

    private func refuse(
        _ event: Leaving, _ envelope: Envelope?, _ rejection: Rejection, _ moment: Moment
    ) {
        counters.add(.rejected)
        if let envelope { return sink.chunk.refuse(envelope, rejection) }
        guard event.open?.passage.isChanging == true else {
            return report(rejection, of: event.frames, event.open, at: moment)
        }
        // The session takes nothing now: it is told by what it becomes.
        guard event.open?.next?.mayReport() == true, mayReport(at: moment) else {
            return countReport(nil)
        }
        let report = event.frames.report(rejection)
        countReport(report)
        event.open?.next?.report(report)
    }

    // MARK: Serving

    /// Serves a unit that was taken: its request, or what came behind that up to the next costly
    /// event. The rest is put back.
    func serve(_ unit: CostlyWork.Unit) {
        var unit = unit
        if hasToLookUp(unit) { return end(unit) }
        let now = Clock.monotonic()
        let moment = Moment(now: now, step: settings.grid.step(at: now))
        countIfBegun()
        try? storage?.reader.begin()
        serve(&unit, moment, mayBeCostly: true, isInPieces: true)
        storage?.reader.end()
        if isDone(unit) { end(unit) } else { spare.costly.putBack(unit) }
        flushChanged()
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
            guard mayBeCostly, makeChange(of: open, for: &unit, moment) else { return }
            mayBeCostly = false
        }
        if let request = unit.request {
            guard mayBeCostly else { return }
            mayBeCostly = false
            guard serve(request, &unit, moment) else { return }
            unit.request = nil
            sink.postIfLarge()
        }
        var count = 0
        while unit.place < unit.followers.work.count {
            if changing(unit) != nil { return }
            let isCostly = unit.nextIsChange
            if isCostly {
                guard mayBeCostly else { return }
                mayBeCostly = false
            }
            guard serveNext(of: &unit, isCostly: isCostly, moment) else { return }
            sink.postIfLarge()
            count += 1
            if isInPieces, count % Limits.shortWorksMax == 0, isPieceOver(since: moment.now) {
                return
            }
        }
    }

    /// Serves a request; returns false where changes that it led to are left.
    private func serve(
        _ request: CostlyWork.Request, _ unit: inout CostlyWork.Unit, _ moment: Moment
    ) -> Bool {
        // Nobody would read the answer, which is all that the request is for.
        if request.request.isForItsAskerAlone,
            outbox.unreachable.contains(request.envelope.identity)
        {
            request.request.refuse(on: self, answering: request.envelope, CostlyWork.busy)
            return true
        }
        let open = unit.session.flatMap { activeSessions[$0] }
        unit.isPerformed = true
        return leavesNoChange(open) {
            request.request.perform(on: self, answering: request.envelope, at: moment)
        }
    }

    /// Does the next follower; returns false where changes that it led to are left.
    private func serveNext(
        of unit: inout CostlyWork.Unit, isCostly: Bool, _ moment: Moment
    ) -> Bool {
        let work = unit.followers.work[unit.place]
        guard let topic = work.event?.topic else {
            unit.pass()
            unsafe perform(
                work, UnsafeRawBufferPointer(start: nil, count: 0), moment, mayLeave: false)
            return true
        }
        let followers = unit.followers
        return unsafe followers.bytes.withUnsafeBytes { bytes in
            let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[topic])
            let open = unsafe Topic.session(in: name).flatMap { place in
                unsafe activeSessions[
                    UnsafeRawBufferPointer(rebasing: name[place.range]), place.hash]
            }
            guard let open else {
                unit.pass()
                unsafe perform(work, bytes, moment, mayLeave: false)
                return true
            }
            // Motion comes first; it may lead to changes itself.
            var now = moment
            if open.session.areChangesLong {
                // Once: a session that changes itself all the time takes the event where it stands.
                let target = open.clock(at: moment.step)
                if !unit.hasMoved,
                    !leavesNoChange(open, { _ = open.session.advance(to: target) })
                {
                    unit.hasMoved = true
                    return false
                }
                now = Moment(now: moment.now, step: open.openedAt + open.session.clock.count)
            }
            return unsafe serve(work, of: open, bytes, &unit, now, isCostly: isCostly)
        }
    }

    private func serve(
        _ work: LaneWork, of open: ActiveSession, _ bytes: UnsafeRawBufferPointer,
        _ unit: inout CostlyWork.Unit, _ moment: Moment, isCostly: Bool
    ) -> Bool {
        let began = isCostly ? Clock.processor() : 0
        var receipt: EventIntake.Receipt?
        let isDone = leavesNoChange(open) {
            unsafe receipt = receive(work, bytes, moment)
        }
        if isCostly { open.effort.noteChange(nanoseconds: Clock.processor() - began) }
        noteChanging(open)
        unit.receipt = receipt
        if isDone { unsafe finish(&unit, bytes) }
        return isDone
    }

    /// The event at the unit's place is done with all that it led to: it is answered.
    func finish(_ unit: inout CostlyWork.Unit, _ bytes: UnsafeRawBufferPointer) {
        let (work, receipt) = (unit.followers.work[unit.place], unit.receipt)
        unit.receipt = nil
        unit.pass()
        if let receipt { unsafe answer(work, receipt, bytes) }
    }

    // MARK: Without waiting

    /// Does what is light of a session's work at once, up to its next costly event: no light event
    /// is lost because somebody asks. Behind the first request, what only its asker would read is
    /// refused, so that this takes a bounded time.
    private func serveLight(of session: StableHash, _ moment: Moment) {
        var isFirst = true
        while var unit = spare.costly.next(of: session) {
            if let request = unit.request, changing(unit) == nil,
                !isFirst, request.request.isForItsAskerAlone
            {
                request.request.refuse(
                    on: self, answering: request.envelope, CostlyWork.busy)
                unit.request = nil
            }
            let mayBeCostly = isFirst && unit.request != nil && changing(unit) == nil
            serve(&unit, moment, mayBeCostly: mayBeCostly, isInPieces: false)
            isFirst = false
            guard isDone(unit) else { return spare.costly.putBack(unit) }
            end(unit)
        }
    }

    /// Refuses the costly work that waits; what is light behind it is done. At the end.
    func refuseCostly() {
        let now = Clock.monotonic()
        let moment = Moment(now: now, step: settings.grid.step(at: now))
        try? storage?.reader.begin()
        while var unit = spare.costly.next() {
            changing(unit)?.next = nil
            if let request = unit.request {
                request.request.refuse(on: self, answering: request.envelope, CostlyWork.busy)
                unit.request = nil
            }
            unit.receipt = nil
            while unit.place < unit.followers.work.count {
                let isDone =
                    !unit.nextIsChange && serveNext(of: &unit, isCostly: false, moment)
                if isDone { continue }
                changing(unit)?.next = nil
                unit.receipt = nil
                refuse(unit.followers.work[unit.place], CostlyWork.busy)
                unit.pass()
            }
            end(unit)
        }
        storage?.reader.end()
        flushChanged()
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
