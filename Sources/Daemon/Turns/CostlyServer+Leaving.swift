import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Synchronization

/// The decision which work is left to the spare time.
extension CostlyServer {
    /// Whether events of a session wait behind its costly work, or are costly themselves.
    private func mustWait(_ key: NameKey) -> Bool {
        spare.costly.holds(key) || table.costlySessions.contains(key)
    }

    /// Leaves a costly request to the spare time.
    func leave(_ request: any LaneRequest, _ envelope: Envelope) {
        do throws(Rejection) {
            try spare.costly.add(
                request, of: request.subject.map { table.nameKey(of: $0) }, envelope)
            load.waiting.wrappingAdd(1, ordering: .relaxed)
        } catch {
            request.refuse(on: table, answering: envelope, error)
        }
    }

    /// Leaves a piece of work to the spare time, if it is costly or follows other work there.
    /// Returns whether it took the work. `wasHeld`: the work has waited for the store already.
    func leaveIfItMustWait(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ moment: Moment, wasHeld: Bool
    ) -> Bool {
        switch work {
        case .event(let event):
            return unsafe leaveIfItMustWait(
                work, event, by: [], nil, bytes, moment, wasHeld: wasHeld)
        case .acknowledgedEvent(let envelope, let event):
            return unsafe leaveIfItMustWait(
                work, event, by: envelope.identity, envelope, bytes, moment, wasHeld: wasHeld)
        // It changes nothing, so it need not wait.
        case .refusedEvent: return false
        case .request(_, let request):
            guard let key = request.subject.map({ table.nameKey(of: $0) }),
                spare.costly.holds(key), !request.isCostly(on: table)
            else { return false }
            follow(key, of: request.subject, work)
            return true
        case .task(let task):
            guard task.waitsForChanges, let session = task.subject,
                table.activeSessions[session]?.presence.isChanging == true
            else { return false }
            follow(table.nameKey(of: session), of: session, work)
            return true
        }
    }

    private func leaveIfItMustWait(
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

    private func follow(_ key: NameKey, of session: String?, _ work: LaneWork) {
        guard spare.costly.follow(key, of: session, work) else { return }
        load.waiting.wrappingAdd(1, ordering: .relaxed)
    }

    /// An event that is to wait.
    private struct Leaving {
        let frames: EventFrames
        let key: NameKey
        let isChange: Bool
        let asker: [UInt8]
        let session: String
        let open: ActiveSession?

        var size: Int { unsafe frames.topic.count + frames.body.count }
    }

    /// The event as it is to wait; nil: it need not, or its topic names no session.
    private func leaving(
        _ frames: EventFrames, _ isChange: Bool, by asker: @autoclosure () -> [UInt8]
    ) -> Leaving? {
        guard let name = unsafe Topic.session(in: frames.topic)?.range else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: frames.topic[name])
        let key = unsafe table.nameKey(of: bytes)
        guard isChange || mustWait(key),
            unsafe Topic.isName(bytes.assumingMemoryBound(to: UInt8.self))
        else { return nil }
        let open = unsafe table.activeSessions[bytes, frames.hash]
        // A first event opens its session; only a scene of its own takes long.
        let size = unsafe frames.topic.count + frames.body.count
        guard open != nil || size > Limits.shortDocumentBytesMax || spare.costly.holds(key)
        else { return nil }
        let session = unsafe open?.session.id ?? String(decoding: bytes, as: UTF8.self)
        return Leaving(
            frames: frames, key: key, isChange: isChange, asker: asker(), session: session,
            open: open)
    }

    /// Adds an event, if there is room or can be made; else it is refused. Returns whether that was
    /// done; false: the event need not wait any more.
    private func leave(
        _ event: Leaving, _ envelope: Envelope?, _ moment: Moment,
        _ addCopy: (inout Batch) -> Void
    ) -> Bool {
        let key = event.key
        if event.isChange {
            let scene = event.open?.session.scene.text?.utf8.count ?? 0
            let cost = (event.open?.effort ?? Effort()).changeCost(ofBytes: scene + event.size)
            guard spare.costly.hasRoom(forChangeOf: key, nanoseconds: cost) else {
                refuse(event, envelope, CostlyWork.busyChanging, moment)
                return true
            }
        }
        if refusal(of: event) != nil {
            func mayEnd() -> Bool {
                Clock.isPieceOver(since: moment.now) && refusal(of: event) == nil
            }
            serveMeasured(of: key, event.open, moment, mayEnd: mayEnd)
            serveLight(of: key, moment, mayEnd: mayEnd)
            let reason = refusal(of: event)
            if !event.isChange, !mustWait(key) { return false }
            if let reason {
                refuse(event, envelope, reason, moment)
                return true
            }
        }
        if spare.costly.add(
            eventOf: event.session, key, isChange: event.isChange, by: event.asker,
            addCopy)
        {
            load.waiting.wrappingAdd(1, ordering: .relaxed)
        }
        return true
    }

    /// Why an event has no room among those that wait; nil: it has.
    private func refusal(of event: Leaving) -> Rejection? {
        guard spare.costly.hasRoom(forEvent: event.size, of: event.key) else {
            return CostlyWork.busy
        }
        guard !event.isChange, let cost = event.open?.effort.events, cost.areLong,
            !spare.costly.hasRoom(forEventOf: event.key, nanoseconds: cost.nanoseconds)
        else { return nil }
        return CostlyWork.busyWorking
    }

    private func refuse(
        _ event: Leaving, _ envelope: Envelope?, _ rejection: Rejection, _ moment: Moment
    ) {
        table.counters.add(.rejected)
        if table.settings.tap.isOn {
            event.frames.tap(.refused(rejection), to: table.settings.tap)
        }
        if let envelope { return table.sink.chunk.refuse(envelope, rejection) }
        guard event.open?.presence.isChanging == true else {
            return table.report(rejection, of: event.frames, event.open, at: moment)
        }
        // The session takes nothing now: it is told by what it becomes.
        guard event.open?.next?.mayReport() == true, table.mayReport(at: moment) else {
            return table.countReport(nil)
        }
        let report = event.frames.report(rejection)
        table.countReport(report)
        event.open?.next?.report(report)
    }
}
