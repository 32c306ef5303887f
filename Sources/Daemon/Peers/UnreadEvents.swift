import Notation

/// The bytes of events that libzmq has taken from all connections and the reactor has not read.
/// The guard's own; it performs nothing.
///
/// libzmq bounds what waits of one connection by the number of messages, a MiB of each, and keeps
/// it when the connection has ended. A peer that connects again and again would leave more each
/// time, as long as a lane is behind. So while much waits, no publisher is let in: it tries again
/// by itself. Where still more comes, the connection that brings most of it is cut.
struct UnreadEvents {
    private struct Connection {
        var identity = 0
        var consumed = 0
        /// Bytes that came at the last look and before, of which each look takes a quarter off.
        var recent = 0
        var look = 0
    }

    private var connections: [CInt: Connection] = [:]
    private var looks = 0
    private var read = 0
    private var emptied = (events: 0, pushes: 0)
    private(set) var bytes = 0

    /// Whether so much waits that no publisher should be let in.
    var areMany: Bool { bytes > Limits.eventsUnreadBytesMax }

    /// Takes a look at all connections. `read`: the bytes of events that the reactor has read since
    /// the start. Returns the connection to cut; nil: none.
    mutating func look(
        _ samples: [ConnectionJudge.Sample], read: Int, _ progress: ConnectionJudge.Progress
    ) -> CInt? {
        looks += 1
        var taken = 0
        var count = 0
        var most: (descriptor: CInt, recent: Int)?
        for sample in samples where sample.role == .events || sample.role == .pushes {
            var connection = connections[sample.descriptor] ?? Connection()
            if connection.identity != sample.identity || connection.consumed > sample.consumed {
                connection = Connection(identity: sample.identity)
            }
            let came = sample.consumed - connection.consumed
            connection.consumed = sample.consumed
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
        // Where both sockets were found empty, only what came since can wait. Handshakes and signs
        // of life, which libzmq takes and the reactor never reads, count until then.
        if progress.events - emptied.events >= PeerTraffic.emptied,
            progress.pushes - emptied.pushes >= PeerTraffic.emptied
        {
            bytes = min(bytes, taken)
            emptied = (progress.events, progress.pushes)
        }
        guard bytes > Limits.eventsUnreadBytesToCut, let most else { return nil }
        // Where many send little, much more must wait before one of them is cut.
        let isUsual = most.recent < Limits.eventsRecentBytesMin
        return isUsual && bytes < 2 * Limits.eventsUnreadBytesToCut ? nil : most.descriptor
    }
}

extension Limits {
    /// Bytes of events that libzmq has taken from all connections and that are not read, at which
    /// no publisher is let in: 2,000 of the largest that are not refused for their size.
    static let eventsUnreadBytesMax = 128 * 1024 * 1024
    /// The same at which a connection is cut: a few looks later, at the speed of one machine.
    static let eventsUnreadBytesToCut = 192 * 1024 * 1024
    /// Bytes that a connection may bring in some looks without being cut for it, or twice as much
    /// must wait: no usual publisher sends 50 MB a second.
    static let eventsRecentBytesMin = 2 * 1024 * 1024
}
