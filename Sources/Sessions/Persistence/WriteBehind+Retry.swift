/// A commit that failed is tried again: its changes wait with those that come, and go with the next
/// commit after a backoff.
extension WriteBehind {
    /// A batch is not durable; the same store may take it later.
    package mutating func failed(
        _ batch: CommitBatch, at now: Int, into actions: inout [Action]
    ) {
        end(batch)
        // Those that are forgotten meanwhile would delete what is another daemon's.
        let failed = batch.removals.filter { removing[$0.key] != nil }
        removals.merge(failed) { $0.version < $1.version ? $1 : $0 }
        forget(failed)
        for name in failed.keys {
            // The new session of the name must follow the removal.
            if let slot = successors[name] { changed(slot) }
        }
        for row in batch.rows {
            members[row.slot.index].commits -= 1
            if !members[row.slot.index].isOpen {
                freeIfUnreferenced(row.slot)
            } else if members[row.slot.index].commits == 0 {
                // Else a later commit has it as a whole. If that one succeeds, its session may be
                // another daemon's before this one would be tried again.
                changed(row.slot)
            }
        }
        switch state {
        case .idle, .gathering: backOff(at: now, into: &actions)
        case .flushing, .stalled, .awaitingParts:
            // The replies would wait for parts that are not durable.
            refuseReplies(into: &actions)
            backOff(at: now, into: &actions)
        case .draining: refuseReplies(into: &actions)
        case .backingOff: break
        }
    }

    /// Waits a while before the next commit.
    private mutating func backOff(at now: Int, into actions: inout [Action]) {
        let until = now + tuning.retryNanoseconds
        state = .backingOff(until: until)
        arm(at: until, into: &actions)
    }
}
