import Codec
import Dispatch
import Geometry
import Interactions
import Membership
import Notation
import Protocol
import Sessions
import Store

/// The storage of one lane: it tells the lane's write-behind cache what happens, and performs what
/// that decides.
///
/// A batch of events marks sessions (`noteChanges`); at its end `workEnded` may submit a commit:
/// the rows are written here, committed on the store's thread, which answers the publishers, and
/// reported to `commitFinished` by way of the reactor. ``LaneTable`` brings sessions back,
/// ``SessionExpiry`` deletes old ones. Used on the lane's queue alone.
///
/// *When* something is stored is decided in ``WriteBehind``; change it there. *What* is stored of a
/// session stands in `row(of:)` and in the session's record.
final class LaneStorage {
    /// The lane, which owns it, as far as it needs one; nil: the lane has gone, while a block of
    /// its queue was waiting.
    private weak var client: (any StorageClient)?
    let writer: StoreWriter
    /// Which sessions are this lane's to store.
    var rights: LaneRights
    /// Under which changes are stored.
    var fence: StoreFence
    let reader: any StoreReader
    /// Whether the generation of the store is written down, so that counts may change.
    private(set) var mayCount: Bool
    private(set) var writeBehind: WriteBehind
    /// Whether the reader may answer later.
    var answersLate: Bool { reader.answersLate }
    /// Whether a change of marks is under way, of which one is enough.
    var isRefreshing = false
    /// Work that waits for the reader.
    var lookups = Lookups()
    /// By the places of their slots.
    private var sessions: [ActiveSession?] = []
    var used = UsedSlots()
    private var pendingReplies: [PendingReply] = []
    /// Those that wait for a commit that has their session, by the place of its slot.
    private var ownReplies: [Int: [PendingReply]] = [:]
    /// The actions to perform; empty between two calls.
    private var actions: [WriteBehind.Action] = []
    /// Where records are written before they leave.
    var buffer = ByteBuffer(capacity: 1_024)

    init(
        _ writer: StoreWriter, rights: LaneRights? = nil,
        tuning: WriteBehind.Tuning = WriteBehind.Tuning()
    ) throws(StoreError) {
        self.writer = writer
        writeBehind = WriteBehind(tuning: tuning)
        self.rights = rights ?? LaneRights(of: writer.identity)
        fence = writer.fence
        reader = try writer.makeReader()
        mayCount = writer.hasBegun
    }

    /// Tells it what it has its lane do; called once, before the lane starts.
    func attach(to client: any StorageClient) { self.client = client }

    // MARK: Sessions

    /// `saved` is what the store has of it; nil: nothing.
    func opened(_ session: ActiveSession, saved: SavedMark?) {
        let slot = writeBehind.opened(session.session.id, saved: saved)
        session.slot = slot
        writeBehind.sized(slot, bytes: session.session.scene.document?.utf8.count ?? 0)
        if slot.index == sessions.count {
            sessions.append(session)
        } else {
            sessions[slot.index] = session
        }
    }

    /// A session left memory; what the store has of it is deleted, unless it was `evicted`.
    func closed(_ session: ActiveSession, isEvicted: Bool) {
        guard let slot = session.slot.take() else { return }
        sessions[slot.index] = nil
        let own = ownReplies.removeValue(forKey: slot.index) ?? []
        if isEvicted {
            client?.reply(to: own, .failed)
            writeBehind.released(slot)
        } else {
            pendingReplies += own
            let badges = session.session.badges
            writeBehind.removed(
                slot, version: badges.version, firstVersion: badges.firstVersion)
        }
    }

    /// Deletes a session that is not in memory.
    func delete(_ id: String, version: Int) { writeBehind.removed(id, version: version) }

    /// Marks a session dirty if its events have changed what is saved of it.
    func noteChanges(of session: ActiveSession) {
        let parts = session.session.takeDirtyParts()
        if !parts.isEmpty { note(parts, of: session) }
    }

    /// Notes that a session is used or begins to move, so that it is looked at.
    func noteUse(of session: ActiveSession) {
        if let slot = session.slot { used.insert(slot.index) }
    }

    /// Looks at the session of a slot that was used.
    func lookAtUse(of slot: Int, retentionSteps: Int) {
        // Stored for its heir already: once more, and it may be stored behind the heir's.
        guard let session = sessions[slot], !session.presence.isGoing else { return }
        noteSamples(of: session)
        refresh(session, retentionSteps: retentionSteps)
        // Its motion goes on changing it.
        if session.isCountedMoving { noteUse(of: session) }
    }

    /// Marks a session dirty if samples alone have changed what is saved of it, which nothing else
    /// looks for.
    func noteSamples(of session: ActiveSession) { note(.all, of: session) }

