import Notation

/// The bytes of messages that wait to be read, complete or not, as one look at the connections
/// finds them.
struct WaitingBytes {
    private var found: [(descriptor: CInt, bytes: Int)] = []
    /// Those of connections that were cut: messages that are complete stay in their socket until
    /// they are read.
    private var orphaned = 0
    private var last = (events: 0, requests: 0)

    /// A look begins.
    mutating func begin() { found.removeAll(keepingCapacity: true) }

    mutating func add(_ bytes: Int, of descriptor: CInt) { found.append((descriptor, bytes)) }

    /// The connections that have too much where all have; they count as cut. The two numbers are
    /// the reactor's progress; see ``PeerTraffic``.
    mutating func excess(events: Int, requests: Int) -> [CInt] {
        let (eventsRead, requestsRead) = (events - last.events, requests - last.requests)
        last = (events, requests)
        // Both sockets were found empty: no complete message waits any more.
        if min(eventsRead, requestsRead) >= PeerTraffic.emptied { orphaned = 0 }
        let bytes = found.reduce(orphaned) { $0 + $1.bytes }
        guard bytes > Limits.unreadBytesInAllMax else { return [] }
        let large = found.filter { $0.bytes > Limits.unreadBytesMax }
        orphaned += large.reduce(0) { $0 + $1.bytes }
        return large.map(\.descriptor)
    }
}

extension Limits {
    /// Bytes of all messages that wait to be read, complete or not: those of thousands of usual
    /// publishers, and a part of what the daemon's unit allows it.
    static let unreadBytesInAllMax = 128 * 1024 * 1024
}
