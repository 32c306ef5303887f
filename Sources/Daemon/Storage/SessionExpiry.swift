import Dispatch
import Geometry
import Notation
import Sessions
import Store

/// The sessions of a lane that nobody uses: they leave memory after `idle_timeout`, and the store
/// after `retention`.
///
/// Its timer says when a lane looks at what time alone makes due (``EvictionTimer``). Each look
/// goes in pieces. Used on the lane's queue alone, which the compiler cannot check.
final class SessionExpiry: @unchecked Sendable {
    private let table: LaneTable
    private let motion: LaneMotion
    /// The lane's questions to the store; nil: nothing is stored.
    var lookups: StoreLookups?
    private var eviction = EvictionTimer()

    init(_ table: LaneTable, _ motion: LaneMotion) {
        self.table = table
        self.motion = motion
    }

    private var storage: LaneStorage? { table.storage }

    /// Begins to look; called once.
    func start() {
        let timer = eviction.makeTimer(
            on: table.queue.queue, idleSteps: table.settings.idleSteps
        ) { [weak self] in
            guard let self else { return }
            table.queue.load.whileAtWork { self.tick() }
        }
        timer.activate()
    }

    func stop() { eviction.stop() }

    /// Another time without use counts from now on.
    func schedule(idleSteps: Int) { eviction.schedule(idleSteps: idleSteps) }

    /// Looks at what time alone makes due.
    private func tick() {
        storeUsed()
        let due = eviction.tick()
        if due.isExpiry { expireUnused() }
        if due.isSweep { evictIdle() }
    }

    // MARK: Sessions in memory

    /// Stores what samples alone have changed, of the next part of the used sessions.
    func storeUsed() {
        if storage?.used.beginPhase() ?? false { storeUsedNext() }
    }

    /// Looks at some of them at a time.
    private func storeUsedNext() {
        guard let storage else { return }
        let began = Clock.monotonic()
        while let slot = storage.used.take() {
            storage.lookAtUse(of: slot, retentionSteps: table.settings.retentionSteps)
            if Clock.isPieceOver(since: began) {
                later { $0.storeUsedNext() }
                break
            }
        }
        table.conclude()
    }

    /// Evicts the sessions that nobody has used for too long, or closes them if nothing is stored.
    func evictIdle() {
        guard !eviction.isUnderWay else { return }
        eviction.begin(table.activeSessions.all)
        evictNext()
    }

    /// Looks at some sessions at a time, so that new work need not wait for all of them.
    private func evictNext() {
        let began = Clock.monotonic()
        let step = table.settings.grid.step(at: began)
        for _ in 0..<Limits.evictedAtOnceMax {
            guard let active = eviction.next() else { break }
            guard active.isOpen else { continue }
            evict(active, ifIdleAt: step)
            // A world takes much longer than others.
            if Clock.isPieceOver(since: began) { break }
        }
        if eviction.isUnderWay {
            later { $0.evictNext() }
        }
        table.conclude()
    }

    private func evict(_ active: ActiveSession, ifIdleAt step: Step) {
        // Stored for its heir already: once more, and it may be stored behind the heir's.
        guard !active.presence.isGoing, !active.presence.isChanging else { return }
        let idleSteps = table.settings.idleSteps
        guard step - active.lastEvent >= idleSteps,
            active.session.mayBeParked(
                at: active.clock(at: step),
                unusedSince: active.clock(at: active.lastEvent + idleSteps))
        else { return }
        if let storage {
            storage.noteSamples(of: active)
            storage.idled(active)
        } else {
            table.close(active, .expired, at: step)
        }
    }

    // MARK: Stored sessions

