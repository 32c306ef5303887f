import Dispatch
import Geometry
import Interactions
import Sessions
import Store
import Synchronization
import Wire

/// What a lane knows of the store.
struct Keeping {
    let keeper: Keeper
    let reader: any StoreReader
    /// Whether the lane knows that the store's life has begun.
    var hasBegun: Bool
    /// Sessions that have settled otherwise than the store knows.
    var unstored: [Resident] = []
    /// Sessions that are gone and that the store is still to forget.
    var removed: [String: Removal] = [:]
    /// Those of them that it is forgetting; a name in both was opened and closed meanwhile.
    var beingRemoved: [String: Removal] = [:]
    /// Publishers that wait for what is not durable yet.
    var held: [Held] = []
    /// How many hand-overs are on their way, at most `Limits.handOversMax`.
    var handOvers = 0
    /// Those of them that are a part of what was to be handed over.
    var parts = 0
    /// Whether the next hand-over has its time already.
    var isDue = false
    /// Whether the last one could not be stored, so that the next one waits for its time.
    var isRetrying = false

    init(_ keeper: Keeper) throws(StoreError) {
        self.keeper = keeper
        reader = try keeper.makeReader()
        hasBegun = keeper.hasBegun
    }

    /// Whether what the store has by a name is gone, and only the store does not know it yet.
    func isRemoved(_ id: String) -> Bool { removed[id] != nil || beingRemoved[id] != nil }

    /// The versions of a name's counts: the last one told, and the last one that was stored.
    struct Removal: Hashable, Sendable {
        var version: Int
        var stored: Int
    }

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
        var removed: [String: Removal]
        var held: [Held]
        /// Whether more follows.
        var isPart: Bool
    }
}

extension Resident {
    /// What tells whether a record is another.
    struct Noted {
        var text: RecordText
        /// Of the counts.
        var version = 0
        var seenTotal = 0
        /// Of the generator.
        var seed: UInt64 = 0

        init(_ session: borrowing Session) {
            text = RecordText(componentCount: session.scene.components.count)
        }

        /// Whether a session has counted and drawn nothing and applied no id since.
        func isAsNoted(_ session: borrowing Session) -> Bool {
            session.badges.version == version && session.seen.total == seenTotal
                && session.seed == seed
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
    private static var gatheringMilliseconds: Int { 30 }
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
        return resident.session.badges.version - storedVersion(of: resident)
            < Limits.versionsUnstoredMax / 2
    }

    /// The version that the store has of a session, or of the one that had its name before.
    private func storedVersion(of resident: Resident) -> Int {
        let id = resident.session.id
        return resident.stored?.version ?? keeping?.beingRemoved[id]?.stored
            ?? keeping?.removed[id]?.stored ?? resident.session.badges.firstVersion
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
        guard keeping != nil else { return }
        let parts = resident.session.takeSettledAnew()
        if !parts.isEmpty { note(parts, of: resident) }
    }

    /// Takes note of what a session has settled otherwise, in some parts of its record.
    ///
    /// One that waits to be stored will be stored as it is then, whatever comes until then.
    private func note(_ parts: RecordParts, of resident: Resident) {
        guard keeping != nil, !resident.isUnstored else { return }
        // No copy of what is noted is held meanwhile, or each change would copy all of it.
        guard var noted = resident.noted.take() else { return store(resident) }
        if !noted.isAsNoted(resident.session)
            || noted.text.renew(parts, of: &resident.session, by: &document)
        {
            store(resident)
        }
        resident.noted = noted
    }

    /// Takes note of what samples alone have changed, of which nothing else takes any.
    func noteIfUsed(_ resident: Resident) {
        guard resident.lastEvent != resident.lastNoted || resident.isCountedMoving else { return }
        resident.lastNoted = resident.lastEvent
        note(.all, of: resident)
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
        let removal = Keeping.Removal(
            version: resident.session.badges.version, stored: storedVersion(of: resident))
        keeping?.removed[resident.session.id] = removal
        resident.isUnstored = false
    }

    /// Hands over what has changed: at once if somebody waits, else after a while.
    func handOverIfDue() {
        guard let keeping, !keeping.isRetrying else { return }
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
            self?.atWork {
                $0.keeping?.isDue = false
                $0.keeping?.isRetrying = false
                $0.handOver()
            }
        }
    }

