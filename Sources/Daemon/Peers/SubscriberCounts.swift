import Notation

/// About how many subscriptions there are to a session's updates: each has libzmq send one more
/// message. Few are not counted, and of many only the power of two is kept, so that the lanes are
/// told of few changes.
struct SubscriberCounts {
    /// The counts of the session of one name, and of all whose names begin so.
    struct OfName: Equatable {
        var own = 0
        var ofBeginning = 0
    }

    private var broad = 0
    private var byName: [String: OfName] = [:]

    /// Adds to the holders of a prefix. Returns the counts that have changed to the eye of lanes;
    /// nil: none has.
    mutating func add(
        _ change: Int, to interest: SubscriptionBook.Interest
    ) -> SubscriberCountTask? {
        guard change != 0 else { return nil }
        switch interest {
        case .broad:
            let former = Self.level(broad)
            broad += change
            let level = Self.level(broad)
            return level == former
                ? nil : SubscriberCountTask(session: nil, counts: OfName(own: level))
        case .session(let session, _, _):
            let former = byName[session] ?? OfName()
            var counts = former
            counts.own += change
            if interest.isBeginning { counts.ofBeginning += change }
            byName[session] = counts == OfName() ? nil : counts
            let level = Self.levels(counts)
            return level == Self.levels(former)
                ? nil : SubscriberCountTask(session: session, counts: level)
        case .sync, .other: return nil
        }
    }

    private static func levels(_ counts: OfName) -> OfName {
        OfName(own: level(counts.own), ofBeginning: level(counts.ofBeginning))
    }

    private static func level(_ count: Int) -> Int {
        guard count >= Limits.manySubscribersMin else { return 0 }
        return 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
    }
}

extension Limits {
    /// Subscriptions to one session's updates from which on they are many. Sessions that have fewer
    /// go on publishing where libzmq's thread cannot send all updates.
    static let manySubscribersMin = 32
}
