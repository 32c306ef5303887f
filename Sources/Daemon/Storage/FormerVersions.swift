import Notation
import Sessions

/// The last versions of the counts of removed sessions, so that a session that is opened again
/// under such a name repeats none.
///
/// Bounded by `Limits.formerVersionsMax`: beyond it the names are forgotten, and all new sessions
/// begin after the highest version of them.
struct FormerVersions {
    /// Where versions begin at a time in nanoseconds since the Unix epoch. It grows faster than any
    /// session counts, so that the versions of a former run are below it, even unknown ones.
    static func versionFloor(at time: Int) -> Int {
        let (seconds, rest) = max(0, time).quotientAndRemainder(dividingBy: 1_000_000_000)
        return min(Limits.versionsBegunMax, seconds << 20 + (rest << 20) / 1_000_000_000)
    }

    /// The highest version of another daemon's that counts at a time: that one's clock may be a
    /// year ahead. Otherwise an imported session would bring the versions of all new sessions
    /// beyond those that any daemon imports, once it is closed.
    static func versionMax(at time: Int) -> Int { versionFloor(at: time) + 1 << 45 }

    private var versions: [String: Int] = [:]
    private var versionFloor: Int

    init(versionFloor: Int) { self.versionFloor = versionFloor }

    subscript(session: String) -> Int { versions[session] ?? versionFloor }

    mutating func remember(_ version: Int, of session: String) {
        guard version > 0 else { return }
        if versions.count >= Limits.formerVersionsMax {
            versionFloor = versions.values.reduce(versionFloor, max)
            versions = [:]
        }
        versions[session] = version
    }
}

extension Limits {
    /// The highest version at which a run may begin. Versions begin by the clock; a year's worth of
    /// them is left below the highest that another daemon imports.
    static let versionsBegunMax = versionImportedMax - 1 << 45
    /// Closed sessions whose last version of counts each lane remembers.
    static let formerVersionsMax = 100_000
}
