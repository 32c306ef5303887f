import Notation

/// Decides which subscribers that do not read are cut, where too many updates wait for all of them.
///
/// libzmq keeps two entries for each update that waits for a subscriber, however small it is, and
/// up to `send_high_water_mark` updates for each. This is little for one, and much for hundreds.
/// The mark cannot be lowered as subscribers come: an endpoint keeps the one with which it was
/// bound, and libzmq 4.3 may crash where the mark of connections is set that just end.
struct UnreadUpdates {
    /// The subscribers that are behind: the updates that had been sent when each was last found to
    /// read, and how many since may wait for it.
    private var behind: [(read: Int, descriptor: CInt, count: Int)] = []
    private let perConnectionMax: Int

    /// `perConnectionMax`: libzmq lets so many wait for one.
    init(perConnectionMax: Int) { self.perConnectionMax = perConnectionMax }

    mutating func begin() { behind.removeAll(keepingCapacity: true) }

    /// Notes a subscriber that is behind: the bytes that it has not taken, of all that were sent
    /// for it since it was last found to read. `sent - read` updates have these bytes.
    mutating func note(
        _ descriptor: CInt, read: Int, sent: Int, untaken bytes: Int, of sentBytes: Int
    ) {
        guard sentBytes > 0, bytes > 0 else { return }
        let count = Double(sent - read) * min(1, Double(bytes) / Double(sentBytes))
        behind.append((read, descriptor, min(Int(count), perConnectionMax)))
    }

    /// The subscribers to cut: those for which most waits, and of these those that have not read
    /// for the longest time. One for which little is sent is behind all the time if its
    /// connection is slow, and does not pay for others.
    mutating func excess() -> [CInt] {
        var count = behind.reduce(0) { $0 + $1.count }
        guard count > Limits.updatesUnreadMax else { return [] }
        behind.sort { ($1.count, $0.read, $0.descriptor) < ($0.count, $1.read, $1.descriptor) }
        return behind.prefix { one in
            guard count > Limits.updatesUnreadMax else { return false }
            count -= one.count
            return true
        }.map(\.descriptor)
    }
}

extension Limits {
    /// Updates that may wait for all subscribers that do not read: 128 MiB of libzmq's entries of
    /// 64 bytes, two for each.
    static let updatesUnreadMax = 1_048_576
}
