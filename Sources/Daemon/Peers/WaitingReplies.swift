import CSystem
import Notation
import ZeroMQ

/// The bytes of replies that wait for their peers, all of them and those of each connection.
///
/// libzmq bounds the replies that wait for a peer by their number alone, and a reply may have a
/// MiB. So each reply counts until libzmq lets go of it (``HeldBytes``). The system's own queue of
/// a connection would not tell: where libzmq's thread is busy, that queue is short and libzmq's is
/// long.
///
/// Large replies count apart from the others of their connection, which may be that of many clients
/// (gesture-web): where they have used up its share, small ones still have room.
struct WaitingReplies {
    private let all: HeldBytes
    /// The bytes that wait for each connection, in its small replies and in its large ones: by
    /// descriptor, from −1 on, the unknown one. There are as many as peers at most. They are lists
    /// of their own, because each look at a pair of them would keep both alive.
    private var small: [HeldBytes?] = []
    private var large: [HeldBytes?] = []
    /// The bytes of small replies since the last one of each connection that counted.
    private var uncounted: [Int] = []
    private let isEncrypted: Bool
    /// The place after the one that was settled last.
    private var nextToSettle = 0

    /// `all` counts the bytes that wait for all peers. `isEncrypted`: libzmq has a copy of each
    /// connection's last reply until the system takes it.
    init(_ all: HeldBytes = HeldBytes(), isEncrypted: Bool = false) {
        self.all = all
        self.isEncrypted = isEncrypted
    }

    /// Bytes that wait for all peers.
    var bytes: Int { all.count }

    /// The bytes for which a reply counts.
    static func cost(of bytes: Int) -> Int { bytes + Limits.replyOverheadBytes }

    /// How a reply goes to its connection.
    enum Way {
        /// It has no room: too much waits for its connection, or for all.
        case dropped
        /// It is small. The next one that counts, counts for it too.
        case uncounted
        case counted(HeldBytes, cost: Int)
    }

    /// The way of a reply of so many bytes.
    mutating func way(of bytes: Int, on descriptor: CInt) -> Way {
        let cost = Self.cost(of: bytes)
        guard bytes <= Limits.smallReplyBytesMax else {
            return room(for: cost, on: descriptor).map { .counted($0, cost: cost) } ?? .dropped
        }
        let place = Int(max(descriptor, -1)) + 1
        let sum = cost + (place < uncounted.count ? uncounted[place] : 0)
        // Usually little waits, and the least share has room for it.
        if sum < Limits.uncountedRepliesBytesMax, place < small.count,
            let held = small[place], held.count <= Limits.uncountedRepliesBytesMax,
            all.count + sum <= Limits.repliesUnreadBytesInAllMax
        {
            uncounted[place] = sum
            return .uncounted
        }
        guard let held = room(for: sum, on: descriptor) else { return .dropped }
        guard sum >= Limits.uncountedRepliesBytesMax else {
            uncounted[place] = sum
            return .uncounted
        }
        uncounted[place] = 0
        return .counted(held, cost: sum)
    }

    /// Where a reply counts that has room; nil: too much waits for its connection, or for all.
    mutating func room(for cost: Int, on descriptor: CInt) -> HeldBytes? {
        let place = Int(max(descriptor, -1)) + 1
        if place >= small.count {
            let more = place + 1 - small.count
            uncounted += Array(repeating: 0, count: more)
            small += Array(repeating: nil, count: more)
            large += Array(repeating: nil, count: more)
        }
        let isLarge = cost > Self.cost(of: Limits.replyBytesLarge)
        let held =
            isLarge
            ? Self.held(&large[place], partOf: all, keepsLast: isEncrypted)
            : Self.held(&small[place], partOf: all, keepsLast: isEncrypted)
        if hasRoom(for: cost, in: held) { return held }
        guard isEncrypted else { return nil }
        settle()
        return hasRoom(for: cost, in: held) ? held : nil
    }

    /// The bytes that wait for a connection, which are counted from its first reply on.
    private static func held(
        _ place: inout HeldBytes?, partOf all: HeldBytes, keepsLast: Bool
    ) -> HeldBytes {
        if let held = place { return held }
        let held = HeldBytes(partOf: all, keepsLast: keepsLast)
        place = held
        return held
    }

    /// Whether a reply fits in the share of its connection, beside those of about its size.
    private func hasRoom(for cost: Int, in held: HeldBytes) -> Bool {
        let left = Limits.repliesUnreadBytesInAllMax - all.count
        return held.count + cost <= Self.share(ofLeft: left) && cost <= left
    }

    /// Counts the last replies of some connections no longer whose peers have them.
    private mutating func settle() {
        var looks = 0
        for _ in small.indices where looks < Limits.repliesSettledMax {
            let place = nextToSettle % small.count
            nextToSettle = place + 1
            let (small, large) = (small[place], large[place])
            guard small?.isUnsettled == true || large?.isUnsettled == true else { continue }
            looks += 1
            // Where the system's queue is short, it has taken what libzmq had encrypted.
            let descriptor = CInt(place - 1)
            if gs_connection_is_behind(descriptor, CInt(Limits.unsentBytesMin)) == 0 {
                small?.settle()
                large?.settle()
            }
        }
    }

    /// Bytes that one connection may have waiting where so many are left of those of all.
    ///
    /// It is the whole bound of one until half of all is used, and an eighth of that for each half
    /// of the rest. So peers that do not read leave room for those that do.
    static func share(ofLeft left: Int) -> Int {
        let rest = min(1, 2 * Double(left) / Double(Limits.repliesUnreadBytesInAllMax))
        let share = Double(Limits.repliesUnreadBytesMax) * rest * rest * rest
        return max(Limits.replyShareBytesMin, Int(share))
    }
}

extension Limits {
    /// Bytes of replies that may wait for one peer; further ones are dropped and counted.
    static let repliesUnreadBytesMax = 64 * 1024 * 1024
    /// Bytes of replies that may wait for all peers.
    static let repliesUnreadBytesInAllMax = 192 * 1024 * 1024
    /// Bytes that may wait for any peer while there is room at all: the answers to two dozen small
    /// requests. Half of them are those of small replies that do not count yet.
    static let replyShareBytesMin = 2 * uncountedRepliesBytesMax
    /// Bytes beyond which a reply is large: it counts, and waits for its turn, apart from the
    /// others of its connection.
    static let replyBytesLarge = 64 * 1024
    /// Bytes of a reply up to which it may go uncounted: to count it would cost as much as to send
    /// it.
    static let smallReplyBytesMax = 512
    /// Bytes of small replies of a connection for which the next one counts at the latest.
    static let uncountedRepliesBytesMax = 4 * 1024
    /// Connections whose queue is looked at when a reply has no room: some microseconds.
    static let repliesSettledMax = 16
    /// Bytes that a reply takes beside its own: its frames in libzmq's queue, and what counts it.
    static let replyOverheadBytes = 256
}
