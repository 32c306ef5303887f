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
/// queue alone, hence unchecked.
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

    /// Leaves a piece of work to wait for its session, if that has to be read first. Returns false
    /// where it need not wait.
    func hasToLookUp(_ work: LaneWork, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let id = unsafe absentSession(of: work, bytes) else { return false }
        if !storage.lookups.holds(id) {
            // A costly request asks when its turn comes.
            if case .request(_, let request) = work, request.isCostly(on: table) {
                return false
            }
            guard isLookUpNeeded(of: id) else { return false }
        }
        hold(id) { unsafe $0.addCopy(of: work, from: bytes) }
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
            guard let (name, open) = unsafe table.session(of: topic), open == nil else {
                return nil
            }
            return unsafe String(decoding: name, as: UTF8.self)
        case .request(_, let request): return absent(request.subject)
        case .task(let task): return absent(task.subject)
        case .refusedEvent: return nil
        }
    }

    private func absent(_ session: String?) -> String? {
        session.flatMap { table.activeSessions[$0] == nil ? $0 : nil }
    }

    /// Asks for a session that is not in memory. Whether its answer comes later.
    private func isLookUpNeeded(of id: String) -> Bool {
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

    /// Leaves costly work whose turn has come, and what came behind it, to wait for its session, if
    /// that has to be read first.
    func hasToLookUp(_ unit: CostlyWork.Unit) -> Bool {
        guard storage.answersLate, let id = unit.session, unit.place == 0,
            table.activeSessions[id] == nil
        else { return false }
        guard storage.lookups.holds(id) || isLookUpNeeded(of: id) else { return false }
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
        guard let batch = storage.lookups.resume(id, number, answer) else { return }
        let now = Clock.monotonic()
        performer?.perform(held: batch, Moment(now: now, step: table.settings.grid.step(at: now)))
        storage.lookups.finish()
        table.conclude()
    }

    // MARK: The end

    /// Whether no work waits for the store any more.
    var isEmpty: Bool { storage.lookups.isEmpty }

    /// Refuses what still waits for the store. At the end.
    func refuseAll() { refuse(.unread) { _ in true } }

    /// Refuses what waits for sessions that the store is to tell of.
    func refuse(_ rejection: Rejection, of isMeant: (String) -> Bool) {
        for batch in storage.lookups.removeAll(where: isMeant) {
            for work in batch.work { work.refuse(rejection, on: table) }
            _ = table.queue.load.finish(events: batch.eventCount, bytes: batch.size)
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
