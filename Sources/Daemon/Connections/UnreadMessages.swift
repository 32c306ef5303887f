import Notation

/// The bytes of events, or of requests, that libzmq has taken from all connections and the reactor
/// has not read. The guard's own; it performs nothing.
///
/// libzmq bounds what waits of one connection by the number of messages, a MiB of each, and keeps
/// it when the connection has ended. A peer that connects again and again would leave more each
/// time, as long as a lane is behind. So while much waits, no further peer is let in: it tries
/// again by itself. Where still more comes, the connection that brings most of it is cut. While
/// memory is short (``QueuedMemory``), each byte may have so much of it that few may wait.
struct UnreadMessages {
    /// Whose bytes it looks at.
    enum Kind: Equatable { case events, requests }

    private struct Connection {
        var identity = 0
        var consumed = 0
        /// Bytes that came at the last look and before, of which each look takes a quarter off.
        var recent = 0
        var look = 0
    }

    private let kind: Kind
    private var connections: [CInt: Connection] = [:]
    private var looks = 0
    private var read = 0
    private var emptied = (events: 0, pushes: 0, requests: 0)
    private(set) var bytes = 0
    private var isMemoryShort = false

    init(_ kind: Kind) { self.kind = kind }

    /// Bytes of memory for each byte on the wire, as far as they count.
    private var factor: Int { isMemoryShort ? Limits.frameMemoryFactorMax : 1 }

    /// Whether so much waits that no further peer should be let in. Peers that ask are kept out
    /// later than publishers: the reactor reads requests on, whatever waits.
    var areMany: Bool {
        let most =
            kind == .events ? Limits.messagesUnreadBytesMax : Limits.messagesUnreadBytesToCut
        return bytes * factor > most
    }

    private func concerns(_ role: ConnectionJudge.Role) -> Bool {
        switch role {
        case .events, .pushes: kind == .events
        case .control: kind == .requests
        case .updates: false
        }
    }

    /// Takes a look at all connections. `read`: the bytes that the reactor has read since the
    /// start. Returns the connections to cut.
    mutating func look(
        _ samples: [ConnectionJudge.Sample], read: Int, _ progress: ConnectionJudge.Progress
    ) -> [CInt] {
        looks += 1
        var taken = 0
        var count = 0
        var most: (descriptor: CInt, recent: Int)?
        isMemoryShort = progress.isMemoryShort
        for sample in samples where concerns(sample.role) {
            var connection = connections[sample.descriptor] ?? Connection()
            if connection.identity != sample.identity {
                connection = Connection(identity: sample.identity)
            }
            // A sample may tell fewer bytes than the last one. Were the connection taken for a new
            // one then, all that it has ever brought would count as having come just now.
            let came = max(0, sample.consumed - connection.consumed)
            connection.consumed += came
            connection.recent = came + connection.recent * 3 / 4
            connection.look = looks
            connections[sample.descriptor] = connection
            taken += came
            count += 1
            if came > 0, connection.recent > most?.recent ?? 0 {
                most = (sample.descriptor, connection.recent)
            }
        }
        // Some have gone.
        if count < connections.count { connections = connections.filter { $0.value.look == looks } }
        bytes = max(0, bytes + taken - (read - self.read))
        self.read = read
        // Where the sockets were found empty, only what came since can wait. Handshakes and signs
        // of life, which libzmq takes and the reactor never reads, count until then.
        if isEmptied(progress) {
            bytes = min(bytes, taken)
            emptied = (progress.events, progress.pushes, progress.requests)
        }
        guard let most, most.recent * factor >= Limits.messagesRecentBytesToCut else { return [] }
        return cut(most)
    }

    /// The bytes at which a connection is cut.
    private var bytesToCut: Int {
        kind == .events ? Limits.messagesUnreadBytesToCut : Limits.requestsUnreadBytesToCut
    }

    /// Which connections are cut, where this one has brought most. Where many send little, much
    /// more must wait before one of them is cut, and then some are at once.
    private func cut(_ most: (descriptor: CInt, recent: Int)) -> [CInt] {
        let bytes = bytes * factor
        if bytes <= bytesToCut { return [] }
        if most.recent * factor >= Limits.messagesRecentBytesMin { return [most.descriptor] }
        guard bytes >= 2 * bytesToCut else { return [] }
        let others = connections.lazy.filter { descriptor, connection in
            descriptor != most.descriptor && connection.recent > most.recent / 2
        }
        return [most.descriptor] + others.map(\.key).prefix(Limits.unreadCutsMax - 1)
    }

    /// Whether its sockets were found empty since the last time.
    private func isEmptied(_ progress: ConnectionJudge.Progress) -> Bool {
        guard kind == .events else {
            return progress.requests - emptied.requests >= PeerTraffic.emptied
        }
        return progress.events - emptied.events >= PeerTraffic.emptied
            && progress.pushes - emptied.pushes >= PeerTraffic.emptied
    }
}

extension Limits {
    /// Bytes of events that libzmq has taken from all connections and that are not read, at which
    /// no publisher is let in: 2,000 of the largest that are not refused for their size.
    static let messagesUnreadBytesMax = 128 * 1024 * 1024
    /// The same at which a connection is cut: a few looks later, at the speed of one machine. No
    /// further peer may ask while as many bytes of requests wait.
    static let messagesUnreadBytesToCut = 192 * 1024 * 1024
    /// The same of requests. The reactor reads them on, whatever waits.
    static let requestsUnreadBytesToCut = 96 * 1024 * 1024
    /// Connections that are cut at one look.
    static let unreadCutsMax = 8
    /// Bytes that a connection may bring in some looks without being cut for it, or twice as much
    /// must wait: no usual publisher sends 50 MB a second.
    static let messagesRecentBytesMin = 2 * 1024 * 1024
    /// Bytes that a connection may bring so whatever waits. Where libzmq holds back all that have
    /// brought much, one that brings little would be the one that brings most.
    static let messagesRecentBytesToCut = 128 * 1024
}
