import Dispatch
import Geometry
import Interactions
import Sessions
import Store
import Wire

/// What a lane knows of the store.
struct Keeping {
    let keeper: Keeper
    let reader: any StoreReader
    /// Whether the lane knows that the store's life has begun.
    var hasBegun: Bool
    /// Sessions that have settled otherwise than the store knows.
    var unstored: [Resident] = []
    /// Sessions that are gone, by their last version, that the store is still to forget.
    var removed: [String: Int] = [:]
    /// Those of them that it is forgetting; a name in both was opened and closed meanwhile.
    var beingRemoved: [String: Int] = [:]
    /// Publishers that wait for what is not durable yet.
    var held: [Held] = []
    /// How many hand-overs are on their way, at most `Limits.handOversMax`.
    var handOvers = 0
    /// Whether the next hand-over has its time already.
    var isDue = false

    init(_ keeper: Keeper) throws(StoreError) {
        self.keeper = keeper
        reader = try keeper.makeReader()
        hasBegun = keeper.hasBegun
    }

    /// Whether what the store has by a name is gone, and only the store does not know it yet.
    func isRemoved(_ id: String) -> Bool { removed[id] != nil || beingRemoved[id] != nil }

    struct Held: Sendable {
        var envelope: Envelope
        var answer: Answer
    }

    /// What is told once it is durable.
    enum Answer: Sendable {
        case done
        case duplicate
        case opened(isNew: Bool, epoch: String)
    }

    /// Changes on their way to the disk, and who is told of them.
    struct HandOver: @unchecked Sendable {
        // Residents are touched on the lane's queue alone, which this returns to; hence unchecked.
        var residents: [(Resident, Resident.Stored)]
        var removed: [String: Int]
        var held: [Held]
    }
}

extension Resident {
    /// What tells whether a record is another.
    struct Noted {
        var digest: UInt64
        /// Of the counts.
        var version: Int
        var seenTotal: Int

        /// Whether a session has counted nothing and applied no id since.
        func isAsNoted(_ session: borrowing Session) -> Bool {
            session.badges.version == version && session.seen.total == seenTotal
        }
    }

    /// What the store knows of a session once a hand-over is durable.
    struct Stored {
        var seenTotal: Int
        /// Of the counts; only so many later ones may be told.
        var version: Int
        /// The daemon's step of the event that it was touched by.
        var touched: Step
    }
}

extension Lane {
    /// Milliseconds for which changes that nobody waits for are gathered.
    private static var gatheringMilliseconds: Int { 20 }
    /// Milliseconds after which a commit that failed is tried again.
    private static var retryMilliseconds: Int { 250 }

    /// Answers a request once what it caused is durable; at once where nothing is to be waited for.
    func answerWhenDurable(
        _ envelope: Envelope, _ answer: Keeping.Answer, of session: String
    ) {
        guard keeping != nil, isUnstored(session) else {
            sink.chunk.reply(to: envelope, answer)
            return
        }
        keeping?.held.append(Keeping.Held(envelope: envelope, answer: answer))
    }

    private func isUnstored(_ session: String) -> Bool {
        if keeping?.isRemoved(session) == true { return true }
        guard let resident = residents[session] else { return false }
        noteIfSettledAnew(resident)
        // Only a hand-over that has the session itself can vouch for it.
        if resident.isBeingStored { store(resident) }
        return resident.isUnstored
    }

    /// Whether one more version of a session's counts may be told before one is stored.
    func mayChangeCounts(of resident: Resident) -> Bool {
        guard keeping != nil else { return true }
        let stored = resident.stored?.version ?? resident.session.badges.firstVersion
        return resident.session.badges.version - stored < Limits.versionsUnstoredMax / 2
    }

    /// Whether counts may change: no version may be told that the next life could tell anew.
    var mayCount: Bool { keeping?.hasBegun ?? true }

    /// Lets counts change once the store's life has begun.
    func countIfBegun() {
        guard let keeping, !keeping.hasBegun, keeping.keeper.hasBegun else { return }
        self.keeping?.hasBegun = true
        for resident in residents.values { resident.session.mayCount = true }
    }

    /// Whether one more session may go before the store has forgotten those that are gone.
    var mayRemove: Bool {
        guard let keeping else { return true }
        guard keeping.hasBegun else { return false }
        return keeping.removed.count + keeping.beingRemoved.count < Limits.removalsUnstoredMax
    }

