import CSystem
import Notation

/// Ends connections of peers, counts them, and gives the log the reason. Any thread may call it.
///
/// libzmq owns the descriptors and finds the connection closed. The peer may connect again.
struct ConnectionCutter: Sendable {
    /// Its text is the log's sentence.
    enum Reason: String {
        case tooManySubscriptionsSent = "a subscriber sends too many subscriptions at once"
        case tooManyUpdatesUnread = "a subscriber does not read, and too many updates wait for it"
        case tooManyEventsUnread =
            "a publisher sends more than is read, and events that wait have too many bytes"
        case tooManyRequestsUnread =
            "a peer sends more than is read, and requests that wait have too many bytes"
        case tooManyFrames = "a peer's messages have more frames than any has"
        case tooManySignsOfLife = "a peer sends more signs of life than it may"
        case tooManySubscriptionsHeld = "a subscriber holds too many subscriptions"
        case handshakeTooLarge = "a peer sends more than a handshake has, and proves no key"
        case tooManyHandshakes = "too many peers have not finished their handshake"
        case tooManyUnfinishedBytes = "unfinished messages have too many bytes together"
        case claimedRoutingID =
            "a peer claims a routing id that libzmq is about to give to another one"
        case unfinishedMessage = "a message has more bytes than it may, and goes on"
    }

    /// Ends every connection to these ports: what may come in has changed. Those that still may
    /// connect again by themselves.
    static func cutAll(at ports: [Int]) {
        let descriptors =
            ConnectionGuard.openDescriptors() ?? Array(0..<Limits.descriptorsTriedMax)
        for descriptor in descriptors {
            guard ports.contains(Int(gs_connection_port(descriptor))) else { continue }
            gs_connection_cut(descriptor, Limits.cutBytesMax)
        }
    }

    let counters: Counters
    let log: Log

    /// Ends a connection at once.
    ///
    /// The descriptor may have become another socket's: where ports are given, a TCP connection to
    /// another port stays open. The cut counts all the same: the peer's own has ended.
    func cut(_ descriptor: CInt, at ports: [Int]? = nil, _ reason: Reason) {
        let port = Int(gs_connection_port(descriptor))
        if port < 0 || ports?.contains(port) != false {
            gs_connection_cut(descriptor, Limits.cutBytesMax)
        }
        counters.add(.peersCut)
        log.write(.peerCut, reason.rawValue)
    }
}

extension Limits {
    /// Bytes that are dropped of a connection that is cut: as much as the system's buffer may hold.
    static let cutBytesMax = 64 * 1024 * 1024
    /// Descriptors that are tried where the open ones cannot be listed.
    static let descriptorsTriedMax: CInt = 65_536
}
