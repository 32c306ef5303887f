import Geometry
import Testing

@testable import Sessions

/// A write-behind cache with a lane and a store that are models of themselves, on a clock of ticks.
///
/// Each session counts its changes, and applies an id with each. The store keeps, for each name,
/// what a row would hold; it checks what each commit does to it, and each answer that it decides.
struct StoreDesk {
    static let tick = 10_000_000

    struct Life {
        let name: Character
        /// Which session of this name it is.
        let life: Int
        var changes = 0
        var lastUse = Step.zero
        var slot: SaveSlot
    }

    struct Row: Equatable {
        let life: Int
        var changes: Int
        var ids: Set<String>
    }

    enum Change {
        case delete(Character)
        case put(Character, Row)
    }

    /// A publisher that waits until this change of this session is durable, or its end.
    struct Reply {
        let name: Character
        let life: Int
        let changes: Int
        let isEnd: Bool
    }

    struct Commit {
        var batch: CommitBatch
        var changes: [Change]
        var replies: [Reply]
        /// Whether it was made before the sessions became another daemon's.
        var isOver = false
    }

    var cache: WriteBehind
    var now = 0
    var open: [Character: Life] = [:]
    var lives: [Character: Int] = [:]
    var store: [Character: Row] = [:]
    var underWay: [Commit] = []
    var pending: [Reply] = []
    /// Those that wait for a commit that has their session, by the place of its slot.
    var own: [Int: [Reply]] = [:]
    var alarms: [Int] = []
    var yields = 0
    var evicted: [Character] = []
    /// Sessions that are neither removed nor dropped, in memory or not, as they are.
    var truth: [Character: Row] = [:]
    /// In this tick: sessions of each batch that was submitted, and answers.
    var submitted: [Int] = []
    var answers: [Bool] = []
    /// All that was submitted in the cache's actions.
    var batches: [CommitBatch] = []

    init(_ change: (inout WriteBehind.Tuning) -> Void = { _ in }) {
        var tuning = WriteBehind.Tuning()
        tuning.gatheringNanoseconds = 3 * Self.tick
        tuning.retryNanoseconds = 5 * Self.tick
        change(&tuning)
        cache = WriteBehind(tuning: tuning)
    }

    // MARK: Sessions

    mutating func openNew(_ name: Character) {
        lives[name, default: 0] += 1
        let slot = cache.opened(String(name), saved: nil)
        open[name] = Life(name: name, life: lives[name] ?? 0, slot: slot)
        truth[name] = nil
        change(name)
    }

    /// As the store has it: it is read only where the name is not removed.
    mutating func restore(_ name: Character) {
        guard let row = store[name], !cache.isRemoved(String(name)) else { return openNew(name) }
        let saved = SavedMark(seenTotal: row.changes, version: row.changes, lastUse: .zero)
        let slot = cache.opened(String(name), saved: saved)
        open[name] = Life(name: name, life: row.life, changes: row.changes, slot: slot)
    }

    mutating func change(_ name: Character) {
        guard let life = open[name] else { return }
        use(name)
        open[name]?.changes += 1
        cache.changed(life.slot)
        var row = truth[name] ?? Row(life: life.life, changes: 0, ids: [])
        row.ids.insert("\(name)\(row.life).\(row.changes)")
        row.changes += 1
        truth[name] = row
    }

    mutating func use(_ name: Character) { open[name]?.lastUse = Step(now / Self.tick) }

    mutating func askForReply(_ name: Character) {
        guard let life = open[name] else { return }
        let reply = Reply(name: name, life: life.life, changes: life.changes, isEnd: false)
        ask(reply, cache.replyDue(for: String(name), life.slot), life.slot)
    }

    mutating func remove(_ name: Character, isAsked: Bool) {
        guard let life = open.removeValue(forKey: name) else { return }
        truth[name] = nil
        cache.removed(life.slot, version: life.changes, firstVersion: 0)
        pending += own.removeValue(forKey: life.slot.index) ?? []
        guard isAsked else { return }
        let reply = Reply(name: name, life: life.life, changes: life.changes, isEnd: true)
        ask(reply, cache.replyDue(for: String(name), nil))
    }

    /// Asks once more whether a session's end is durable.
    mutating func askForEnd(_ name: Character) {
        let reply = Reply(name: name, life: lives[name] ?? 0, changes: 0, isEnd: true)
        ask(reply, cache.replyDue(for: String(name), nil))
    }

    private mutating func ask(
        _ reply: Reply, _ time: WriteBehind.ReplyTime, _ slot: SaveSlot? = nil
    ) {
        switch time {
        case .atOnce:
            answers.append(true)
            check(reply)
        case .afterCommit: pending.append(reply)
        case .afterOwnCommit:
            if let slot {
                own[slot.index, default: []].append(reply)
            } else {
                Issue.record("a reply of no session")
            }
        }
    }

    mutating func idle(_ name: Character) {
        guard let life = open[name] else { return }
        cache.idled(life.slot, lastUse: life.lastUse)
    }

    // MARK: The lane and the store

