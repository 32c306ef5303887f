import Geometry

extension WriteBehind {
    /// Where it stands; `abandon` leads to `idle` from each but `draining`.
    enum State: Equatable {
        /// Nothing waits, or what waits has no time yet. Can become: `gathering`, `flushing`,
        /// `backingOff`, `draining`.
        case idle
        /// Changes wait that no publisher waits for. Can become: `idle`, `flushing`, `backingOff`,
        /// `draining`.
        case gathering(until: Int)
        /// Many sessions go in parts, so many are left; the next part goes when the lane has
        /// yielded. Sessions that change meanwhile go with the last piece, or the series might
        /// never end. Can become: `stalled`, `awaitingParts`, `backingOff`, `draining`.
        case flushing(left: Int)
        /// As `flushing`, but too many commits are under way. Can become: `flushing`,
        /// `awaitingParts`, `backingOff`, `draining`.
        case stalled(left: Int)
        /// All parts are under way. The last piece, with the replies, waits until they are durable.
        /// Can become: `idle`, `backingOff`, `draining`.
        case awaitingParts
        /// A commit failed; nothing is submitted before. Can become: `idle`, `flushing`,
        /// `draining`.
        case backingOff(until: Int)
        /// The end: everything goes at once. Final.
        case draining
    }

    /// One session of the table.
    struct Member: Sendable {
        enum Presence: Sendable {
            case open
            /// It is open and leaves memory once it is stored, unless it is used again.
            case evicting(unlessUsedAfter: Step)
            /// It is gone; `dirty` or commits under way still refer to it, or nothing does.
            case closed
        }

        var presence = Presence.open
        let name: String
        var saved: SavedMark?
        /// Whether the next batch must have it.
        var isDirty = false
        /// How often `dirty` has it.
        var places = 0
        /// How many commits under way have it.
        var commits = 0
        /// About the bytes of its row.
        var bytes = 0
        /// Whether it waits among the large ones; of use while it is dirty.
        var isAmongLarge = false
        /// Publishers that wait for a commit that has it, whichever that is.
        var replies = 0

        init(name: String, saved: SavedMark?) {
            self.name = name
            self.saved = saved
        }

        var isOpen: Bool {
            switch presence {
            case .open, .evicting: true
            case .closed: false
            }
        }

        /// Whether the store has it as it is.
        var isSaved: Bool { !isDirty && commits == 0 }
    }

    // MARK: Questions

    /// Whether the store must delete what it has by this name: nobody may read it.
    package func isRemoved(_ name: String) -> Bool {
        removals[name] != nil || removing[name] != nil
    }

    /// Whether a removal is under way that may yet fail.
    package func isRemoving(where isMeant: (String) -> Bool) -> Bool {
        removing.keys.contains(where: isMeant)
    }

    /// Whether the store has a session as it is.
    package func isSaved(_ slot: SaveSlot) -> Bool { members[slot.index].isSaved }

    /// Names that the store may still have though their sessions are gone; some are open again.
    package var removedNames: [String] { Array(removals.keys) + Array(removing.keys) }

    /// Removals that are not durable.
    package var removalCount: Int { removals.count + removing.count }

    /// Whether the next batch would not be empty.
    package var isAnythingWaiting: Bool {
        !dirty.isEmpty || !removals.isEmpty || pendingReplies > 0 || !large.isEmpty
    }

    /// Whether a session waits for the next batch.
    package func isDirty(_ slot: SaveSlot) -> Bool { members[slot.index].isDirty }

    /// How many sessions the next batches change.
    package var waitingCount: Int { dirty.count + removals.count + large.count }

    /// About the bytes of a session's row.
    package func bytes(_ slot: SaveSlot) -> Int { members[slot.index].bytes }

    package func saved(_ slot: SaveSlot) -> SavedMark? { members[slot.index].saved }

    /// The version that the store has of a session, or of the one that had its name before; nil:
    /// it has none.
    package func savedVersion(of slot: SaveSlot) -> Int? {
        if let saved = members[slot.index].saved { return saved.version }
        let name = members[slot.index].name
        return removing[name]?.savedVersion ?? removals[name]?.savedVersion
    }

    // MARK: From state to state

    mutating func gather(at now: Int, into actions: inout [Action]) {
        let until = min(alarm ?? .max, now + tuning.gatheringNanoseconds)
        state = .gathering(until: until)
        arm(at: until, into: &actions)
    }

    /// Sets the timer, unless it fires earlier anyway.
    mutating func arm(at time: Int, into actions: inout [Action]) {
        if let alarm, alarm <= time { return }
        alarm = time
        actions.append(.arm(at: time))
    }

    mutating func refuseReplies(into actions: inout [Action]) {
        guard pendingReplies > 0 else { return }
        actions.append(.refuse(replies: pendingReplies))
        pendingReplies = 0
    }

