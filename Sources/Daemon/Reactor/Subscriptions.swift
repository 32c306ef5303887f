import Notation

/// The subscriptions in force, and how many of them are read in a round.
struct Subscriptions {
    private(set) var book = SubscriptionBook()
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

    /// Puts a subscription or its end into the book. Returns whether it is tracked.
    mutating func apply(
        _ prefix: String, _ interest: SubscriptionBook.Interest, isNew: Bool
    ) -> Bool {
        if isNew { return book.insert(prefix, interest) }
        book.remove(prefix, interest)
        return true
    }

    /// The number of subscriptions, if the log is to warn of it: each costs memory, and a
    /// subscriber may ask for any number.
    mutating func countToWarnOf() -> Int? {
        guard book.count >= warnsAt else { return nil }
        warnsAt *= 2
        return book.count
    }
}

extension Limits {
    /// Subscriptions that are read in one round: some milliseconds of work.
    static let subscriptionsPerRoundMax = 2_048
    /// Subscriptions at which the log warns, and again at each doubling: memory grows with them.
    static let subscriptionsWarnedAt = 10_000
}
