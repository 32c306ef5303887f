/// The values of sessions that the broker has kept, as it tells at each connection: of earlier
/// runs, and of other bridges with the same prefix.
///
/// A value bears the name of the bridge that published it. One without a name is of a bridge before
/// this rule, or of another program.
struct HouseRemnants: Sendable {
    /// Values that wait until the daemon has told what there is: those of one bridge at most.
    static let waitingMax = HouseOutbox.topicsMax
    /// Bytes of their topics: half a KiB of each, where most have a hundred bytes.
    static let waitingBytesMax = HouseOutbox.endingBytesMax
    /// Sessions of other bridges: those of four.
    static let othersMax = 4 * HouseMirror.sessionsMax

    struct Remnant: Hashable, Sendable {
        var topic: String
        var session: String

        fileprivate var bytes: Int { topic.utf8.count + session.utf8.count }
    }

    /// In the order in which they came, until they are judged.
    private var waiting: [Remnant] = []
    private var bytes = 0
    /// Sessions that other bridges show.
    private(set) var others: Set<String> = []

    /// Notes a value; returns how many are beyond the bound and so stay at the broker.
    mutating func wait(_ remnant: Remnant) -> Int {
        guard waiting.count < Self.waitingMax, bytes + remnant.bytes <= Self.waitingBytesMax
        else { return 1 }
        bytes += remnant.bytes
        waiting.append(remnant)
        return 0
    }

    mutating func takeAll() -> [Remnant] {
        defer { (waiting, bytes) = ([], 0) }
        return waiting
    }

    mutating func note(_ session: String, isElsewhere: Bool) {
        if !isElsewhere {
            others.remove(session)
        } else if others.count < Self.othersMax {
            others.insert(session)
        }
    }
}