    /// Moves the clock on and does what is due; what else comes in this tick follows.
    mutating func beginTick() {
        submitted = []
        answers = []
        let now = now
        if alarms.contains(where: { $0 <= now }) {
            alarms.removeAll { $0 <= now }
            perform { $0.timerFired(at: now, into: &$1) }
        }
        let due = yields
        yields = 0
        for _ in 0..<due { perform { $0.yielded(into: &$1) } }
    }

    mutating func endTick() {
        let now = now
        perform { $0.workEnded(at: now, into: &$1) }
        self.now += Self.tick
    }

    mutating func commitOldest() {
        guard !underWay.isEmpty else { return }
        let commit = underWay.removeFirst()
        for change in commit.changes { apply(change) }
        for reply in commit.replies {
            check(reply)
            answers.append(true)
        }
        perform { $0.committed(commit.batch, into: &$1) }
    }

    mutating func failOldest() {
        guard !underWay.isEmpty else { return }
        let commit = underWay.removeFirst()
        answers += commit.replies.map { _ in false }
        let now = now
        perform { $0.failed(commit.batch, at: now, into: &$1) }
    }

    mutating func loseOldest() {
        guard !underWay.isEmpty else { return }
        let commit = underWay.removeFirst()
        answers += commit.replies.map { _ in false }
        perform { $0.lost(commit.batch, into: &$1) }
    }

    /// The sessions are another daemon's: none stays, and what is under way must not be taken.
    mutating func abandon() {
        let refused = cache.abandon().replies
        #expect(refused == pending.count)
        answers += (pending + own.values.flatMap(\.self)).map { _ in false }
        (pending, own) = ([], [:])
        for life in open.values { evict(life) }
        truth = store
        for index in underWay.indices { underWay[index].isOver = true }
    }

    mutating func perform(_ event: (inout WriteBehind, inout [WriteBehind.Action]) -> Void) {
        var actions: [WriteBehind.Action] = []
        event(&cache, &actions)
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: WriteBehind.Action) {
        switch action {
        case .submit(let batch): submit(batch)
        case .arm(let time):
            #expect(time > now)
            alarms.append(time)
        case .yield: yields += 1
        case .refuse(let count):
            pending.removeFirst(count)
            answers += Array(repeating: false, count: count)
        case .evict(let slot, let lastUse):
            guard let life = life(in: slot), life.lastUse == lastUse else { return }
            #expect(store[life.name]?.changes == life.changes, "evicted before it was stored")
            evict(life)
        case .drop(let slot):
            if let life = life(in: slot) { evict(life) }
        }
    }

    private func life(in slot: SaveSlot) -> Life? { open.values.first { $0.slot == slot } }

    private mutating func evict(_ life: Life) {
        open[life.name] = nil
        cache.released(life.slot)
        answers += (own.removeValue(forKey: life.slot.index) ?? []).map { _ in false }
        evicted.append(life.name)
    }

    private mutating func submit(_ batch: CommitBatch) {
        var batch = batch
        var changes = batch.removals.keys.map { Change.delete(Character($0)) }
        for (index, row) in batch.rows.enumerated() {
            guard let life = life(in: row.slot) else {
                Issue.record("a row of no open session")
                continue
            }
            if row.former != nil { changes.append(.delete(life.name)) }
            let ids = (row.seenTotal..<life.changes).map { "\(life.name)\(life.life).\($0)" }
            changes.append(
                .put(life.name, Row(life: life.life, changes: life.changes, ids: Set(ids))))
            batch.rows[index].saved = SavedMark(
                seenTotal: life.changes, version: life.changes, lastUse: life.lastUse)
        }
        var replies = Array(pending.prefix(batch.replies))
        #expect(replies.count == batch.replies)
        for row in batch.rows { replies += own.removeValue(forKey: row.slot.index) ?? [] }
        pending.removeFirst(batch.replies)
        underWay.append(Commit(batch: batch, changes: changes, replies: replies))
        batches.append(batch)
        submitted.append(batch.count)
        // One event may have it submit more than one.
        #expect(underWay.count <= cache.commitsUnderWay)
    }

    private mutating func apply(_ change: Change) {
        switch change {
        case .delete(let name): store[name] = nil
        case .put(let name, var row):
            // A row keeps its marks, and gets those that are new.
            row.ids.formUnion(store[name]?.ids ?? [])
            if let former = store[name], former.life == row.life {
                #expect(former.changes <= row.changes, "an older state of \(name) came later")
            } else if let former = store[name] {
                #expect(former.life < row.life, "a former \(name) came back")
            }
            store[name] = row
            let ids = (0..<row.changes).map { "\(name)\(row.life).\($0)" }
            #expect(row.ids == Set(ids), "the ids of \(name)")
        }
    }

    /// An acknowledged change must be in the store.
    private func check(_ reply: Reply) {
        let row = store[reply.name]
        if let row, row.life == reply.life {
            #expect(!reply.isEnd, "\(reply.name) is still there")
            #expect(row.changes >= reply.changes, "a change of \(reply.name) is lost")
        } else {
            // It ended meanwhile, or it was to end.
            let isGone = open[reply.name]?.life != reply.life
            #expect(reply.isEnd || isGone, "\(reply.name) is not there")
        }
    }
}
