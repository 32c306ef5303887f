import Dispatch
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Store
import Synchronization

/// Work on sessions that the store reads across a network: it waits, and the lane goes on.
///
/// Before a piece of work is performed its session is asked for, unless that is in memory. An
/// engine that answers at once is asked by `find` itself, as the work needs it.
extension Lane {
    /// Leaves a piece of work to wait for its session, if that has to be read first. Returns false
    /// where it need not wait.
    @inline(__always)
    func hasToLookUp(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        guard let storage, storage.answersLate else { return false }
        return unsafe hasToLookUp(work, bytes, storage)
    }

    private func hasToLookUp(
        _ work: LaneWork, _ bytes: UnsafeRawBufferPointer, _ storage: LaneStorage
    ) -> Bool {
        guard let id = unsafe absentSession(of: work, bytes) else { return false }
        if !storage.lookups.holds(id) {
            // A costly request asks when its turn comes.
            if case .request(_, let request) = work, request.isCostly(on: self) {
                return false
            }
            guard isLookUpNeeded(of: id, storage) else { return false }
        }
        hold(id, storage) { unsafe $0.addCopy(of: work, from: bytes) }
        return true
    }

    /// The session of a piece of work, if it is not in memory and the work may need it.
    private func absentSession(
        of work: LaneWork, _ bytes: UnsafeRawBufferPointer
    ) -> String? {
        switch work {
        case .event(let event), .acknowledgedEvent(_, let event):
            // Frames that are no event need no session.
            guard event.isWhole else { return nil }
            let topic = unsafe UnsafeRawBufferPointer(rebasing: bytes[event.topic])
            guard let place = unsafe Topic.session(in: topic) else { return nil }
            let name = unsafe UnsafeRawBufferPointer(rebasing: topic[place.range])
            guard unsafe activeSessions[name, place.hash] == nil else { return nil }
            return unsafe String(decoding: name, as: UTF8.self)
        case .request(_, let request): return absent(request.subject)
        case .task(let task): return absent(task.subject)
        case .refusedEvent: return nil
        }
    }

    private func absent(_ session: String?) -> String? {
        session.flatMap { activeSessions[$0] == nil ? $0 : nil }
    }

    /// Asks for a session that is not in memory. Whether its answer comes later.
    private func isLookUpNeeded(of id: String, _ storage: LaneStorage) -> Bool {
        guard !storage.writeBehind.isRemoved(id), storage.lookups.answered?.id != id else {
            return false
        }
        let asked = Clock.monotonic()
        let number = storage.lookups.begin(id)
        // An answer at once is given again when the work asks.
        guard
            case .later? = try? storage.reader.lookUp(
                id,
                late: { [weak self] answer in
                    guard let self else { return }
                    queue.async {
                        self.atWork { $0.lookedUp(id, number, answer, asked: asked) }
                    }
                })
        else {
            storage.lookups.cancel(id)
            return false
        }
        counters.add(.lookUps)
        return true
    }

    private func hold(_ id: String, _ storage: LaneStorage, _ add: (inout Batch) -> Void) {
        var (events, size) = (0, 0)
        storage.lookups.hold(id) { batch in
            (events, size) = (-batch.eventCount, -batch.size)
            add(&batch)
            events += batch.eventCount
            size += batch.size
        }
        load.expect(events: events, bytes: size)
    }

    /// Leaves costly work whose turn has come, and what came behind it, to wait for its session, if
    /// that has to be read first.
    func hasToLookUp(_ unit: CostlyWork.Unit) -> Bool {
        guard let storage, storage.answersLate, let id = unit.session, unit.place == 0,
            activeSessions[id] == nil
        else { return false }
        guard storage.lookups.holds(id) || isLookUpNeeded(of: id, storage) else { return false }
        hold(id, storage) { batch in
            if let request = unit.request {
                batch.documentBytes += request.request.documentBytes
                batch.work.append(.request(request.envelope, request.request))
            }
            batch.append(unit.followers)
        }
        return true
    }

    /// The store has answered: the work on the session goes on, as far as it waited.
    private func lookedUp(
        _ id: String, _ number: Int, _ answer: Result<StoredSession?, StoreError>, asked: Int
    ) {
        counters.add(.lookUpMicroseconds, (Clock.monotonic() - asked) / 1_000)
        guard let storage, let batch = storage.lookups.resume(id, number, answer) else { return }
        perform(held: batch)
        storage.lookups.finish()
        arm()
        conclude()
    }

    private func perform(held batch: Batch) {
        let now = Clock.monotonic()
        countIfBegun()
        _ = perform(
            batch, Moment(now: now, step: settings.grid.step(at: now)), wasHeld: true)
        flushChanged()
        if load.finish(events: batch.eventCount, bytes: batch.size) { outbox.wake() }
    }

    // MARK: The end

    /// Whether no work waits for the store any more. Called by the reactor, once it reads no more.
    func isLookedUp() -> Bool { queue.sync { storage?.lookups.isEmpty ?? true } }

    /// Refuses what still waits for the store. At the end.
    func refuseHeld() { refuseHeld(.unread) { _ in true } }

    /// Refuses what waits for sessions that the store is to tell of.
    func refuseHeld(_ rejection: Rejection, of isMeant: (String) -> Bool) {
        for batch in storage?.lookups.removeAll(where: isMeant) ?? [] {
            refuse(batch, rejection)
            _ = load.finish(events: batch.eventCount, bytes: batch.size)
        }
    }

    /// Refuses the requests of a batch that is not done.
    func refuse(_ batch: Batch, _ rejection: Rejection) {
        for work in batch.work { refuse(work, rejection) }
    }

    /// Refuses a piece of work that is not done, if somebody waits for an answer.
    func refuse(_ work: LaneWork, _ rejection: Rejection) {
        switch work {
        case .acknowledgedEvent(let envelope, _): sink.chunk.refuse(envelope, rejection)
        case .request(let envelope, let request):
            request.refuse(on: self, answering: envelope, rejection)
        case .event, .refusedEvent, .task: break
        }
    }
}

extension Rejection {
    /// The store has not answered in time.
    static let unread = Rejection(
        .internal, "the store has not told what it has of the session; send it again")
}

extension Limits {
    /// Seconds for which the end waits for sessions that are being read: as long as a question
    /// may take.
    static let lookUpSecondsMax = 2
}
