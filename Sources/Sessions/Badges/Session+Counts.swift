import Interactions
import Notation

/// How events change counts, and whom the session tells of it.
extension Session {
    /// `data` is the table that the notification brought.
    mutating func notify(
        _ kind: String, _ change: CountChange, _ data: Node? = nil
    ) throws(Rejection) {
        guard mayCount else { throw Self.mayNotCount }
        outgoing.keepWaitingBadges(badges)
        let former = badges.counts[kind]
        if try badges.apply(change, to: kind) {
            outgoing.changeBadges(at: clock)
            dirtyParts.insert(.own)
            showTexts(namingCounts: { $0 == kind })
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
        noteReactions(toNotification: kind, data, former: former)
        fireTimers()
    }

    /// Applies a command for the counts.
    mutating func applyToBadges(_ command: ComponentCommand) throws(Rejection) {
        switch command.name {
        case "clear":
            let kind = try command.read { (table) throws(TableError) in try table.name("kind") }
            guard mayCount else { throw Self.mayNotCount }
            clear(kind.map { [$0] })
        case "add":
            let (kind, count) = try Self.count(of: command)
            try recount(kind, .add(count ?? 1))
        case "set":
            let (kind, count) = try Self.count(of: command)
            guard let count else { throw .absent("count") }
            try recount(kind, .set(count))
        default:
            throw .unknown(
                command: command.name, of: "component \(Self.badgesComponent)",
                among: Self.badgesReports.commands.map(\.name))
        }
    }

    private static func count(of command: ComponentCommand) throws(Rejection) -> (String, Int?) {
        try command.read { (table) throws(TableError) in
            try table.require("kind")
            let kind = try table.name("kind") ?? ""
            return (kind, try table.whole("count", in: 0...BadgeCounts.countMax))
        }
    }

    /// Changes a count without a notification: components that heed those are told of the count.
    private mutating func recount(_ kind: String, _ change: CountChange) throws(Rejection) {
        guard mayCount else { throw Self.mayNotCount }
        outgoing.keepWaitingBadges(badges)
        let former = badges.counts[kind]
        guard try badges.apply(change, to: kind) else { return }
        tellCounts()
        showTexts(namingCounts: { $0 == kind })
        noteReactions(toCountOf: kind, former: former)
        fireTimers()
    }

    mutating func clear(_ kinds: [String]?) {
        outgoing.keepWaitingBadges(badges)
        let formers = badges.counts
        guard badges.clear(kinds) else { return }
        tellCounts()
        showTexts(namingCounts: { formers[$0] != 0 })
        noteReactions(toClearedCounts: formers)
        fireTimers()
    }

    /// Counts have changed: tells subscribers, the store and the components.
    private mutating func tellCounts() {
        outgoing.changeBadges(at: clock)
        dirtyParts.insert(.own)
        for index in machines.indices where type(of: machines[index]).heedsCounts {
            machines[index].recounted(badges.counts, at: motion, into: &effects)
            markDirty(index)
            collectEffects(of: index)
        }
    }
}
