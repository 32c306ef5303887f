package import Interactions
import Notation

/// A session's counts and the version that names each of their states.
///
/// A notification or a clear changes the counts and raises the version; the session publishes both,
/// and the store saves both. Versions never repeat for a name, not even after a crash: clients rely
/// on it. Safe to change: nothing about versions; the bounds stand beside the counts.
package struct BadgeLedger: Hashable, Sendable, Codable {
    package private(set) var counts = BadgeCounts()
    /// Grows with each change; never repeats, not in a later session of the same name either.
    package private(set) var version: Int
    /// The version that this session began with.
    package let firstVersion: Int

    /// No counts; `version` is the last one that a former session may have published. 0: none.
    package init(after version: Int = 0) {
        self.version = version > 0 ? version + 1 : 0
        firstVersion = self.version
    }

    /// The counts of a former session, whose last version was at most `version`.
    package init(_ counts: BadgeCounts, after version: Int) {
        self.counts = counts
        self.version = version
        firstVersion = version
    }

    /// Gives the same counts another version, for subscribers who saw none of them.
    package mutating func renew() { version += 1 }

    /// Whether this session has changed any count, or took counts over from another daemon.
    package var hasChanged: Bool { version > firstVersion }

    /// At most what every JSON reader holds exactly, as each of them.
    package var total: Int {
        min(BadgeCounts.countMax, counts.entries.reduce(0) { $0 + $1.count })
    }

    /// Whether anything changed. A 257th kind takes the place of one that stands at 0.
    package mutating func apply(_ change: CountChange, to kind: String) throws(Rejection) -> Bool {
        let former = counts[kind]
        let count =
            switch change {
            case .add(let more):
                min(BadgeCounts.countMax, former + min(more, BadgeCounts.countMax))
            case .set(let count): count
            }
        guard count != former else { return false }
        if counts.entries.count == BadgeCounts.kindsMax, !counts.contains(kind),
            !counts.forgetOneAtZero()
        {
            throw Rejection(
                .badValue, "kind: a session counts at most \(BadgeCounts.kindsMax) kinds")
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