    /// Looks for stored sessions that nobody has used for too long, to drop some of them.
    func expireUnused() {
        guard let storage else { return }
        let wallClock = storage.writer.wallClock
        guard storage.rights.driver == nil else {
            // All marks are of the database's clock.
            guard let now = wallClock.expiryTime(), !storage.rights.shards.isEmpty else { return }
            return askForOld(before: now - table.settings.retentionSteps / Step.perSecond)
        }
        if table.number == 0 { repairMarks(by: wallClock, storage) }
        guard let now = wallClock.expiryTime(), now >= Limits.earliestTime else { return }
        ask(.unused(before: Limits.earliestTime, shards: [], limit: 1)) { expiry, mistimed in
            guard mistimed.isEmpty else { return expiry.refreshMistimed(now) }
            expiry.askForOld(before: now - expiry.table.settings.retentionSteps / Step.perSecond)
        }
    }

    private func askForOld(before time: Int) {
        let shards = storage?.rights.shards ?? []
        ask(.unused(before: time, shards: shards, limit: Limits.expiredAtOnceMax)) {
            $0.expire($1[...])
        }
    }

    /// Asks the store for names; the lane goes on with them on its queue. Where they cannot be
    /// read nothing expires.
    private func ask(
        _ query: StoreQuery, then: @escaping @Sendable (SessionExpiry, [String]) -> Void
    ) {
        storage?.reader.names(query) { [weak self] answer in
            guard let self, case .success(let names) = answer else { return }
            table.queue.later { then(self, names) }
        }
    }

    /// Drops sessions for a piece of time, and the others later.
    private func expire(_ names: ArraySlice<String>) {
        let began = Clock.monotonic()
        let moment = Moment(now: began, step: table.settings.grid.step(at: began))
        var rest = names
        while let id = rest.popFirst() {
            guard isMine(id), table.activeSessions[id] == nil else { continue }
            expire(id, moment)
            if Clock.isPieceOver(since: began) { break }
        }
        motion.flushChanged()
        table.conclude()
        guard !rest.isEmpty else { return }
        later { [rest] in $0.expire(rest) }
    }

    /// Drops a session: at once, or when an engine that answers late has told of it.
    private func expire(_ id: String, _ moment: Moment) {
        if lookups?.holdIfAbsent(for: ExpiryTask(session: id)) != true { table.expire(id, moment) }
    }

    /// Sessions that were used while the clock was not right count as used now.
    private func refreshMistimed(_ now: Int) {
        // A disk that hangs answers none of them.
        guard table.number == 0, let storage, !storage.isRefreshing else { return }
        storage.isRefreshing = true
        let change = StoreChange.refresh(lastUsed: Int.min..<Limits.earliestTime, to: now)
        storage.writer.submit([change], replies: 0) { [weak self] _ in
            self?.later { $0.storage?.isRefreshing = false }
        }
    }

    /// Puts the marks right that a jump of the clock has made wrong.
    private func repairMarks(by wallClock: WallClock, _ storage: LaneStorage) {
        guard let change = wallClock.beginRepair() else { return }
        storage.writer.submit([change], replies: 0) {
            wallClock.endRepair(isDurable: $0 == .durable)
        }
    }

    private func later(_ body: @escaping @Sendable (SessionExpiry) -> Void) {
        table.queue.later { [weak self] in self.map(body) }
    }

    private func isMine(_ id: String) -> Bool {
        guard let storage, storage.rights.includes(id) else { return false }
        return storage.rights.driver != nil || table.settings.choice.lane(of: id) == table.number
    }
}

/// Drops a stored session that was not used for too long; the store has told of it.
private struct ExpiryTask: LaneTask {
    let session: String

    var subject: String? { session }
    var mayTakeLong: Bool { true }

    func perform(on lane: Lane, at moment: Moment) { lane.table.expire(session, moment) }
}

extension Limits {
    /// Stored sessions that a lane deletes at once after `retention`: some milliseconds of work.
    static let expiredAtOnceMax = 256
    /// Sessions that a lane checks for idleness in one piece: some milliseconds of work.
    static let evictedAtOnceMax = 128
}
