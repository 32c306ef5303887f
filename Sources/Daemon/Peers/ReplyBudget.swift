import CSystem
import Notation
import ZeroMQ

/// Bytes of replies that peers have not read yet, as far as the system can tell.
///
/// libzmq bounds the replies that wait for a peer by their number alone, and a reply may have a
/// MiB. So each connection's replies are added up until the system's own queue of it is found
/// short: then the peer reads, and the sum begins anew.
struct ReplyBudget {
    /// By descriptor: there are as many as peers at most.
    private var unread: [Int] = []
    /// Bytes that wait for all peers.
    private(set) var bytes = 0

    /// Whether a reply of so many bytes may be queued for a connection; if so, it counts.
    mutating func take(_ bytes: Int, for descriptor: CInt) -> Bool {
        guard descriptor >= 0 else { return true }
        let place = Int(descriptor)
        if place >= unread.count {
            unread += Array(repeating: 0, count: place + 1 - unread.count)
        }
        let sum = unread[place] + bytes
        if sum > Limits.repliesUnreadCheckBytes, isRead(descriptor) {
            self.bytes -= unread[place]
            unread[place] = 0
            return add(bytes, to: place)
        }
        if self.bytes + bytes > Limits.repliesUnreadBytesInAllMax { sweep() }
        guard sum <= Limits.repliesUnreadBytesMax,
            self.bytes + bytes <= Limits.repliesUnreadBytesInAllMax
                || sum <= Limits.repliesUnreadCheckBytes
        else { return false }
        return add(bytes, to: place)
    }

    /// Forgets what has been read since it was counted, of every connection.
    private mutating func sweep() {
        for place in unread.indices where unread[place] > 0 && isRead(CInt(place)) {
            self.bytes -= unread[place]
            unread[place] = 0
        }
    }

    private mutating func add(_ bytes: Int, to place: Int) -> Bool {
        unread[place] += bytes
        self.bytes += bytes
        return true
    }

    /// Whether nearly all that was written has left, or the connection is gone.
    private func isRead(_ descriptor: CInt) -> Bool {
        gs_connection_is_behind(descriptor, CInt(Limits.unsentBytesMin)) == 0
    }
}

extension Limits {
    /// Bytes of replies after which it is looked whether the peer reads.
    static let repliesUnreadCheckBytes = 1024 * 1024
    /// Bytes of replies that may wait for one peer; further ones are dropped and counted.
    static let repliesUnreadBytesMax = 64 * 1024 * 1024
    /// Bytes of replies that may wait for all peers; then those that have much waiting get no more.
    static let repliesUnreadBytesInAllMax = 192 * 1024 * 1024
    /// Bytes in the system's queue below which a peer counts as reading.
    static let unsentBytesMin = 64 * 1024
}
