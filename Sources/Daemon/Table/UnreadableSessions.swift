import Interactions
import Notation

/// Sessions whose stored record cannot be read, each with the answer to what comes for it.
///
/// A record may have a megabyte, and anybody may send many events for its session: for a while
/// they are refused without another look into the store. Bounded by `Limits.unreadableMax`: beyond
/// it all are forgotten, and each is read once more. The lane's own.
struct UnreadableSessions {
    private struct Entry {
        var rejection: Rejection
        /// When the record is read again, on the monotonic clock: it may be repaired by then.
        var end: Int
    }

    private var entries: [String: Entry] = [:]

    /// Whether there are none, as mostly.
    var isEmpty: Bool { entries.isEmpty }

    /// The answer to what comes for a session at a time on the monotonic clock; nil: its record may
    /// be read.
    mutating func rejection(of id: String, at now: Int) -> Rejection? {
        guard !entries.isEmpty, let entry = entries[id] else { return nil }
        if now < entry.end { return entry.rejection }
        entries[id] = nil
        return nil
    }

    /// A record was read at a time on the monotonic clock, in vain.
    mutating func note(_ id: String, _ rejection: Rejection, at now: Int) {
        if entries.count >= Limits.unreadableMax { entries = [:] }
        entries[id] = Entry(
            rejection: rejection, end: now + Limits.unreadableSeconds * 1_000_000_000)
    }

    /// The record is deleted, or another one takes its place.
    mutating func forget(_ id: String) {
        if !entries.isEmpty { entries[id] = nil }
    }

    /// Records may be readable that were not: the scenes that they name are other ones, or another
    /// member of the cluster may have written them.
    mutating func forgetAll() { entries = [:] }
}

extension Limits {
    /// Sessions of a lane that are known as unreadable: with their names and reasons, a megabyte.
    static let unreadableMax = 1_024
    /// Seconds for which a record that cannot be read is not read again: a megabyte, which takes
    /// twenty milliseconds, costs a lane a five-hundredth of its time.
    static let unreadableSeconds = 10
}