    static let nothingStored = Rejection(.internal, "nothing could be stored for too long")

    func noteIfSettledAnew(_ resident: Resident) {
        guard keeping != nil, resident.session.takeMayHaveSettledAnew() else { return }
        note(resident)
    }

    /// Takes note of what a session has settled otherwise since it was last looked at so.
    ///
    /// One that waits to be stored will be stored as it is then, whatever comes until then.
    func note(_ resident: Resident) {
        // No copy of what is noted is held meanwhile, or each addition would copy all of it.
        guard let life = keeping?.keeper.life, !resident.isUnstored else { return }
        // Counts and ids change most often, and are compared for much less than a whole record.
        if let noted = resident.noted, noted.isAsNoted(resident.session) {
            guard let record = resident.session.record(life: life) else { return }
            record.write(into: &document)
            if document.digest != noted.digest { store(resident) }
            document.removeAll()
        } else {
            store(resident)
        }
    }

    /// Takes note of what samples alone have changed, of which nothing else takes any.
    func noteIfUsed(_ resident: Resident) {
        guard resident.lastEvent != resident.lastNoted || resident.isCountedMoving else { return }
        resident.lastNoted = resident.lastEvent
        note(resident)
    }

    /// Lists a session to be stored as it will be then.
    func store(_ resident: Resident) {
        guard !resident.isUnstored else { return }
        resident.isUnstored = true
        keeping?.unstored.append(resident)
    }

    /// Forgets a session that is gone.
    func unstore(_ resident: Resident) {
        guard keeping != nil else { return }
        keeping?.removed[resident.session.id] = resident.session.badges.version
        resident.isUnstored = false
    }

    /// Hands over what has changed: at once if somebody waits, else after a while.
    func handOverIfDue() {
        guard let keeping else { return }
        if !keeping.held.isEmpty {
            handOver()
        } else if !keeping.unstored.isEmpty || !keeping.removed.isEmpty {
            handOver(afterMilliseconds: Self.gatheringMilliseconds)
        }
    }

