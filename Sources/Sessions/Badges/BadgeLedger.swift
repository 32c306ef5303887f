package import Interactions
import Notation

/// A session's counts and variables, and the version that names each of their states.
///
/// A notification or a clear changes the counts and raises the version, and so does an assignment
/// with the variables; the session publishes both, and the store saves both. Versions never repeat
/// for a name, not even after a crash: clients rely on it. Safe to change: nothing about versions;
/// the bounds stand beside the counts.
package struct BadgeLedger: Hashable, Sendable, Codable {
    package private(set) var counts = BadgeCounts()
    /// Grows with each change; never repeats, not in a later session of the same name either.
    package private(set) var version: Int
    /// The version that this session began with.
    package let firstVersion: Int
    /// Nil: the scene has none.
    package private(set) var variables: VariableLedger?

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
    package var hasChanged: Bool { version - (variables?.changeCount ?? 0) > firstVersion }

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

    /// Begins with the values of a scene's variables, or with those of a former session.
    mutating func begin(_ variables: [Variable], _ values: [VariableValue]? = nil) {
        guard !variables.isEmpty else { return }
        self.variables = VariableLedger(
            values ?? variables.map(\.value), version: version,
            changeCount: self.variables?.changeCount ?? 0)
    }

    /// Takes the values of another scene's variables, as another version.
    mutating func replace(_ variables: [Variable], _ values: [VariableValue]?) {
        let changeCount = (self.variables?.changeCount ?? 0) + 1
        version += 1
        self.variables = VariableLedger(
            values ?? variables.map(\.value), version: version, changeCount: changeCount)
    }

    /// Takes other values of the variables. Whether anything changed.
    mutating func assign(_ values: [VariableValue]) -> Bool {
        guard variables?.take(values, version: version + 1) == true else { return false }
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
