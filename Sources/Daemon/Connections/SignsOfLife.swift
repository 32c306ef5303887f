import Notation

/// Which connections bring more bytes that are no messages than a peer needs. It performs nothing.
///
/// ZMTP has commands beside messages. libzmq answers each PING at once, with a call of the system
/// of its own, on the thread that serves all connections; the reactor sees nothing of it. So what a
/// connection has sent or received is compared with what is known of it:
///
/// - The daemon sends a publisher its handshake and one subscription, and no more. All else is
///   answers to PINGs.
/// - It sends replies to a peer that asks, which the reactor counts. More are answers to PINGs, as
///   far as the peer has sent as much.
/// - It sends a subscriber whatever is published. But what that sends are subscriptions, which the
///   reactor counts, or commands.
///
/// Heartbeats of every 100 ms or less, of any number of connections, are far below the allowance.
struct SignsOfLife {
    private struct Connection {
        var identity: Int
        /// The accounted bytes of the descriptor before it came.
        var base: Int
        /// The accounted bytes at the last look.
        var accounted: Int
        /// The bytes that a subscriber had sent when the sockets of updates were last found empty.
        var consumed = 0
        /// The most bytes that were no messages.
        var most = 0
        var allowance: Allowance
        var isCut = false
        var look = 0
    }

    private let isEncrypted: Bool
    private var connections: [CInt: Connection] = [:]
    /// The accounted bytes of descriptors whose connections have gone.
    private var gone: [CInt: Int] = [:]
    private var looks = 0
    private var last = 0
    private var emptied = 0
    private var shared = Allowance(
        burst: Limits.signsBurstBytesInAllMax, perSecond: Limits.signsBytesPerSecondInAllMax,
        floor: -Limits.signsBytesPerSecondInAllMax)
    /// Whether a subscriber may bring too much: the reactor is to show what it has read.
    private(set) var isSuspicious = false

    init(isEncrypted: Bool = false) { self.isEncrypted = isEncrypted }

    /// Takes a look at all connections. `emptied`: how often the sockets of updates were found
    /// empty; `accounted`: what is known of a descriptor's connections. Returns those to cut.
    mutating func look(
        _ samples: [ConnectionJudge.Sample], emptied: Int, at now: Int,
        accounted: (CInt) -> Int?
    ) -> [CInt] {
        looks += 1
        let seconds = last == 0 ? 0 : Double(now - last) / 1e9
        last = now
        shared.refill(seconds: seconds)
        // Whatever had come at that look has been read since.
        let isSettled = emptied - self.emptied >= 2
        if isSettled { self.emptied = emptied }
        isSuspicious = false
        var cut: [CInt] = []
        for sample in samples {
            guard let known = accounted(sample.descriptor) else { continue }
            var connection = connection(sample, accounted: known)
            connection.look = looks
            connection.accounted = known
            connection.allowance.refill(seconds: seconds)
            let idle = idleBytes(sample, &connection, isSettled: isSettled)
            let more = idle - connection.most
            if more > 0 {
                connection.most = idle
                connection.allowance.take(more)
                if !connection.isCut { shared.take(more) }
            }
            let hasMuch = connection.allowance.used > Double(burst(of: sample.role)) / 2
            if !connection.isCut,
                connection.allowance.isOverdrawn || (shared.isOverdrawn && hasMuch)
            {
                connection.isCut = true
                cut.append(sample.descriptor)
            }
            connections[sample.descriptor] = connection
        }
        forgetGone()
        return cut
    }

    /// The bytes of a connection that were no messages, as far as they are known.
    private mutating func idleBytes(
        _ sample: ConnectionJudge.Sample, _ connection: inout Connection, isSettled: Bool
    ) -> Int {
        let known = connection.accounted - connection.base
        switch sample.role {
        case .events, .pushes: return sample.written
        // A reply may have been asked for over a former connection of the peer.
        case .control: return min(sample.written - known, sample.consumed)
        case .updates:
            if sample.consumed - known > connection.most + Limits.signsBurstBytesMax {
                isSuspicious = true
            }
            guard isSettled else { return connection.most }
            defer { connection.consumed = sample.consumed }
            return connection.consumed - known
        }
    }

    private func connection(_ sample: ConnectionJudge.Sample, accounted: Int) -> Connection {
        let former = connections[sample.descriptor]
        if let former, former.identity == sample.identity { return former }
        // Bytes that were accounted for since the last look may be the new one's.
        let base = former?.accounted ?? gone[sample.descriptor] ?? 0
        return Connection(
            identity: sample.identity, base: base, accounted: accounted,
            allowance: Allowance(
                burst: burst(of: sample.role),
                perSecond: Limits.signsBytesPerSecondMax * (isEncrypted ? 2 : 1)))
    }

    private func burst(of role: ConnectionJudge.Role) -> Int {
        role == .updates
            ? Limits.signsBurstBytesOfSubscriberMax
            : Limits.signsBurstBytesMax * (isEncrypted ? 2 : 1)
    }

    private mutating func forgetGone() {
        for (descriptor, connection) in connections where connection.look != looks {
            gone[descriptor] = connection.accounted
            connections[descriptor] = nil
        }
    }
}

extension Limits {
    /// Bytes of answers to PINGs, and of its handshake, that a connection may have at once; twice
    /// as many with CURVE. One has 7 to 23 bytes, with CURVE up to 56.
    static let signsBurstBytesMax = 4 * 1024
    /// Bytes in a second beyond that; twice as many with CURVE. A heartbeat each 100 ms has a
    /// quarter of it at most.
    static let signsBytesPerSecondMax = 1024
    /// The same of a subscriber's commands at once. libzmq may have read 8 KiB of subscriptions
    /// that it does not hand out yet.
    static let signsBurstBytesOfSubscriberMax = 16 * 1024
    /// The same of all connections together. Where it is used up, those are cut that have half of
    /// their own bound.
    static let signsBurstBytesInAllMax = 256 * 1024
    static let signsBytesPerSecondInAllMax = 64 * 1024
}
