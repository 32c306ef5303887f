import Notation
import Sessions

/// The last version of the counts of sessions that are gone, so that a name that is opened again
/// never repeats one.
///
/// Bounded by `Limits.formerVersionsMax`: beyond it names are forgotten, and all others begin after
/// the highest of theirs.
struct FormerVersions {
    /// Where versions begin at a time in nanoseconds since the Unix epoch: faster than any session
    /// counts, so that what was told in a former run is below, also where nothing is known of it.
    static func floor(at time: Int) -> Int {
        let (seconds, rest) = max(0, time).quotientAndRemainder(dividingBy: 1_000_000_000)
        return min(Limits.versionsBegunMax, seconds << 20 + (rest << 20) / 1_000_000_000)
    }

    private var versions: [String: Int] = [:]
    private var floor: Int

    init(floor: Int) { self.floor = floor }

    subscript(session: String) -> Int { versions[session] ?? floor }

    mutating func remember(_ version: Int, of session: String) {
        guard version > 0 else { return }
        if versions.count >= Limits.formerVersionsMax {
            floor = versions.values.reduce(floor, max)
            versions = [:]
        }
        versions[session] = version
    }
}
