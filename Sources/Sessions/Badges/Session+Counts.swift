import Interactions

/// How events change counts, and whom the session tells of it.
extension Session {
    mutating func notify(_ kind: String, _ change: CountChange) throws(Rejection) {
        guard mayCount else { throw Self.mayNotCount }
        outgoing.keepWaitingBadges(badges)
        let former = badges.counts[kind]
        if try badges.apply(change, to: kind) {
            outgoing.changeBadges(at: clock)
            dirtyParts.insert(.own)
        }
        for index in machines.indices
        where type(of: machines[index]).heedsCounts
            && machines[index].heeds(notification: kind)
        {
            machines[index].notified(
                kind: kind, counts: badges.counts, at: motion, into: &effects)
            markDirty(index)
            collectEffects(of: index)
        }
        noteReactions(toNotification: kind, former: former)
        fireTimers()
    }

    mutating func clear(_ kinds: [String]?) {
        outgoing.keepWaitingBadges(badges)
        guard badges.clear(kinds) else { return }
        outgoing.changeBadges(at: clock)
        dirtyParts.insert(.own)
        for index in machines.indices where type(of: machines[index]).heedsCounts {
            machines[index].recounted(badges.counts, at: motion, into: &effects)
            markDirty(index)
            collectEffects(of: index)
        }
        fireTimers()
    }
}
