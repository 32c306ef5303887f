/// Sessions with large rows. They go in batches of few bytes, one after the other, beside all
/// others: so neither memory nor the publishers of other sessions pay for them.
extension WriteBehind {
    /// Submits the next large rows, if it is time for that.
    mutating func goOnWithLarge(at now: Int, into actions: inout [Action]) {
        switch state {
        case .backingOff, .draining: return
        case .idle, .gathering, .flushing, .stalled, .awaitingParts: break
        }
        guard !large.isEmpty, largeUnderWay == 0 else { return largeUntil = nil }
        let until = largeUntil ?? now + tuning.gatheringNanoseconds
        if ownReplies > 0 || now >= until {
            submitLarge(into: &actions)
        } else {
            largeUntil = until
            arm(at: until, into: &actions)
        }
    }

    /// Submits as many of the large rows as go at once, those that wait longest.
    mutating func submitLarge(into actions: inout [Action]) {
        largeUntil = nil
        var batch = CommitBatch(removals: [:], rows: [], replies: 0)
        batch.isLarge = true
        var (count, bytes) = (0, 0)
        var kept: [SaveSlot] = []
        for slot in large {
            let member = members[slot.index]
            if !batch.rows.isEmpty, bytes + member.bytes > tuning.largeRowsBytesMax { break }
            count += 1
            // The removal of the one that had its name before takes it along.
            if member.isOpen, member.isDirty, removals[member.name] != nil {
                kept.append(slot)
                continue
            }
            members[slot.index].places -= 1
            if !member.isOpen {
                freeIfUnreferenced(slot)
            } else if member.isDirty {
                bytes += member.bytes
                add(slot, to: &batch)
            }
        }
        large.replaceSubrange(..<count, with: kept)
        guard !batch.rows.isEmpty else { return }
        largeUnderWay += 1
        commitsUnderWay += 1
        actions.append(.submit(batch))
    }

    /// A commit is over.
    mutating func end(_ batch: CommitBatch) {
        commitsUnderWay -= 1
        if batch.isLarge { largeUnderWay -= 1 }
    }
}