    /// Hands over what has changed, of many sessions some at a time: what comes meanwhile need not
    /// wait for all of them.
    private func handOver(atOnce countMax: Int = Limits.handedOverAtOnceMax) {
        guard let keeping, keeping.handOvers < Limits.handOversMax else { return }
        let count = min(countMax, keeping.unstored.count)
        let isPart = count < keeping.unstored.count
        // The last part goes once the others are stored, with those who wait for any of them.
        guard isPart || keeping.parts == 0 else { return }
        let held = isPart ? [] : keeping.held
        guard count > 0 || !keeping.removed.isEmpty || !held.isEmpty else { return }
        var batch = Keeping.HandOver(
            residents: [], removed: keeping.removed, held: held, isPart: isPart)
        // A name that was closed and opened again is first removed.
        var changes: [StoreChange] = keeping.removed.map {
            .remove(id: $0, version: $1.version - keeping.keeper.left)
        }
        for resident in keeping.unstored.prefix(count)
        where resident.isUnstored && resident.isOpen {
            resident.isUnstored = false
            guard let (change, stored) = change(of: resident) else { continue }
            changes.append(change)
            batch.residents.append((resident, stored))
            resident.handOvers += 1
        }
        self.keeping?.unstored.removeFirst(count)
        self.keeping?.removed = [:]
        self.keeping?.beingRemoved.merge(batch.removed) { $1 }
        if !held.isEmpty { self.keeping?.held = [] }
        self.keeping?.handOvers += 1
        self.keeping?.parts += isPart ? 1 : 0
        let done = batch
        keeping.keeper.submit(changes, waiting: batch.held.count) { [weak self] isDurable in
            guard let self else { return }
            let chunk = Self.answers(done.held, isDurable: isDurable, outbox)
            // The reactor, which is awake for the answers, has the lane told, in their order.
            outbox.post(chunk) { self.settle(done, isDurable: isDurable) }
        }
        if isPart { queue.async { [weak self] in self?.atWork { $0.handOver() } } }
    }

    /// For those who waited, written by the store: by way of the lane it would take longer.
    private static func answers(
        _ all: [Keeping.Held], isDurable: Bool, _ outbox: Outbox
    ) -> Chunk? {
        guard !all.isEmpty else { return nil }
        let chunk = outbox.chunk()
        for held in all {
            if isDurable {
                chunk.reply(to: held.envelope, held.answer)
            } else {
                chunk.refuse(held.envelope, notKnownDurable)
            }
        }
        return chunk
    }

    private static let notKnownDurable = Rejection(
        .internal, "it is not known to be durable; send it again")

    private func change(of resident: Resident) -> (StoreChange, Resident.Stored)? {
        guard let keeping else { return nil }
        var noted = resident.noted.take() ?? Resident.Noted(resident.session)
        noted.text.write(&resident.session, life: keeping.keeper.life, into: &document)
        // A scene that was read from nothing has no name in the store.
        guard !document.isEmpty else { return nil }
        let (seen, version) = (resident.session.seen, resident.session.badges.version)
        (noted.version, noted.seenTotal) = (version, seen.total)
        noted.seed = resident.session.seed
        resident.noted = noted
        let age = Clock.monotonic() - settings.grid.time(of: resident.lastEvent)
        let session = StoredSession(
            id: resident.session.id, state: document.array(),
            touched: (Clock.wall() - age) / 1_000_000_000,
            seen: seen.marks(since: resident.stored?.seenTotal ?? 0).map {
                SeenMark(place: $0.place, hash: $0.hash)
            })
        document.removeAll()
        let stored = Resident.Stored(
            seenTotal: seen.total, version: version, touched: resident.lastEvent)
        return (.put(session), stored)
    }

    /// A hand-over was committed, or not. Called by the reactor.
    private func settle(_ batch: Keeping.HandOver, isDurable: Bool) {
        if batch.residents.count <= Limits.doneAtOnceMax, isIdle {
            queue.sync { handedOver(batch, isDurable: isDurable) }
        } else {
            occupation.waiting.wrappingAdd(1, ordering: .relaxed)
            queue.async {
                self.handedOver(batch, isDurable: isDurable)
                self.occupation.waiting.wrappingSubtract(1, ordering: .releasing)
            }
        }
    }

    private func handedOver(_ batch: Keeping.HandOver, isDurable: Bool) {
        keeping?.handOvers -= 1
        keeping?.parts -= batch.isPart ? 1 : 0
        for (id, removal) in batch.removed where keeping?.beingRemoved[id] == removal {
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
            keeping?.removed.merge(batch.removed) { later, _ in later }
            // What was opened again by a name that was closed is to follow its removal.
            for id in batch.removed.keys { residents[id].map(store) }
            keeping?.isRetrying = true
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

    // MARK: The end

    /// Stores everything as it is, for nothing is told any more. Called by the reactor, once.
    func storeLast() {
        queue.sync {
            for resident in residents.values { store(resident) }
            handOver(atOnce: .max)
        }
    }

    /// Whether everything is stored; what is left is handed over. Called by the reactor.
    func isStored() -> Bool {
        queue.sync {
            guard let keeping else { return true }
            guard keeping.handOvers == 0 else { return false }
            handOver(atOnce: .max)
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
