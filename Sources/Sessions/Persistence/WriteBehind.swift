package import Geometry
import Notation

/// The write-behind cache of one lane: decides which sessions are committed when, and who is
/// answered afterwards. It performs nothing.
///
/// A session waits in `dirty` from its first change on; what comes until its commit is built goes
/// along. `workEnded` follows each piece of the lane's work: if a publisher waits for a reply the
/// batch is submitted at once, else changes gather for `gatheringNanoseconds`. Commits are made in
/// the order of their submission, several may be under way. A batch that failed is merged back and
/// tried again. Many sessions go in parts, so that the lane does other work in between; the pending
/// replies go with the last piece, which waits for all parts.
///
/// Times are nanoseconds on a clock of the caller's, who calls on one queue, performs the actions
/// in their order, and reports each batch once, as `committed`, `failed` or `lost`.
///
/// To change when something is committed, change `workEnded` and `timerFired`; which states there
/// are stands in `WriteBehind+State.swift`.
package struct WriteBehind: Sendable {
    /// How patient it is, and how much it writes at once.
    package struct Tuning: Sendable {
        /// How long changes gather that nobody waits for: what changes often is written once.
        package var gatheringNanoseconds = 30_000_000
        /// When a commit that failed is tried again.
        package var retryNanoseconds = 250_000_000
        /// Commits of one lane that are under way: enough that none waits for another, few enough
        /// that a slow disk does not fill memory with them.
        package var commitsMax = Limits.commitsUnderWayMax
        /// Sessions that are written in one piece: some milliseconds of the lane's time.
        package var partSessionsMax = Limits.partSessionsMax
        /// Bytes of a row from which on it is large, and of large ones that go at once.
        package var largeRowBytesMin = Limits.largeRowBytesMin
        package var largeRowsBytesMax = Limits.largeRowsBytesMax

        package init() {}
    }

    package enum Action: Equatable, Sendable {
        /// Write the rows, commit them, then answer as many pending replies as it says.
        case submit(CommitBatch)
        /// Call `timerFired` at this time.
        case arm(at: Int)
        /// Call `yielded` after the work that waits already.
        case yield
        /// Refuse the oldest pending replies: it is not known whether they will be durable.
        case refuse(replies: Int)
        /// Drop a session from memory, unless it was used after this step; then call `released`.
        case evict(SaveSlot, unlessUsedAfter: Step)
        /// Drop a session from memory, for another daemon owns it; then call `released`.
        case drop(SaveSlot)
    }

    /// When a publisher is answered.
    package enum ReplyTime: Equatable, Sendable {
        /// Nothing is to be stored first.
        case atOnce
        /// With the commit that takes the oldest pending replies.
        case afterCommit
        /// With the next commit that has the session.
        case afterOwnCommit
    }

    let tuning: Tuning
    var state = State.idle
    var members: [Member] = []
    /// Slots of `members` that stand for no session.
    var free: [SaveSlot] = []
    /// Sessions that wait, the first changed first. Some are closed, or were written meanwhile.
    var dirty: [SaveSlot] = []
    /// Sessions that are gone, by name: their removal is not submitted yet.
    var removals: [String: Removal] = [:]
    /// Removals in commits under way. A name in both was opened and closed again meanwhile.
    var removing: [String: Removal] = [:]
    var removalsMade = 0
    /// Open sessions whose names are in one of these two.
    var successors: [String: SaveSlot] = [:]
    package internal(set) var pendingReplies = 0
    package internal(set) var commitsUnderWay = 0
    /// As `dirty`, of sessions with large rows: see ``submitLarge(into:)``.
    var large: [SaveSlot] = []
    /// How many of the commits under way are of large rows.
    var largeUnderWay = 0
    /// When large rows go for which nobody waits; nil: none wait, or they go after a commit.
    var largeUntil: Int?
    /// Publishers that wait for commits that have their sessions.
    var ownReplies = 0
    /// The earliest time for which the timer is set.
    var alarm: Int?

    package init(tuning: Tuning = Tuning()) { self.tuning = tuning }

    // MARK: Sessions

    /// A session opened; `saved` is what the store has of it, nil if nothing.
    package mutating func opened(_ name: String, saved: SavedMark?) -> SaveSlot {
        let member = Member(name: name, saved: saved)
        let slot: SaveSlot
        if let spare = free.popLast() {
            slot = spare
            members[slot.index] = member
        } else {
            slot = SaveSlot(index: members.count)
            members.append(member)
        }
        if isRemoved(name) { successors[name] = slot }
        return slot
    }

    /// A session's saved state changed. It is written in the state that it has when it is written.
    package mutating func changed(_ slot: SaveSlot) {
        precondition(members[slot.index].isOpen, "slot \(slot.index) is not open")
        guard !members[slot.index].isDirty else { return }
        members[slot.index].isDirty = true
        members[slot.index].places += 1
        let isLarge = members[slot.index].bytes >= tuning.largeRowBytesMin
        members[slot.index].isAmongLarge = isLarge
        if isLarge { large.append(slot) } else { dirty.append(slot) }
    }

    /// A session's row has about so many bytes. It counts from its next change on.
    package mutating func sized(_ slot: SaveSlot, bytes: Int) {
        members[slot.index].bytes = bytes
    }

    /// A session ended; the store must delete it. `firstVersion` is where its counts began.
    package mutating func removed(_ slot: SaveSlot, version: Int, firstVersion: Int) {
        let saved = savedVersion(of: slot) ?? firstVersion
        let name = members[slot.index].name
        removals[name] = makeRemoval(version: version, saved: saved)
        successors[name] = nil
        // The commit that deletes it answers them.
        pendingReplies += takeOwnReplies(slot)
        release(slot)
    }

    /// A session ended that was not open; the store must delete it.
    package mutating func removed(_ name: String, version: Int) {
        precondition(!isRemoved(name), "\(name) is removed already")
        removals[name] = makeRemoval(version: version, saved: version)
    }

    /// A session left memory; the store keeps what it has.
    package mutating func released(_ slot: SaveSlot) {
        let name = members[slot.index].name
        if successors[name] == slot { successors[name] = nil }
        _ = takeOwnReplies(slot)
        release(slot)
    }

    /// Publishers that wait for a session by itself do so no more; returns how many they are.
    private mutating func takeOwnReplies(_ slot: SaveSlot) -> Int {
        let count = members[slot.index].replies
        members[slot.index].replies = 0
        ownReplies -= count
        return count
    }

    /// Nobody used a session since `lastUse`: once it is stored, it is evicted.
    package mutating func idled(_ slot: SaveSlot, lastUse: Step) {
        switch members[slot.index].presence {
        case .evicting(lastUse) where members[slot.index].commits > 0:
            // Written again on its way, it would never go.
            return
        case .open, .evicting:
            members[slot.index].presence = .evicting(unlessUsedAfter: lastUse)
            changed(slot)
        case .closed: preconditionFailure("slot \(slot.index) is not open")
        }
    }

    // MARK: The lane

    /// A publisher wants to know that a session's change is durable. `slot` is nil if the session
    /// is not open.
    package mutating func replyDue(for name: String, _ slot: SaveSlot?) -> ReplyTime {
        if let slot {
            // The reply needs a commit of its own or a later one, with the session in it.
            if members[slot.index].commits > 0 { changed(slot) }
            if members[slot.index].isDirty, members[slot.index].isAmongLarge {
                members[slot.index].replies += 1
                ownReplies += 1
                return .afterOwnCommit
            }
            if members[slot.index].isDirty {
                pendingReplies += 1
                return .afterCommit
            }
        }
        guard isRemoved(name) else { return .atOnce }
        if removals[name] == nil, let removing = removing[name] {
            // The same of its removal: the commit under way may fail, and a later one succeed.
            removals[name] = makeRemoval(version: removing.version, saved: removing.savedVersion)
        }
        pendingReplies += 1
        return .afterCommit
    }

    /// Somebody wants to know when all that has changed until now is durable: a pending reply, with
    /// the next commit.
    package mutating func replyWanted() {
        pendingReplies += 1
        for slot in large { members[slot.index].isAmongLarge = false }
        dirty += large
        large = []
    }

    /// Nothing of what there is until now is submitted, or tried again where its commit fails: the
    /// sessions are another daemon's. Returns the number of pending replies, which are refused, and
    /// whether parts were submitted that may have made their changes durable.
    package mutating func abandon() -> (replies: Int, followParts: Bool) {
        let replies = pendingReplies
        pendingReplies = 0
        forgetRemovals { _ in true }
        forgetDirty()
        // Changes from here on are another life's, and wait for nothing of this one.
        switch state {
        case .draining: return (replies, true)
        case .flushing, .stalled, .awaitingParts:
            state = .idle
            return (replies, true)
        case .idle, .gathering, .backingOff:
            state = .idle
            return (replies, false)
        }
    }

    /// Removals of these names are not tried again: their rows are another daemon's.
    package mutating func forgetRemovals(where isMeant: (String) -> Bool) {
        for name in removedNames where isMeant(name) {
            removals[name] = nil
            removing[name] = nil
            successors[name] = nil
        }
    }

    /// The lane has done a piece of its work.
    package mutating func workEnded(at now: Int, into actions: inout [Action]) {
        switch state {
        case .idle:
            if pendingReplies > 0 {
                submit(into: &actions)
            } else if !dirty.isEmpty || !removals.isEmpty {
                gather(at: now, into: &actions)
            }
        case .gathering:
            if pendingReplies > 0 { submit(into: &actions) }
        case .stalled, .awaitingParts: submit(into: &actions)
        case .flushing, .backingOff, .draining: break
        }
        goOnWithLarge(at: now, into: &actions)
    }

    /// The lane has done what waited when it was asked to `yield`.
    package mutating func yielded(into actions: inout [Action]) {
        switch state {
        case .flushing: submit(into: &actions)
        case .idle, .gathering, .stalled, .awaitingParts, .backingOff, .draining: break
        }
    }

    package mutating func timerFired(at now: Int, into actions: inout [Action]) {
        alarm = nil
        switch state {
        case .gathering(let until) where now < until, .backingOff(let until) where now < until:
            // It was set for something earlier.
            arm(at: until, into: &actions)
        case .gathering, .backingOff:
            state = .idle
            submit(into: &actions)
        case .idle, .flushing, .stalled, .awaitingParts, .draining: break
        }
        goOnWithLarge(at: now, into: &actions)
    }

    /// The end: everything that is open is written as it stands, in one piece.
    package mutating func close(into actions: inout [Action]) {
        for index in members.indices where members[index].isOpen {
            changed(SaveSlot(index: index))
        }
        switch state {
        case .idle, .gathering, .backingOff:
            state = .draining
            submit(into: &actions)
        case .flushing, .stalled, .awaitingParts:
            // The replies wait for the parts; `isDrained` submits the rest.
            state = .draining
        case .draining: preconditionFailure("closed twice")
        }
    }

    /// Returns whether everything is stored; if nothing is under way, submits what is left.
    package mutating func isDrained(into actions: inout [Action]) -> Bool {
        guard commitsUnderWay == 0 else { return false }
        submit(into: &actions)
        return commitsUnderWay == 0
    }

    // MARK: The store

    /// A batch is durable.
    package mutating func committed(_ batch: CommitBatch, into actions: inout [Action]) {
        end(batch)
        forget(batch.removals)
        for row in batch.rows {
            members[row.slot.index].commits -= 1
            if let saved = row.saved { members[row.slot.index].saved = saved }
            switch members[row.slot.index].presence {
            case .evicting(let lastUse)
            where lastUse == row.saved?.lastUse && members[row.slot.index].isSaved:
                actions.append(.evict(row.slot, unlessUsedAfter: lastUse))
            case .open, .evicting: break
            case .closed: freeIfUnreferenced(row.slot)
            }
        }
    }

    /// A batch is refused for good: another daemon owns its sessions.
    package mutating func lost(_ batch: CommitBatch, into actions: inout [Action]) {
        end(batch)
        forget(batch.removals)
        // Some of them may be about these sessions, and their publishers may ask the owner.
        refuseReplies(into: &actions)
        for row in batch.rows {
            members[row.slot.index].commits -= 1
            if members[row.slot.index].isOpen {
                actions.append(.drop(row.slot))
            } else {
                freeIfUnreferenced(row.slot)
            }
        }
    }
}

extension Limits {
    /// Changes of one lane on their way to the store: enough that none waits for another's commit,
    /// few enough that a slow disk does not fill memory with them.
    package static let commitsUnderWayMax = 16
    /// Sessions of a lane that are written for the store in one piece: some milliseconds of work.
    package static let partSessionsMax = 512
    /// Bytes of a session's row, as far as they are foreseen, from which on it is written apart
    /// from others: a row brings a scene along that was given as an object, and 20 bytes of a
    /// notification have all of it written anew.
    package static let largeRowBytesMin = 16 * 1024
    /// Bytes of such rows of a lane that are written at once, or one: a disk has them in some
    /// milliseconds, for which other commits wait.
    package static let largeRowsBytesMax = 1024 * 1024
}
