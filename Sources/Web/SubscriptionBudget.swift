import Notation

/// The cost of all clients' prefixes to the daemon, which sees one subscriber in them.
///
/// The daemon cuts a subscriber that holds or changes too much, and so all clients at once. So what
/// they hold together stays below its bounds, and so does what they change in a time.
package struct SubscriptionBudget: Sendable {
    /// The part of one client.
    package struct Share: Sendable {
        fileprivate var held = 0
        fileprivate var rate: RateLimit

        package init(at time: Int) {
            rate = SubscriptionBudget.rate(dividedBy: Limits.webSubscriptionShare, at: time)
        }
    }

    /// Bytes of all prefixes that the daemon must send, each with what it costs beside.
    package private(set) var byteCount = 0
    private var rate: RateLimit

    /// Whether each prefix of a session brings another one along, which tells where it moves.
    private let followsMoves: Bool

    /// `followsMoves`: the members of a cluster are followed themselves.
    package init(at time: Int, followsMoves: Bool = false) {
        rate = Self.rate(dividedBy: 1, at: time)
        self.followsMoves = followsMoves
    }

    private static func rate(dividedBy share: Int, at time: Int) -> RateLimit {
        RateLimit(
            perSecond: Limits.webSubscriptionBytesPerSecond / share,
            burst: Limits.webSubscriptionBurstBytesMax / share, at: time)
    }

    private func cost(_ prefix: [UInt8]) -> Int {
        let own = prefix.count + Limits.webSubscriptionOverheadBytes
        // The session's name is a part of the prefix.
        return followsMoves ? 2 * own + "session/".utf8.count : own
    }

    package enum Outcome: Hashable, Sendable {
        case taken
        /// A bound forbids it: what is held.
        case refused(bound: String)
        /// It may be taken later, once the rate of its client, or that of all, has room.
        case isClientHasty, areAllHasty
    }

    /// Takes a prefix that no client has yet.
    package mutating func take(
        _ prefix: [UInt8], of share: inout Share, at time: Int
    ) -> Outcome {
        let cost = cost(prefix)
        // One half is shared, the other one is divided: whatever others take, each has its own.
        let half = Limits.webSubscriptionBytesMax / 2
        let allowed = max(
            half / Limits.webClientsMax, (half - byteCount) / Limits.webSubscriptionShare)
        guard share.held + cost <= allowed, byteCount + cost <= 2 * half else {
            return .refused(bound: "limit_subscription_bytes")
        }
        // Its end is paid with it, for an end cannot be refused.
        guard share.rate.has(2 * cost, at: time) else { return .isClientHasty }
        guard rate.take(2 * cost, at: time) else { return .areAllHasty }
        _ = share.rate.take(2 * cost, at: time)
        byteCount += cost
        share.held += cost
        return .taken
    }

    /// Takes a prefix that somebody else has already: the daemon learns nothing of it.
    package func join(_ prefix: [UInt8], of share: inout Share) { share.held += cost(prefix) }

    /// Gives a prefix back; `isLast`: nobody has it any more.
    package mutating func give(_ prefix: [UInt8], isLast: Bool, of share: inout Share) {
        share.held -= cost(prefix)
        if isLast { byteCount -= cost(prefix) }
    }
}
