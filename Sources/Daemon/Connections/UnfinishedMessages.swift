import Notation

/// The bytes of each connection that libzmq has read and that are no message which the reactor has
/// read. It performs nothing.
///
/// libzmq keeps the frames of a message until its last one comes, and bounds neither their number
/// nor their memory. Few bytes of very many connections may be much memory, however slowly they
/// come. So what the reactor has read of each connection is counted at all times, and while memory
/// is short (``QueuedMemory``) few bytes of unfinished messages stay. Those that come fastest are
/// cut first: who sends one frame over a slow connection is among the last.
struct UnfinishedMessages {
    /// The bytes that the reactor knows of a descriptor's connections. They only grow.
    struct Counts {
        /// Bytes of messages that it has read.
        var read = 0
        /// Bytes of its replies.
        var replied = 0
    }

    private struct Connection {
        var identity: Int
        var counts: Counts
        /// The bytes of replies to the descriptor's connections before this one.
        var repliedBefore: Int
        /// The most bytes that a sample told as consumed: the next one may tell fewer.
        var consumed = 0
        /// Bytes, from the connection's beginning on, that were messages, a handshake or signs of
        /// life.
        var handled = 0
        /// Bytes that the daemon sent and that were no replies.
        var answered = 0
        /// The bytes that were consumed, and those read, when the proof that is under way began.
        var snapshot = (consumed: 0, read: 0)
        /// Bytes from the beginning on whose complete messages have all been read.
        var settled = 0
        /// When it was found to have an unfinished message; nil: it has none.
        var began: Int?
        /// Bytes in a second that it has brought of it, at the most: one that brings no more does
        /// not come to look slow.
        var fastest = 0.0
        var isCut = false
        var look = 0

        /// Bytes that are known to be of a message that is not at its end.
        var unfinished: Int { max(0, settled - handled) }
    }

    /// Why all messages that were whole when the proof began have been read.
    private enum Proof {
        case none
        /// Each connection had its turn several times.
        case turns
        /// The socket was found empty twice.
        case emptied
    }

    private struct Socket {
        let role: ConnectionJudge.Role
        /// The progress when the proof that is under way began.
        var messages = 0
        var connections = 0
        var proof = Proof.none
    }

    private let least: Int
    private var connections: [CInt: Connection] = [:]
    /// The counts of descriptors whose connections have gone.
    private var gone: [CInt: Counts] = [:]
    private var sockets = [ConnectionJudge.Role.events, .pushes, .control].map { Socket(role: $0) }
    private var looks = 0
    private var unfinished: [(descriptor: CInt, bytes: Int, perSecond: Double)] = []
    /// Bytes of all connections that may be of unfinished messages, without those that have few.
    private(set) var bytes = 0

    /// `isEncrypted`: handshakes are those of CURVE.
    init(isEncrypted: Bool = false) {
        least = Limits.unfinishedBytesInShortageMin * (isEncrypted ? 2 : 1)
    }

    /// Whether so much may be unfinished that the reactor is to show what it has read.
    var areMany: Bool { bytes > Limits.unfinishedBytesInShortageMax }

    /// Takes a look at all connections. `counts`: what the reactor knows of a descriptor, asked for
    /// after the samples and the progress were taken. Returns the connections to cut.
    mutating func look(
        _ samples: [ConnectionJudge.Sample], _ progress: ConnectionJudge.Progress, at now: Int,
        counts: (CInt) -> Counts?
    ) -> [CInt] {
        looks += 1
        bytes = 0
        unfinished.removeAll(keepingCapacity: true)
        prove(progress)
        for sample in samples {
            guard let place = sockets.firstIndex(where: { $0.role == sample.role }),
                let known = counts(sample.descriptor)
            else { continue }
            sockets[place].connections += 1
            var connection = connection(sample, known)
            connection.look = looks
            take(&connection, sample, known)
            settle(&connection, sample, sockets[place].proof)
            note(connection, sample)
            if connection.unfinished <= least {
                connection.began = nil
                connection.fastest = 0
            } else if !connection.isCut {
                let age = now - (connection.began ?? now)
                connection.began = now - age
                // libzmq's thread may have been kept from handing on what it has read.
                if age >= Limits.unfinishedNanosecondsInShortageMin {
                    connection.fastest = max(
                        connection.fastest, Double(connection.unfinished) / (Double(age) / 1e9))
                    unfinished.append(
                        (sample.descriptor, connection.unfinished, connection.fastest))
                }
            }
            connections[sample.descriptor] = connection
        }
        forgetGone()
        return progress.isMemoryShort ? cut() : []
    }

