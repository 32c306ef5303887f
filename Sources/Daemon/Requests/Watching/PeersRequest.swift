import CSystem
import Interactions
import Notation
import Protocol

/// `peers`: the connections to the daemon's sockets, as the system and libzmq tell them.
///
/// The guard's thread has listed them within the last quarter of a second. Which subscriptions are
/// whose, libzmq tells with each; whose an event or a request is, it tells only with the message.
struct PeersRequest: ReactorRequest {
    static let operation = "peers"

    var right: RequestRight { .administration }

    init(_ fields: RequestFields) {}

    private struct Peer {
        let descriptor: CInt
        let role: ConnectionJudge.Role
        let address: String
        /// Bytes; nil over a socket of a file, of which the system counts none.
        var received: Int?
        var sent: Int?
    }

    func reply(from reactor: Reactor, into buffer: inout ByteBuffer) {
        let now = Clock.monotonic()
        if let kept = reactor.unanswered.peers.text(at: now) { return buffer.append(kept) }
        var text = ByteBuffer(capacity: 4 * 1024)
        write(reactor, into: &text)
        reactor.unanswered.peers.keep(text.array(), at: now)
        buffer.append(text.array())
    }

    private func write(_ reactor: Reactor, into buffer: inout ByteBuffer) {
        let peers = peers(of: reactor)
        buffer.key("peers")
        buffer.append("[")
        for (place, peer) in peers.prefix(Limits.peersListedMax).enumerated() {
            if place > 0 { buffer.append(",") }
            write(peer, of: reactor, into: &buffer)
        }
        buffer.append("]")
        buffer.key("more")
        buffer.json(max(0, peers.count - Limits.peersListedMax))
    }

    /// Those with the most traffic first.
    private func peers(of reactor: Reactor) -> [Peer] {
        let listing = reactor.traffic.lastListing
        var peers: [Peer] = []
        for sample in listing.samples {
            // The descriptor may have become another connection.
            guard Int(gs_connection_identity(sample.descriptor)) == sample.identity,
                let address = Self.address(of: sample.descriptor)
            else { continue }
            peers.append(
                Peer(
                    descriptor: sample.descriptor, role: sample.role, address: address,
                    received: sample.received, sent: max(0, sample.taken)))
        }
        let files = reactor.sockets.files
        if !files.isEmpty {
            let known = Set(listing.samples.map(\.descriptor))
            for descriptor in listing.descriptors where !known.contains(descriptor) {
                guard let file = Self.file(of: descriptor),
                    let role = files[file],
                    let address = Self.address(of: descriptor)
                else { continue }
                peers.append(Peer(descriptor: descriptor, role: role, address: address))
            }
        }
        func traffic(_ peer: Peer) -> Int { (peer.received ?? 0) + (peer.sent ?? 0) }
        return peers.sorted {
            (traffic($1), $0.address) < (traffic($0), $1.address)
        }
    }

    private func write(_ peer: Peer, of reactor: Reactor, into buffer: inout ByteBuffer) {
        let held = reactor.subscriptions.holders.held(
            by: peer.descriptor, listing: Limits.peerPrefixesListedMax)
        buffer.append("{\"socket\":")
        buffer.json(peer.role.rawValue)
        buffer.key("address")
        buffer.json(peer.address)
        buffer.key("received")
        write(peer.received, into: &buffer)
        buffer.key("sent")
        write(peer.sent, into: &buffer)
        if peer.role == .updates {
            if let client = held?.client, client >= 0 {
                buffer.key("client")
                buffer.json(reactor.clients.name(of: client))
            }
            buffer.key("subscriptions")
            buffer.json(held?.count ?? 0)
            buffer.key("prefixes")
            buffer.json((held?.first ?? []).map(SubscriptionBook.shown)[...])
        }
        buffer.append("}")
    }

    private func write(_ bytes: Int?, into buffer: inout ByteBuffer) {
        if let bytes { buffer.json(bytes) } else { buffer.append("null") }
    }

    /// Where a connection comes from; nil: it is none any more.
    static func address(of descriptor: CInt) -> String? {
        text { unsafe gs_connection_peer(descriptor, &$0, Limits.addressBytesMax) }
    }

    private static func file(of descriptor: CInt) -> String? {
        text { unsafe gs_connection_file(descriptor, &$0, Limits.addressBytesMax) }
    }

    private static func text(_ ask: (inout [CChar]) -> CInt) -> String? {
        var text = [CChar](repeating: 0, count: Limits.addressBytesMax)
        guard ask(&text) == 0 else { return nil }
        return String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension SubscriptionBook {
    /// A key as the prefix that its peer subscribed to.
    static func shown(_ key: String) -> String {
        guard key.hasPrefix("\u{f8ff}") else { return key }
        return String(key.drop { $0 != " " }.dropFirst(2))
    }

    /// A key as the bytes that its peer subscribed to.
    static func bytes(_ key: String) -> [UInt8] {
        let text = shown(key)
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
        return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

/// The last answer to `peers`: all who ask within a moment get the same.
struct KeptPeers {
    private var text: [UInt8] = []
    private var end = 0

    func text(at now: Int) -> [UInt8]? { now < end ? text : nil }

    mutating func keep(_ text: [UInt8], at now: Int) {
        self.text = text
        end = now + Limits.peersKeptMilliseconds * 1_000_000
    }
}

extension Limits {
    /// Milliseconds for which an answer to `peers` is kept: the guard's thread lists connections no
    /// more often.
    static let peersKeptMilliseconds = 250
    /// Connections that one answer lists, those with the most traffic first: some 200 KiB.
    static let peersListedMax = 1_000
    /// Bytes of an address, or of a socket's file, which has 108 at most.
    fileprivate static let addressBytesMax = 128
    /// Prefixes of subscriptions that are listed of each.
    static let peerPrefixesListedMax = 16
}