    /// Submits the next batch, if there may be one more and it is not empty.
    mutating func submit(into actions: inout [Action]) {
        guard commitsUnderWay - largeUnderWay < tuning.commitsMax else {
            switch state {
            case .gathering: state = .idle
            case .flushing(let left): state = .stalled(left: left)
            case .idle, .stalled, .awaitingParts, .backingOff, .draining: break
            }
            return
        }
        if case .awaitingParts = state, commitsUnderWay > largeUnderWay { return }
        let reopened = takeReopened()
        switch state {
        case .idle, .gathering:
            if dirty.count > tuning.partSessionsMax {
                submitPart(of: dirty.count, reopened, into: &actions)
            } else {
                state = .idle
                submitRest(reopened, into: &actions)
            }
        case .flushing(let left), .stalled(let left):
            submitPart(of: left, reopened, into: &actions)
        case .awaitingParts:
            state = .idle
            submitRest(reopened, followsParts: true, into: &actions)
        // Parts may have gone before the end began.
        case .draining:
            submitRest(reopened, followsParts: true, into: &actions)
            while !large.isEmpty { submitLarge(into: &actions) }
        case .backingOff: preconditionFailure("submits while it backs off")
        }
    }

    private mutating func submitPart(
        of left: Int, _ reopened: [SaveSlot], into actions: inout [Action]
    ) {
        let count = min(left, tuning.partSessionsMax)
        submit(count, reopened, replies: 0, into: &actions)
        if left > count {
            state = .flushing(left: left - count)
            actions.append(.yield)
        } else {
            state = .awaitingParts
        }
    }

    private mutating func submitRest(
        _ reopened: [SaveSlot], followsParts: Bool = false, into actions: inout [Action]
    ) {
        guard !dirty.isEmpty || !removals.isEmpty || pendingReplies > 0 else { return }
        submit(
            dirty.count, reopened, replies: pendingReplies, followsParts: followsParts,
            into: &actions)
    }

    private mutating func submit(
        _ count: Int, _ reopened: [SaveSlot], replies: Int, followsParts: Bool = false,
        into actions: inout [Action]
    ) {
        var batch = CommitBatch(
            removals: removals, rows: [], replies: replies, followsParts: followsParts)
        batch.rows.reserveCapacity(reopened.count + count)
        for slot in reopened { add(slot, to: &batch) }
        for slot in dirty.prefix(count) {
            members[slot.index].places -= 1
            if members[slot.index].isOpen {
                add(slot, to: &batch)
            } else {
                freeIfUnreferenced(slot)
            }
        }
        if count == dirty.count {
            dirty.removeAll(keepingCapacity: count <= tuning.partSessionsMax)
        } else {
            dirty.removeFirst(count)
        }
        if !removals.isEmpty {
            removing.merge(removals) { $1 }
            removals = [:]
        }
        pendingReplies -= replies
        commitsUnderWay += 1
        actions.append(.submit(batch))
    }

    mutating func add(_ slot: SaveSlot, to batch: inout CommitBatch) {
        guard members[slot.index].isDirty else { return }
        members[slot.index].isDirty = false
        members[slot.index].commits += 1
        ownReplies -= members[slot.index].replies
        members[slot.index].replies = 0
        // Without a row of its own, its name's row may still be another session's.
        let saved = members[slot.index].saved
        let former = saved == nil ? removing[members[slot.index].name] : nil
        batch.rows.append(
            CommitBatch.Row(slot: slot, seenTotal: saved?.seenTotal ?? 0, former: former))
    }

    /// Open sessions by the names that the next batch removes: the removal deletes the row with all
    /// its marks, so these sessions go along with it, whole.
    private mutating func takeReopened() -> [SaveSlot] {
        guard !removals.isEmpty, !successors.isEmpty else { return [] }
        let reopened = removals.keys.compactMap { successors[$0] }
        for slot in reopened {
            members[slot.index].saved = nil
            changed(slot)
        }
        return reopened
    }

    // MARK: Upkeep

    /// Removals that are no longer under way, unless a later batch has the same name.
    mutating func forget(_ batch: [String: Removal]) {
        for (name, removal) in batch where removing[name] == removal {
            removing[name] = nil
            if removals[name] == nil { successors[name] = nil }
        }
    }

    /// Nothing waits for the next batch.
    mutating func forgetDirty() {
        for slot in dirty + large {
            members[slot.index].places -= 1
            members[slot.index].isDirty = false
            members[slot.index].replies = 0
            if !members[slot.index].isOpen { freeIfUnreferenced(slot) }
        }
        (dirty, large, ownReplies, largeUntil) = ([], [], 0, nil)
    }

    mutating func makeRemoval(version: Int, saved: Int) -> Removal {
        removalsMade += 1
        return Removal(version: version, savedVersion: saved, number: removalsMade)
    }

    mutating func release(_ slot: SaveSlot) {
        precondition(members[slot.index].isOpen, "slot \(slot.index) is not open")
        members[slot.index].presence = .closed
        members[slot.index].isDirty = false
        freeIfUnreferenced(slot)
    }

    mutating func freeIfUnreferenced(_ slot: SaveSlot) {
        guard members[slot.index].places == 0, members[slot.index].commits == 0 else { return }
        free.append(slot)
    }
}
