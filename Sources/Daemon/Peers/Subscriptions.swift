import Notation
import ZeroMQ

/// The subscriptions in force: who holds them, what they mean, and how many are read in a round.
struct Subscriptions {
    private(set) var book = SubscriptionBook()
    private(set) var holders = SubscriptionHolders()
    private var counts = SubscriberCounts()
    /// Counts that have changed, of which no lane was told yet.
    private var countChanges: [SubscriberCountTask] = []
    /// Counts the updates that wait for all subscribers.
    var samples = UpdateSamples()
    /// The number of subscriptions at which the log warns next.
    private var warnsAt = Limits.subscriptionsWarnedAt
    private var leftInRound = 0

    mutating func beginRound() { leftInRound = Limits.subscriptionsPerRoundMax }

    /// Whether one more may be read in this round.
    mutating func mayReadOne() -> Bool {
        guard leftInRound > 0 else { return false }
        leftInRound -= 1
        return true
    }

    /// Applies a subscription or its end. Returns whether what anybody wants has changed.
    mutating func apply(
        _ prefix: String, _ interest: SubscriptionBook.Interest, isNew: Bool, by sender: Sender?,
        group: Int = 0
    ) -> Bool {
        let before = holders.count(of: prefix)
        let change =
            isNew
            ? holders.insert(prefix, by: sender, group: group) : holders.remove(prefix, by: sender)
        note(holders.count(of: prefix) - before, of: interest)
        switch change {
        case .begins: book.insert(prefix, interest)
        case .ends: book.remove(prefix, interest)
        case .none: return false
        }
        return true
    }

    /// Forgets the connections of a group whose socket closes. Returns the keys of its
    /// prefixes.
    mutating func close(group: Int) -> [String] {
        let ended = holders.close(group: group)
        for (key, count) in ended {
            let interest = SubscriptionBook.interest(ofTagged: key)
            note(-count, of: interest)
            book.remove(key, interest)
        }
        return ended.map(\.key)
    }

    private mutating func note(_ change: Int, of interest: SubscriptionBook.Interest) {
        if let task = counts.add(change, to: interest) { countChanges.append(task) }
    }

    /// The counts of subscribers that lanes are to be told of.
    mutating func takeCountChanges() -> [SubscriberCountTask] {
        guard !countChanges.isEmpty else { return [] }
        defer { countChanges = [] }
        return countChanges
    }

    /// Tells what connections that are behind want, where it has changed.
    mutating func tell(_ readers: LateReaders, at now: Int) {
        readers.refresh(changed: holders.changed, at: now) { holders.prefixes(of: $0) }
        holders.forgetChanged()
    }

    /// The connection to cut, if it or all together hold too much.
    mutating func nextToCut(after sender: Sender?) -> Sender? { holders.nextToCut(after: sender) }

    /// Whether a connection has sent too many subscriptions and ends at once.
    mutating func isFlood(from sender: Sender?, at now: Int) -> Bool {
        holders.isFlood(from: sender, at: now)
    }

    /// The number of subscriptions, if the log is to warn of it: each costs memory.
    mutating func countToWarnOf() -> Int? {
        guard holders.count >= warnsAt else { return nil }
        warnsAt *= 2
        return holders.count
    }
}

extension Limits {
    /// Subscriptions that are read in one round: less than a millisecond of work.
    static let subscriptionsPerRoundMax = 256
    /// Subscriptions at which the log warns, and again at each doubling: memory grows with them.
    static let subscriptionsWarnedAt = 10_000
}
