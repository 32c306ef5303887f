import Codec
import Dispatch
import Geometry
import Interactions
import Notation
import Protocol
import Sessions
import Store
import Synchronization

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
        if let resident = residents[session] {
            noteIfSettledAnew(resident)
            // Only a hand-over that has the session itself can vouch for it.
            if resident.isBeingStored { store(resident) }
            if resident.isUnstored { return true }
        }
        return keeping?.isRemoved(session) == true
    }

    /// Whether one more version of a session's counts may be told before one is stored.
    func mayChangeCounts(of resident: ActiveSession) -> Bool {
        guard keeping != nil else { return true }
        return resident.session.badges.version - storedVersion(of: resident)
            < Limits.versionsUnstoredMax / 2
    }

    /// The version that the store has of a session, or of the one that had its name before.
    private func storedVersion(of resident: ActiveSession) -> Int {
        let id = resident.session.id
        return resident.stored?.version ?? keeping?.beingRemoved[id]?.stored
            ?? keeping?.removed[id]?.stored ?? resident.session.badges.firstVersion
    }

    /// Whether counts may change: no version may be told that the next life could tell anew.
    var mayCount: Bool { keeping?.hasBegun ?? true }

    /// Lets counts change once the store's life has begun.
    func countIfBegun() {
        guard let keeping, !keeping.hasBegun, keeping.storeWriter.hasBegun else { return }
        self.keeping?.hasBegun = true
        for resident in residents.all { resident.session.mayCount = true }
    }

    /// Whether one more session may go before the store has forgotten those that are gone.
    var mayRemove: Bool {
        guard let keeping else { return true }
        guard keeping.hasBegun else { return false }
        return keeping.removed.count + keeping.beingRemoved.count < Limits.removalsUnstoredMax
    }

    static let nothingStored = Rejection(.internal, "nothing could be stored for too long")

    func noteIfSettledAnew(_ resident: ActiveSession) {
        guard keeping != nil else { return }
        let parts = resident.session.takeDirtyParts()
        if !parts.isEmpty { note(parts, of: resident) }
    }

    /// Takes note of what a session has settled otherwise, in some parts of its record.
    ///
    /// One that waits to be stored will be stored as it is then, whatever comes until then.
    private func note(_ parts: SavedParts, of resident: ActiveSession) {
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
    func noteIfUsed(_ resident: ActiveSession) {
        guard resident.lastEvent != resident.lastNoted || resident.isCountedMoving else { return }
        resident.lastNoted = resident.lastEvent
        note(.all, of: resident)
    }

    /// Lists a session to be stored as it will be then.
    func store(_ resident: ActiveSession) {
        guard !resident.isUnstored else { return }
        resident.isUnstored = true
        keeping?.unstored.append(resident)
    }

    /// Forgets a session that is gone.
    func unstore(_ resident: ActiveSession) {
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
    private func handOver() {
        guard keeping.map({ $0.handOvers < Limits.handOversMax }) == true else { return }
        let again = openedAgain()
        let count = countOfNextPart()
        guard let keeping else { return }
        let isPart = keeping.partsLeft > 0
        // The last piece goes once the parts are stored, with those who wait for any of them.
        guard isPart || keeping.parts == 0 else { return }
        let held = isPart ? [] : keeping.held
        guard count > 0 || !keeping.removed.isEmpty || !held.isEmpty else { return }
        var batch = Keeping.HandOver(
            residents: [], removed: keeping.removed, held: held, isPart: isPart)
        var changes = keeping.removed.map { removal(of: $0, $1) }
        for resident in again + keeping.unstored.prefix(count)
        where resident.isUnstored && resident.isOpen {
            resident.isUnstored = false
            // Its row may be another's as long as it is not known that the removal was committed.
            if resident.stored == nil, let former = keeping.beingRemoved[resident.session.id] {
                changes.append(removal(of: resident.session.id, former))
            }
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
        self.keeping?.partsLeft -= isPart ? count : 0
        self.keeping?.isLastDue = isPart
        let done = batch
        keeping.storeWriter.submit(changes, waiting: batch.held.count) { [weak self] isDurable in
            guard let self else { return }
            let chunk = Self.answers(done.held, isDurable: isDurable, outbox)
            // The reactor, which is awake for the answers, has the lane told, in their order.
            outbox.post(chunk) { self.settle(done, isDurable: isDurable) }
        }
        guard isPart else { return }
        queue.async { [weak self] in
            // After one that failed the next one waits for its time.
            self?.atWork { if $0.keeping?.isRetrying == false { $0.handOver() } }
        }
    }

    /// How many sessions the next hand-over takes; begins a series of parts where there are many.
    private func countOfNextPart() -> Int {
        guard let keeping else { return 0 }
        let waiting = keeping.unstored.count
        if keeping.isEnding {
            self.keeping?.partsLeft = 0
        } else if !keeping.isLastDue, waiting > Limits.handedOverAtOnceMax {
            self.keeping?.partsLeft = waiting
        }
        let left = self.keeping?.partsLeft ?? 0
        precondition(left <= waiting, "\(left) sessions go in parts, and \(waiting) are waiting")
        return left > 0 ? min(left, Limits.handedOverAtOnceMax) : waiting
    }

    /// Sessions by names of others that are to be removed: a removal takes the row with all marks,
    /// so they go along with it, as a whole.
    private func openedAgain() -> [ActiveSession] {
        let again = (keeping?.removed.keys).map { $0.compactMap { residents[$0] } } ?? []
        for resident in again {
            resident.stored = nil
            store(resident)
        }
        return again
    }

    private func removal(of id: String, _ removal: Keeping.Removal) -> StoreChange {
        .remove(id: id, version: removal.version - (keeping?.storeWriter.left ?? 0))
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

    private func refuseHeld() {
        for held in keeping?.held ?? [] {
            sink.chunk.refuse(held.envelope, Self.notKnownDurable)
        }
        keeping?.held = []
    }

    private static let notKnownDurable = Rejection(
        .internal, "it is not known to be durable; send it again")

    private func change(of resident: ActiveSession) -> (StoreChange, ActiveSession.Stored)? {
        guard let keeping else { return nil }
        var noted = resident.noted.take() ?? ActiveSession.Noted(resident.session)
        noted.text.write(&resident.session, life: keeping.storeWriter.life, into: &document)
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
        let stored = ActiveSession.Stored(
            seenTotal: seen.total, version: version, touched: resident.lastEvent)
        return (.put(session), stored)
    }

    /// A hand-over was committed, or not. Called by the reactor, which does what is little itself.
    private func settle(_ batch: Keeping.HandOver, isDurable: Bool) {
        if batch.residents.count + batch.removed.count <= Limits.doneAtOnceMax, isIdle {
            queue.sync {
                commitFinished(batch, isDurable: isDurable, unstoredMax: Limits.gatheredMax)
            }
        } else {
            load.waiting.wrappingAdd(1, ordering: .relaxed)
            queue.async {
                self.commitFinished(batch, isDurable: isDurable)
                self.load.waiting.wrappingSubtract(1, ordering: .releasing)
            }
        }
    }

    /// What is to follow is handed over at once, if it is of so many sessions at most.
    private func commitFinished(
        _ batch: Keeping.HandOver, isDurable: Bool, unstoredMax: Int = .max
    ) {
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
            if let keeping, keeping.unstored.count + keeping.removed.count > unstoredMax {
                return queue.async { [weak self] in self?.atWork { $0.conclude() } }
            }
        } else {
            keeping?.removed.merge(batch.removed) { $0.version < $1.version ? $1 : $0 }
            // What was opened again by a name that was closed is to follow its removal.
            for id in batch.removed.keys { residents[id].map(store) }
            keeping?.isRetrying = true
            // The series begins anew, and who waited for its end is not to wait for the disk.
            keeping?.partsLeft = 0
            keeping?.isLastDue = false
            if batch.isPart { refuseHeld() }
            handOver(afterMilliseconds: Self.retryMilliseconds)
        }
        conclude()
    }

    /// Drops a session that went to rest in the store, unless it was used meanwhile.
    private func park(_ resident: ActiveSession, _ stored: ActiveSession.Stored) {
        guard resident.isParking, !resident.isUnstored, !resident.isBeingStored,
            resident.lastEvent == stored.touched
        else { return }
        drop(resident, .parked, at: settings.grid.step(at: Clock.monotonic()))
    }

    /// Stores anew when a session was used last, long before the store would let go of it.
    func refresh(_ resident: ActiveSession, at step: Step) {
        guard let stored = resident.stored,
            resident.lastEvent - stored.touched >= settings.retentionSteps / 8
        else { return }
        store(resident)
    }

    // MARK: The end

    /// Stores everything as it is, for nothing is told any more. Called by the reactor, once.
    func storeLast() {
        queue.sync {
            keeping?.isEnding = true
            for resident in residents.all { store(resident) }
            handOver()
        }
    }

    /// Whether everything is stored; what is left is handed over. Called by the reactor.
    func isStored() -> Bool {
        queue.sync {
            guard let keeping else { return true }
            guard keeping.handOvers == 0 else { return false }
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