    private func note(_ parts: SavedParts, of session: ActiveSession) {
        guard let slot = session.slot, !writeBehind.isDirty(slot) else { return }
        // Its scene may have grown since its row was written.
        let scene = session.session.scene.document?.utf8.count ?? 0
        if scene > writeBehind.bytes(slot) { writeBehind.sized(slot, bytes: scene) }
        // No copy is held meanwhile, or each change would copy all of it.
        guard var record = session.record.take() else { return writeBehind.changed(slot) }
        if record.isStale(in: parts, of: &session.session, by: &buffer) {
            writeBehind.changed(slot)
        }
        session.record = record
    }

    /// Nobody uses a session: it leaves memory once it is stored.
    func idled(_ session: ActiveSession) {
        guard let slot = session.slot else { return }
        writeBehind.idled(slot, lastUse: session.lastEvent)
    }

    /// Saves a session's last use long before the store would delete it as unused.
    func refresh(_ session: ActiveSession, retentionSteps: Int) {
        guard let slot = session.slot, let saved = writeBehind.saved(slot),
            session.lastEvent - saved.lastUse >= retentionSteps / 8
        else { return }
        writeBehind.changed(slot)
    }

    // MARK: Hand-over

    /// Stores a session for its heir, or anew when it stays, unless the store has it as it is.
    func handOver(_ session: ActiveSession) {
        guard let slot = session.slot else { return }
        noteChanges(of: session)
        let isOnItsWay = session.presence.motion != nil
        if isOnItsWay || !writeBehind.isSaved(slot) { writeBehind.changed(slot) }
    }

    /// Stores a session that stays after all, if it was stored for its heir.
    func keep(_ session: ActiveSession) {
        defer { session.presence = .here }
        guard session.presence.motion != nil, let slot = session.slot else { return }
        writeBehind.changed(slot)
    }

    /// Calls `take` once everything that has changed until now is durable, or is known not to be.
    func whenStored(_ take: @escaping @Sendable (Bool) -> Void) {
        writeBehind.replyWanted()
        pendingReplies.append(.daemon(take))
    }

    /// Whether a removal is under way that may yet fail.
    func isRemoving(where isMeant: (String) -> Bool) -> Bool {
        writeBehind.isRemoving(where: isMeant)
    }

    /// Deletes no rows of these names any more: they are another daemon's.
    func forgetRemovals(where isMeant: (String) -> Bool) {
        writeBehind.forgetRemovals(where: isMeant)
    }

    /// Stores nothing of what it has: it is another daemon's.
    func abandon() {
        let (replies, followParts) = writeBehind.abandon()
        let own = ownReplies.values.flatMap(\.self)
        ownReplies = [:]
        client?.reply(
            to: takeReplies(replies) + own,
            CommitOutcome.notOwner.forReplies(afterParts: followParts))
    }

    // MARK: Reading

    /// The stored row of a session that is not in memory; nil: there is none.
    func lookUp(_ id: String) throws(StoreError) -> StoredSession? {
        if let answer = lookups.answer(of: id) { return try answer.get() }
        switch try reader.lookUp(id, late: { _ in }) {
        case .found(let session): return session
        case .none: return nil
        case .later: throw StoreError(.unavailable, "it has not answered yet; ask again")
        }
    }

    // MARK: Permissions

    /// Whether the counts of a session may have one more version before one is stored.
    func mayChangeCounts(of session: ActiveSession) -> Bool {
        let badges = session.session.badges
        let saved = session.slot.flatMap { writeBehind.savedVersion(of: $0) }
        return badges.version - (saved ?? badges.firstVersion) < Limits.versionsUnstoredMax / 2
    }

    /// Whether one more session may go before the store has deleted those that are gone.
    var mayRemove: Bool { mayCount && writeBehind.removalCount < Limits.removalsUnstoredMax }

    /// Whether the generation has begun since this was asked last: counts may change from now on.
    func takeBeginning() -> Bool {
        guard !mayCount, writer.hasBegun else { return false }
        mayCount = true
        return true
    }

    // MARK: The lane's work

    /// Keeps an answer until the change that it tells of is durable. Returns the answer that is due
    /// at once, as there is nothing to wait for; nil: it is kept.
    func keep(
        _ answer: PendingReply.Answer, for envelope: Envelope, of id: String,
        _ session: ActiveSession?
    ) -> PendingReply.Answer? {
        if let session { noteChanges(of: session) }
        switch writeBehind.replyDue(for: id, session?.slot) {
        case .atOnce:
            // Without a lease the session may be another's by now, and nobody here knows.
            let isLeased = rights.driver?.isLeased ?? true
            return isLeased ? answer : .refused(PendingReply.notKnownDurable)
        case .afterCommit: pendingReplies.append(.peer(envelope, answer))
        case .afterOwnCommit:
            guard let slot = session?.slot else { preconditionFailure("a reply of no session") }
            ownReplies[slot.index, default: []].append(.peer(envelope, answer))
        }
        return nil
    }

