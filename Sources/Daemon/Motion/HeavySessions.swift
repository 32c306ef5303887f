import Geometry
import Notation

/// The sessions that move in the time that the others leave, in turn. Used on the lane's queue
/// alone.
final class HeavySessions {
    private var ring: [ActiveSession] = []
    private var next = 0
    /// Nanoseconds of a look beyond which a session is heavy. It falls while the others cannot all
    /// be looked at in time, so that the most expensive of them step aside.
    private(set) var limit = Limits.lookMicrosecondsMax * 1_000

    var isEmpty: Bool { ring.isEmpty }
    var count: Int { ring.count }

    func insert(_ active: ActiveSession) { ring.append(active) }

    /// Takes the next session out that is due at a step; nil: none is. Sessions that rest leave.
    func take(dueAt step: Step) -> ActiveSession? {
        for _ in ring.indices {
            if next >= ring.count { next = 0 }
            guard let wake = ring[next].wake else {
                ring[next].listing = .nowhere
                ring.remove(at: next)
                continue
            }
            // The ring closes over its place: the one behind it is next.
            if wake <= step { return ring.remove(at: next) }
            next += 1
        }
        return nil
    }

    /// Puts a session back that was taken: all others come before it.
    func putBack(_ active: ActiveSession) {
        if next > ring.count { next = ring.count }
        ring.insert(active, at: next)
        next += 1
    }

    /// The first step at which any of them is due.
    var earliestWake: Step? { ring.lazy.compactMap(\.wake).min() }

    /// A pass over all others took so long.
    func passed(nanoseconds: Int) {
        if nanoseconds > Limits.passMicrosecondsMax * 1_000 {
            limit = max(limit / 2, Limits.lookMicrosecondsMin * 1_000)
        } else if ring.isEmpty {
            limit = min(limit * 2, Limits.lookMicrosecondsMax * 1_000)
        }
    }
}

extension Limits {
    /// Microseconds of the processor for one look at a session, beyond which it moves in the spare
    /// time: a fourth of a frame at 60 Hz, so that others hardly notice.
    static let lookMicrosecondsMax = 4_000
    /// The same where a lane has too much to do: a session of one view takes a tenth of it.
    static let lookMicrosecondsMin = 100
    /// Microseconds for all sessions that move in turn. Beyond it the most expensive of them move
    /// in the spare time: a fourth of what a bystander may notice.
    static let passMicrosecondsMax = 25_000
}
