import Notation
import ZeroMQ

/// Which connections send messages of far more frames than any has.
///
/// libzmq bounds neither the frames of a message nor their memory. The reactor has to skip them one
/// by one, and meanwhile reads nothing else of that socket. A peer that is only mistaken sends few.
struct SurplusFrames {
    private struct Peer {
        /// The number of its connection.
        var number = 0
        var isCut = false
        var allowance = Allowance(
            burst: Limits.surplusFramesMax, perSecond: Limits.surplusFramesPerSecondMax,
            floor: -Limits.surplusFramesMax)
        var last: Int
    }

    /// By descriptor; the next connection there goes on with what is left.
    private var peers: [CInt: Peer] = [:]

    /// Counts frames that were skipped. Returns whether their connection is to be cut now.
    mutating func take(_ count: Int, of sender: Sender, at now: Int) -> Bool {
        guard sender.descriptor >= 0 else { return false }
        var peer = peers[sender.descriptor] ?? Peer(last: now)
        // Messages of a connection that was cut are still read, when another has its descriptor.
        guard sender.number >= peer.number else { return false }
        if sender.number > peer.number {
            peer.number = sender.number
            peer.isCut = false
        }
        peer.allowance.refill(seconds: Double(max(0, now - peer.last)) / 1e9)
        peer.last = max(peer.last, now)
        peer.allowance.take(count)
        let isNew = peer.allowance.isOverdrawn && !peer.isCut
        if isNew { peer.isCut = true }
        peers[sender.descriptor] = peer
        return isNew
    }
}

extension Limits {
    /// Frames beyond those of an event or request that a connection may send at once, and in a
    /// second: half a MiB of libzmq's memory, and half a millisecond. On the socket of updates,
    /// messages that are no subscriptions count as such.
    static let surplusFramesMax = 8_192
    static let surplusFramesPerSecondMax = 1_024
}
