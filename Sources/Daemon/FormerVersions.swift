import Sessions

/// The last version of the counts of sessions that are gone, so that a name that is opened again
/// never repeats one.
///
/// Bounded by `Limits.formerVersionsMax`: beyond it names are forgotten, and all others begin after
/// the highest of theirs.
struct FormerVersions {
    private var versions: [String: Int] = [:]
    private var floor: Int

    init(floor: Int = 0) { self.floor = floor }

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
