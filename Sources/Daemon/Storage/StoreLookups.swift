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
/// engine that answers at once is asked by `find` itself, as the work needs it. Used on the lane's
/// queue alone, which the compiler cannot check.
final class StoreLookups: @unchecked Sendable {
    private let table: LaneTable
    private let storage: LaneStorage
    /// The lane, which owns it; nil: the lane has gone, while a block of its queue was waiting.
    private weak var performer: (any WorkPerformer)?

    init(_ table: LaneTable, _ storage: LaneStorage, performer: any WorkPerformer) {
        self.table = table
        self.storage = storage
        self.performer = performer
    }

    /// Whether the store may answer later, so that work has to wait for it.
    var answersLate: Bool { storage.answersLate }

    /// Holds a piece of work back until its session has been read, if the session is not in memory.
    /// Returns whether it took the work.
    func holdIfAbsent(_ work: LaneWork, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let id = unsafe absentSession(of: work, bytes) else { return false }
        if !storage.lookups.holds(id) {
            // A costly request asks when its turn comes.
            if case .request(_, let request) = work, request.isCostly(on: table) {
                return false
            }
            guard unsafe askStore(for: id, isReading: isReading(work, bytes)) else { return false }
        }
        hold(id) { unsafe $0.addCopy(of: work, from: bytes) }
        return true
    }

    /// The same for a task, which has no bytes.
    func holdIfAbsent(for task: any LaneTask) -> Bool {
        guard answersLate else { return false }
        return unsafe holdIfAbsent(.task(task), UnsafeRawBufferPointer(start: nil, count: 0))
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
            guard let (name, open) = unsafe table.session(of: topic) else { return nil }
            if open != nil, !storage.lookups.areAnyGoingOn { return nil }
            return absent(unsafe String(decoding: name, as: UTF8.self))
        case .request(_, let request): return absent(request.subject)
        case .task(let task): return absent(task.subject)
        case .refusedEvent: return nil
        }
    }

    /// The session, unless it is in memory; also one whose work goes on, which more work follows.
    private func absent(_ session: String?) -> String? {
        session.flatMap { isAbsent($0) ? $0 : nil }
    }

    private func isAbsent(_ session: String) -> Bool {
        table.activeSessions[session] == nil || storage.lookups.isGoingOn(session)
    }

    /// Whether a piece of work needs no more of a session than its record. A command or a request
    /// may close it, also where the record cannot be read.
    private func isReading(_ work: LaneWork, _ bytes: UnsafeRawBufferPointer) -> Bool {
        switch work {
        case .request, .task: false
        case .event, .acknowledgedEvent, .refusedEvent: unsafe !work.mayBeCommand(bytes)
        }
    }

    /// Asks the store for a session that is not in memory. Returns whether the answer comes later.
    /// `isReading`: the work comes to nothing where the record is known as unreadable.
    private func askStore(for id: String, isReading: Bool = false) -> Bool {
        guard !storage.writeBehind.isRemoved(id), storage.lookups.answer(of: id) == nil,
            !isReading || !table.isKnownUnreadable(id)
        else { return false }
        let asked = Clock.monotonic()
        let number = storage.lookups.begin(id)
        // An answer at once is given again when the work asks.
        guard
            case .later? = try? storage.reader.lookUp(
                id,
                late: { [weak self] answer in
                    guard let self else { return }
                    table.queue.later { self.lookedUp(id, number, answer, asked: asked) }
                })
        else {
            storage.lookups.cancel(id)
            return false
        }
        table.counters.add(.lookUps)
        return true
    }

    private func hold(_ id: String, _ add: (inout Batch) -> Void) {
        var (events, size) = (0, 0)
        storage.lookups.hold(id) { batch in
            (events, size) = (-batch.eventCount, -batch.size)
            add(&batch)
            events += batch.eventCount
            size += batch.size
        }
        table.queue.load.expect(events: events, bytes: size)
    }

    /// Holds costly work whose turn has come, and what came behind it, until its session has been
    /// read, if the session is not in memory. Returns whether it took the work.
    func holdIfAbsent(_ unit: CostlyWork.Unit) -> Bool {
        guard storage.answersLate, let id = unit.session, unit.place == 0,
            isAbsent(id)
        else { return false }
        guard storage.lookups.holds(id) || askStore(for: id) else { return false }
        hold(id) { batch in
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
        table.counters.add(.lookUpMicroseconds, (Clock.monotonic() - asked) / 1_000)
        if storage.lookups.resume(id, number, answer) { goOn(with: id) }
    }

    /// Does the work that waited for the store's answer about a session. When the piece of time is
    /// over, it lets other sessions work first and comes back for the rest.
    private func goOn(with id: String) {
        let began = Clock.monotonic()
        while let performer, let (batch, place) = storage.lookups.work(of: id) {
            let now = Clock.monotonic()
            let moment = Moment(now: now, step: table.settings.grid.step(at: now))
            storage.lookups.note(done: performer.perform(held: batch, from: place, moment), of: id)
            guard Clock.isPieceOver(since: began) else { continue }
            table.queue.later { [weak self] in self?.goOn(with: id) }
            break
        }
        table.conclude()
    }

    // MARK: The end

    /// Whether no work waits for the store any more.
    var isEmpty: Bool { storage.lookups.isEmpty }

    /// Refuses what still waits for the store. At the end.
    func refuseAll() { refuse(.unread) { _ in true } }

    /// Refuses what waits for sessions that the store is to tell of.
    func refuse(_ rejection: Rejection, of isMeant: (String) -> Bool) {
        for (batch, done) in storage.lookups.removeAll(where: isMeant) {
            for work in batch.work[done...] { work.refuse(rejection, on: table) }
            if table.queue.load.finish(events: batch.eventCount, bytes: batch.size) {
                table.outbox.wake()
            }
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