    /// The lane has done a piece of work, and has not sent its updates yet.
    func workEnded() {
        guard writeBehind.isAnythingWaiting else { return }
        writeBehind.workEnded(at: Clock.monotonic(), into: &actions)
        perform()
    }

    func timerFired() {
        writeBehind.timerFired(at: Clock.monotonic(), into: &actions)
        perform()
    }

    func yielded() {
        writeBehind.yielded(into: &actions)
        perform()
    }

    /// A batch was committed, or not.
    func commitFinished(_ batch: CommitBatch, _ outcome: CommitOutcome) {
        switch outcome {
        case .durable: writeBehind.committed(batch, into: &actions)
        case .failed: writeBehind.failed(batch, at: Clock.monotonic(), into: &actions)
        case .notOwner: writeBehind.lost(batch, into: &actions)
        }
        perform()
    }

    /// Sessions that wait for the next commit.
    var waitingCount: Int { writeBehind.waitingCount }

    /// Stores everything as it is.
    func close() {
        writeBehind.close(into: &actions)
        perform()
    }

    /// Whether everything is stored; what is left is submitted.
    func isDrained() -> Bool {
        let isDrained = writeBehind.isDrained(into: &actions)
        perform()
        return isDrained
    }

    // MARK: Actions

    private func perform() {
        var index = 0
        while index < actions.count {
            // Moved out, so that a batch has one owner and is not copied.
            var action = WriteBehind.Action.yield
            swap(&action, &actions[index])
            index += 1
            perform(action)
        }
        actions.removeAll(keepingCapacity: true)
    }

    private func perform(_ action: consuming WriteBehind.Action) {
        switch consume action {
        case .submit(let batch): submit(batch)
        case .arm(let time): client?.callStorage(at: time)
        case .yield: client?.yieldToStorage()
        case .refuse(let count):
            client?.reply(to: takeReplies(count), .failed)
        case .evict(let slot, let lastUse):
            guard let session = sessions[slot.index], session.lastEvent == lastUse else { return }
            client?.evict(session)
        case .drop(let slot):
            if let session = sessions[slot.index] { client?.drop(session) }
        }
    }

    private func takeReplies(_ count: Int) -> [PendingReply] {
        guard count < pendingReplies.count else {
            defer { pendingReplies = [] }
            return pendingReplies
        }
        defer { pendingReplies.removeFirst(count) }
        return Array(pendingReplies.prefix(count))
    }

    private func submit(_ batch: consuming CommitBatch) {
        guard let client else { return }
        var changes: [StoreChange] = []
        changes.reserveCapacity(batch.count)
        var replies = takeReplies(batch.replies)
        for (id, removal) in batch.removals { changes.append(self.removal(of: id, removal)) }
        for index in batch.rows.indices {
            let row = batch.rows[index]
            replies += ownReplies.removeValue(forKey: row.slot.index) ?? []
            guard let session = sessions[row.slot.index] else { continue }
            if let former = row.former {
                changes.append(removal(of: session.session.id, former))
            }
            guard let (stored, saved) = write(session, after: row.seenTotal, client.grid) else {
                continue
            }
            changes.append(.put(stored))
            writeBehind.sized(row.slot, bytes: stored.state.count)
            batch.rows[index].saved = saved
        }
        let (done, answered, outbox) = (batch, replies, client.outbox)
        writer.submit(changes, under: fence, replies: answered.count) { [weak client] outcome in
            guard let client else { return }
            // By way of the lane the answers would take longer.
            let chunk = answered.isEmpty ? nil : outbox.chunk()
            chunk?.reply(to: answered, outcome.forReplies(afterParts: done.followsParts))
            // The reactor, awake for the answers, tells the lane, in the order of the commits.
            outbox.post(chunk) { client.commitEnded(done, outcome) }
        }
    }
}

/// A lane as its storage needs it. All but `commitEnded` are called on the lane's queue.
protocol StorageClient: AnyObject, Sendable {
    var outbox: Outbox { get }
    var grid: Grid { get }

    /// Answers publishers that have waited for a commit.
    func reply(to replies: [PendingReply], _ outcome: CommitOutcome)
    /// A session that nobody uses is stored: it leaves memory.
    func evict(_ session: ActiveSession)
    /// Another daemon owns a session: it goes on there.
    func drop(_ session: ActiveSession)
    /// Has the storage's timer fire at a time on the monotonic clock.
    func callStorage(at time: Int)
    /// Has the storage go on behind what waits.
    func yieldToStorage()
    /// A batch was committed, or not: the storage is to be told. Called by the reactor.
    func commitEnded(_ batch: CommitBatch, _ outcome: CommitOutcome)
}

extension Limits {
    /// Closed sessions of a lane that the store has not deleted yet: some MiB. Beyond it none may
    /// be closed.
    static let removalsUnstoredMax = 100_000
}
