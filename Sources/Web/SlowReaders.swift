import Notation

/// The clients that have to go because what they leave unread takes the time of others.
///
/// An update for a client that does not read is merged into what waits for it, in about a
/// microsecond, and again for each such client. A few clients that sleep cost nothing that others
/// would notice, and hundreds of them that follow hundreds of sessions take all of a core.
package struct SlowReaders: Sendable {
    /// The updates of the last looks for clients that do not read, the newest last.
    private var sums: [Int] = []

    package init() {}

    /// The clients to close, of all that have left something unread since the last look, with the
    /// updates that came for each meanwhile: those for which most came, until the rest is within
    /// the bound. Among those with equally many, the one that came last goes first. None goes for
    /// a burst: the average of the last looks must be beyond the bound.
    package mutating func surplus(
        _ readers: [(client: UInt64, updates: Int)],
        atMost max: Int = Limits.webUnreadUpdatesOfLookMax
    ) -> [UInt64] {
        var left = readers.reduce(0) { $0 + $1.updates }
        sums = sums.suffix(Self.looksCount - 1) + [left]
        guard sums.reduce(0, +) > max * Self.looksCount else { return [] }
        let order = readers.sorted { ($0.updates, $0.client) > ($1.updates, $1.client) }
        return order.prefix { reader in
            defer { left -= reader.updates }
            return left > max
        }.map(\.client)
    }

    private static let looksCount = 4
}

extension Limits {
    /// Updates in a second for clients that do not read, of all such clients together: they take a
    /// seventh of a core. Ten clients that sleep, and follow frames and states of a hundred
    /// sessions that move, have a little less.
    package static let webUnreadUpdatesPerSecond = 131_072
    /// Milliseconds between two looks at them: those that are closed may come back at once, and
    /// cost as much until the next look.
    package static let webUnreadLookMilliseconds = 100
    /// Their updates between two looks.
    package static let webUnreadUpdatesOfLookMax =
        webUnreadUpdatesPerSecond * webUnreadLookMilliseconds / 1_000
}