    private mutating func prove(_ progress: ConnectionJudge.Progress) {
        for place in sockets.indices {
            let messages = progress.messages(sockets[place].role)
            let count = messages - sockets[place].messages
            let turns = max(1, 4 * sockets[place].connections)
            sockets[place].proof =
                count >= 2 * PeerTraffic.emptied
                ? .emptied
                : turns < PeerTraffic.emptied && (turns..<PeerTraffic.emptied).contains(count)
                    ? .turns : .none
            if sockets[place].proof != .none { sockets[place].messages = messages }
            sockets[place].connections = 0
        }
    }

    private func connection(_ sample: ConnectionJudge.Sample, _ known: Counts) -> Connection {
        let former = connections[sample.descriptor]
        if let former, former.identity == sample.identity { return former }
        // Bytes that were counted since the last look may be the new one's.
        let before = former?.counts ?? gone[sample.descriptor] ?? Counts()
        return Connection(
            identity: sample.identity, counts: before, repliedBefore: before.replied)
    }

    /// Takes what the reactor has read since the last look, and what was answered.
    private func take(
        _ connection: inout Connection, _ sample: ConnectionJudge.Sample, _ known: Counts
    ) {
        // More was read of the descriptor's former connection: all that was read of this one until
        // the last look has been consumed by now.
        connection.consumed = max(connection.consumed, sample.consumed)
        connection.handled = min(connection.handled, connection.consumed)
        let read = known.read - connection.counts.read
        if read > 0 {
            // The message ended later than all that had come before it.
            connection.handled = max(connection.handled + read, connection.settled)
        }
        // A PONG has 7 bytes at least, and 2 fewer than its PING. The daemon's part of a handshake
        // is about as long as the peer's.
        let answered = sample.written - (known.replied - connection.repliedBefore)
        if answered > connection.answered {
            connection.handled += (answered - connection.answered) * 9 / 7
            connection.answered = answered
        }
        connection.counts = known
    }

    private func settle(
        _ connection: inout Connection, _ sample: ConnectionJudge.Sample, _ proof: Proof
    ) {
        guard proof != .none else { return }
        // Where others' messages still wait, its own may, too, unless none was read in its turns.
        if proof == .emptied || connection.snapshot.read == connection.counts.read {
            connection.settled = connection.snapshot.consumed
        }
        connection.snapshot = (sample.consumed, connection.counts.read)
    }

    private mutating func note(_ connection: Connection, _ sample: ConnectionJudge.Sample) {
        let held = sample.consumed - connection.handled
        if held > least, !connection.isCut { bytes += held }
    }

    private mutating func cut() -> [CInt] {
        var bytes = unfinished.reduce(0) { $0 + $1.bytes }
        guard bytes > Limits.unfinishedBytesInShortageMax else { return [] }
        unfinished.sort { ($0.perSecond, $0.bytes) > ($1.perSecond, $1.bytes) }
        let cut = unfinished.prefix { one in
            guard bytes > Limits.unfinishedBytesInShortageMax else { return false }
            bytes -= one.bytes
            return true
        }.map(\.descriptor)
        for descriptor in cut { connections[descriptor]?.isCut = true }
        return cut
    }

    private mutating func forgetGone() {
        for (descriptor, connection) in connections where connection.look != looks {
            gone[descriptor] = connection.counts
            connections[descriptor] = nil
        }
    }
}

extension Limits {
    /// Bytes of an unfinished message below which a connection counts as having none; twice as many
    /// with CURVE. A handshake has about as many, and frames without content would have 16 KiB of
    /// memory, less than the connection itself.
    static let unfinishedBytesInShortageMin = 512
    /// Nanoseconds for which they are unfinished before the connection may be cut.
    static let unfinishedNanosecondsInShortageMin = 100_000_000
    /// Bytes of the unfinished messages of all connections together that stay while memory is
    /// short.
    static let unfinishedBytesInShortageMax = queuedMemoryMax / frameMemoryFactorMax / 4
}
