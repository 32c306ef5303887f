package import Interactions

/// A session's counts and the version that names each of their states.
package struct BadgeLedger: Hashable, Sendable {
    package private(set) var counts = BadgeCounts()
    /// Grows with each change; never repeats, not in a later life of the session either.
    package private(set) var version: Int
    private let firstVersion: Int

    /// `version` is the last one that a former life of the session may have sent.
    package init(after version: Int = 0) {
        self.version = version
        firstVersion = version
    }

    /// Whether this life has changed any count.
    package var hasChanged: Bool { version > firstVersion }

    package var total: Int { counts.entries.reduce(0) { $0 + $1.count } }

    /// Whether anything changed. A 257th kind takes the place of one that stands at 0.
    package mutating func apply(_ change: CountChange, to kind: String) throws(Rejection) -> Bool {
        let count =
            switch change {
            case .add(let more): min(Limits.countMax, counts[kind] + min(more, Limits.countMax))
            case .set(let count): count
            }
        guard count != counts[kind] else { return false }
        if !counts.contains(kind), counts.entries.count == Limits.badgeKindsMax,
            !counts.forgetOneAtZero()
        {
            throw Rejection(
                .badValue, "kind: a session counts at most \(Limits.badgeKindsMax) kinds")
        }
        counts.set(kind, to: count)
        version += 1
        return true
    }

    /// Sets the counts of `kinds` to 0; nil: of all. Whether anything changed.
    package mutating func clear(_ kinds: [String]?) -> Bool {
        let cleared = kinds ?? counts.entries.map(\.kind)
        var changed = false
        for kind in cleared where counts[kind] > 0 {
            counts.set(kind, to: 0)
            changed = true
        }
        if changed { version += 1 }
        return changed
    }
}

/// The ids that were applied last, so that what is sent twice counts once.
package struct SeenIDs: Hashable, Sendable {
    private var set: Set<String> = []
    /// In order of arrival, as a ring once it is full.
    private var ring: [String] = []
    private var oldest = 0

    package init() {}

    package func contains(_ id: String) -> Bool { set.contains(id) }

    package mutating func insert(_ id: String) {
        guard set.insert(id).inserted else { return }
        guard ring.count == Limits.idsRememberedMax else {
            ring.append(id)
            return
        }
        set.remove(ring[oldest])
        ring[oldest] = id
        oldest = (oldest + 1) % Limits.idsRememberedMax
    }
}
