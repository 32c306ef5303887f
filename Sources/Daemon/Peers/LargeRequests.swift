import Notation

/// How many bytes of large requests the reactor looks at. Beyond it they are answered `busy`
/// unread.
///
/// A request of a MiB takes the reactor milliseconds, and everybody waits meanwhile; left in its
/// socket it would take memory, and those of others behind it would wait. To drop one takes a
/// tenth.
///
/// ZeroMQ gives each connection its turn, so that some hundred connections with requests of 60 KB
/// each make everybody wait, too. Those count as medium ones. Each connection has a share of its
/// own for them, which others cannot use up.
struct LargeRequests {
    private struct Peer {
        var allowance = Allowance(
            burst: Limits.largeRequestBurstBytesMax,
            perSecond: Limits.largeRequestBytesPerSecondMax)
        /// For medium ones, whatever others send.
        var share = Allowance(
            burst: Limits.mediumRequestShareBytes, perSecond: Limits.mediumRequestShareBytes)
        var last: Int

        mutating func refill(at now: Int) {
            let seconds = Double(max(0, now - last)) / 1e9
            allowance.refill(seconds: seconds)
            share.refill(seconds: seconds)
            last = max(last, now)
        }
    }

    /// By the descriptor of its connection; the next connection there goes on with what is left.
    private var peers: [CInt: Peer] = [:]
    private var all = Peer(
        allowance: Allowance(
            burst: Limits.largeRequestBurstBytesInAllMax,
            perSecond: Limits.largeRequestBytesPerSecondInAllMax),
        last: 0)
    private var allMedium = Allowance(
        burst: Limits.mediumRequestBurstBytesInAllMax,
        perSecond: Limits.mediumRequestBytesPerSecondInAllMax)

    /// Whether a request of so many bytes is to be looked at. Times are of the monotonic clock.
    mutating func take(_ bytes: Int, of descriptor: CInt, at time: @autoclosure () -> Int) -> Bool {
        guard bytes > Limits.mediumRequestBytesMin else { return true }
        let now = time()
        var peer = peers[descriptor] ?? Peer(last: now)
        defer { peers[descriptor] = peer }
        peer.refill(at: now)
        allMedium.refill(seconds: Double(max(0, now - all.last)) / 1e9)
        all.refill(at: now)
        guard bytes > Limits.largeRequestBytesMin else { return takeMedium(bytes, &peer) }
        guard !peer.allowance.isOverdrawn, !all.allowance.isOverdrawn else { return false }
        peer.allowance.take(bytes)
        all.allowance.take(bytes)
        return true
    }

    private mutating func takeMedium(_ bytes: Int, _ peer: inout Peer) -> Bool {
        if !peer.share.isOverdrawn {
            peer.share.take(bytes)
            return true
        }
        guard !peer.allowance.isOverdrawn, !allMedium.isOverdrawn else { return false }
        peer.allowance.take(bytes)
        allMedium.take(bytes)
        return true
    }
}

extension Limits {
    /// Bytes of a request that is not even medium, however many come: some microseconds.
    static let mediumRequestBytesMin = 4 * 1024
    /// Bytes of a request that is not large: scenes of usual size.
    static let largeRequestBytesMin = 64 * 1024
    /// Bytes of large requests that one peer may send at once: thirty of the largest imports.
    static let largeRequestBurstBytesMax = 32 * 1024 * 1024
    /// Bytes in a second beyond that: half of what a lane imports.
    static let largeRequestBytesPerSecondMax = 16 * 1024 * 1024
    /// The same of all peers together: a sixth of the reactor's time.
    static let largeRequestBurstBytesInAllMax = 48 * 1024 * 1024
    static let largeRequestBytesPerSecondInAllMax = 32 * 1024 * 1024
    /// Bytes of medium requests that a peer may send at once, and in a second, whatever others do:
    /// a scene when it begins.
    static let mediumRequestShareBytes = 64 * 1024
    /// The same of all peers together beyond their shares: less than a tenth of a second of the
    /// reactor's time, and a third of it.
    static let mediumRequestBurstBytesInAllMax = 8 * 1024 * 1024
    static let mediumRequestBytesPerSecondInAllMax = 32 * 1024 * 1024
    /// Bytes of a request that is not looked at in which its id is found: most clients write it
    /// first.
    static let droppedRequestBytesMax = 2 * 1024
    /// Bytes that are read in a round with requests that are not looked at.
    static let droppedRoundBytesMax = 4 * 1024 * 1024
}