    private func handOver(afterMilliseconds milliseconds: Int) {
        guard keeping?.isDue == false else { return }
        keeping?.isDue = true
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.keeping?.isDue = false
            self?.handOver()
        }
    }

    private func handOver() {
        guard let keeping, keeping.handOvers < Limits.handOversMax,
            !keeping.unstored.isEmpty || !keeping.removed.isEmpty || !keeping.held.isEmpty
        else { return }
        var batch = Keeping.HandOver(
            residents: [], removed: keeping.removed, held: keeping.held)
        // A name that was closed and opened again is first removed.
        var changes: [StoreChange] = keeping.removed.map {
            .remove(id: $0, version: $1 - keeping.keeper.left)
        }
        for resident in keeping.unstored where resident.isUnstored && resident.isOpen {
            resident.isUnstored = false
            guard let (change, stored) = change(of: resident) else { continue }
            changes.append(change)
            batch.residents.append((resident, stored))
            resident.handOvers += 1
        }
        self.keeping?.unstored.removeAll(keepingCapacity: true)
        self.keeping?.removed = [:]
        self.keeping?.beingRemoved.merge(batch.removed, uniquingKeysWith: max)
        self.keeping?.held = []
        self.keeping?.handOvers += 1
        let done = batch
        keeping.keeper.submit(changes, waiting: batch.held.count) { [weak self] isDurable in
            guard let self else { return }
            Self.answer(done.held, isDurable: isDurable, through: self.outbox)
            self.queue.async { self.handedOver(done, isDurable: isDurable) }
        }
    }

    /// Tells those who waited, on the store's queue: by way of the lane it would take longer.
    private static func answer(
        _ all: [Keeping.Held], isDurable: Bool, through outbox: Outbox
    ) {
        guard !all.isEmpty else { return }
        let chunk = outbox.chunk()
        for held in all {
            if isDurable {
                chunk.reply(to: held.envelope, held.answer)
            } else {
                chunk.refuse(held.envelope, notKnownDurable)
            }
        }
        outbox.post(chunk)
    }

    private static let notKnownDurable = Rejection(
        .internal, "it is not known to be durable; send it again")

    private func change(of resident: Resident) -> (StoreChange, Resident.Stored)? {
        guard let keeping, let record = resident.session.record(life: keeping.keeper.life)
        else { return nil }
        record.write(into: &document)
        let seen = resident.session.seen
        resident.noted = Resident.Noted(
            digest: document.digest, version: record.version, seenTotal: seen.total)
        let age = Clock.monotonic() - settings.grid.time(of: resident.lastEvent)
        let session = StoredSession(
            id: resident.session.id, state: document.array(),
            touched: (Clock.wall() - age) / 1_000_000_000,
            seen: seen.marks(since: resident.stored?.seenTotal ?? 0).map {
                SeenMark(place: $0.place, hash: $0.hash)
            })
        document.removeAll()
        let stored = Resident.Stored(
            seenTotal: seen.total, version: record.version, touched: resident.lastEvent)
        return (.put(session), stored)
    }

    private func handedOver(_ batch: Keeping.HandOver, isDurable: Bool) {
        keeping?.handOvers -= 1
        for (id, version) in batch.removed where keeping?.beingRemoved[id] == version {
            keeping?.beingRemoved[id] = nil
        }
        for (resident, stored) in batch.residents {
            resident.handOvers -= 1
            if isDurable { resident.stored = stored } else { store(resident) }
        }
        if isDurable {
            for (resident, stored) in batch.residents where resident.isOpen {
                park(resident, stored)
            }
            handOverIfDue()
        } else {
            keeping?.removed.merge(batch.removed, uniquingKeysWith: max)
            // What was opened again by a name that was closed is to follow its removal.
            for id in batch.removed.keys { residents[id].map(store) }
            handOver(afterMilliseconds: Self.retryMilliseconds)
        }
        sink.post()
        addCounts()
    }

    /// Drops a session that went to rest in the store, unless it was used meanwhile.
    private func park(_ resident: Resident, _ stored: Resident.Stored) {
        guard resident.isParking, !resident.isUnstored, !resident.isBeingStored,
            resident.lastEvent == stored.touched
        else { return }
        drop(resident, .parked, at: settings.grid.step(at: Clock.monotonic()))
    }

    /// Stores anew when a session was used last, long before the store would let go of it.
    func refresh(_ resident: Resident, at step: Step) {
        guard let stored = resident.stored,
            resident.lastEvent - stored.touched >= settings.retentionSteps / 8
        else { return }
        store(resident)
    }

    /// Drops stored sessions that nobody has used for too long.
    func expire(at step: Step) {
        guard let keeping else { return }
        let retention = settings.retentionSteps / Step.perSecond
        let time = Clock.wall() / 1_000_000_000 - retention
        let moment = Moment(now: Clock.monotonic(), step: step)
        let old = try? keeping.reader.ids(touchedBefore: time, limit: Limits.expiredAtOnceMax)
        for id in old ?? [] where isMine(id) && residents[id] == nil && mayRemove {
            if let resident = try? find(id, moment) {
                drop(resident, .expired)
            } else {
                forget(id)
            }
        }
    }

    /// Drops a stored session that cannot come back, as where its scene is gone; nobody is told.
    private func forget(_ id: String) {
        guard let keeping, !keeping.isRemoved(id),
            let stored = try? keeping.reader.session(id)
        else { return }
        let version = (try? record(in: stored, keeping.keeper))?.version ?? 0
        formerVersions.remember(version, of: id)
        self.keeping?.removed[id] = version
        counters.add(.expired)
    }

    private func isMine(_ id: String) -> Bool {
        Int(StableHash(id).value % UInt64(settings.laneCount)) == number
    }

    // MARK: The end

    /// Stores everything as it is, for nothing is told any more. Called by the reactor, once.
    func storeLast() {
        queue.sync {
            for resident in residents.values { store(resident) }
            handOver()
        }
    }

    /// Whether nothing is on its way; what is left is handed over. Called by the reactor.
    func isStored() -> Bool {
        queue.sync {
            guard let keeping else { return true }
            if keeping.handOvers > 0 { return false }
            handOver()
            return self.keeping?.handOvers == 0
        }
    }
}

extension Chunk {
    fileprivate func reply(to envelope: Envelope, _ answer: Keeping.Answer) {
        reply(to: envelope) { buffer in
            switch answer {
            case .done: break
            case .duplicate:
                buffer.key("duplicate")
                buffer.json(true)
            case .opened(let isNew, let epoch):
                buffer.key("created")
                buffer.json(isNew)
                buffer.key("epoch")
                buffer.json(epoch)
            }
        }
    }
}
