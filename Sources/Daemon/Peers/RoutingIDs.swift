import Notation
import ZeroMQ

/// The routing ids that libzmq gives to peers which choose none, and those that others claim.
///
/// A ROUTER counts them up from a random one, and aborts the process where a peer has claimed the
/// next one for itself: one that speaks ZMTP may claim any. libzmq tells of a claim only once its
/// peer sends something. So the daemon asks its own control socket now and then, as a peer without
/// an id, how far the count is, and looks which of the next ids a peer has. Where one has, it asks
/// once more: who has an id that the count has not reached has claimed it.
struct RoutingIDs: ~Copyable {
    /// The daemon's own way to its control socket.
    static let endpoint = "inproc://gestured.control"

    /// The operation of its own requests, which no peer knows.
    let operation: String
    /// Stays until the next one, so that its answer has somewhere to go.
    private var peer: Socket?
    private var isAsking = false
    /// The ids that peers had at the first look, though the count may not have reached them.
    private var suspects: [UInt32] = []
    /// Peers that were let in since the last look, and between that and the one before.
    private var newcomers = 0
    private var formerNewcomers = 0

    init() {
        operation = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
            .joined()
    }

    /// Whether one more peer may connect. False: it tries again, and meanwhile the count is read.
    mutating func letIn(in context: Context) throws(ZeroMQError) -> Bool {
        let isFull = newcomers >= Limits.newcomersMax
        if !isFull { newcomers += 1 }
        // Also where all are full: only a look lets more in.
        if newcomers >= Limits.newcomersPerLook && !isAsking { try ask(in: context) }
        return !isFull
    }

    private mutating func ask(in context: Context) throws(ZeroMQError) {
        let peer = try Socket(.dealer, in: context, .lingerMilliseconds(0))
        try peer.connect(Self.endpoint)
        isAsking = try peer.send(Array("{\"op\":\"\(operation)\"}".utf8))
        self.peer = consume peer
    }

    /// Whether the operation of a request is that of the daemon's own.
    func isOwn(_ operation: String) -> Bool { isAsking && operation == self.operation }

    /// Looks at the ids behind the one from which the own request came; returns whether a peer has
    /// claimed one of them. It may ask once more first.
    mutating func isClaimed(
        after identity: [UInt8], at control: borrowing Socket, in context: Context
    ) throws(ZeroMQError) -> Bool {
        isAsking = false
        guard identity.count == 5, identity[0] == 0 else { return false }
        let own = identity[1...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if suspects.isEmpty {
            suspects = try suspects(after: own, at: control)
            if !suspects.isEmpty { try ask(in: context) }
            return false
        }
        // The ids go round, so their distance tells which comes first.
        let isClaimed = suspects.contains { Int32(bitPattern: $0 &- own) > 0 }
        suspects = []
        return isClaimed
    }

    /// The next ids that peers have. It skips the first ones, which libzmq may have given meanwhile
    /// to peers that were let in: the former look has checked them.
    private mutating func suspects(
        after own: UInt32, at control: borrowing Socket
    ) throws(ZeroMQError) -> [UInt32] {
        let given = newcomers + formerNewcomers
        (newcomers, formerNewcomers) = (0, newcomers)
        var found: [UInt32] = []
        for place in given + 1...given + Limits.routingIDsAhead {
            let next = own &+ UInt32(place)
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: next >> UInt32($0)) }
            do throws(ZeroMQError) {
                // Where no peer has it, libzmq refuses the first frame.
                if try control.send([0] + bytes, more: true) { _ = try control.send([]) }
                found.append(next)
            } catch  where error.isHostUnreachable {
                continue
            }
        }
        return found
    }
}

extension Sockets {
    /// Whether one more peer may connect to the control socket.
    mutating func letInToControl() -> Bool {
        // Without memory for a look all goes on.
        (try? handshakes.routingIDs.letIn(in: context)) ?? true
    }

    /// Whether a peer has one of the routing ids that come next.
    mutating func isRoutingIDClaimed(after identity: [UInt8]) -> Bool {
        (try? handshakes.routingIDs.isClaimed(after: identity, at: control, in: context)) ?? false
    }
}

extension Reactor {
    /// Performs the daemon's own request; returns false where it is none. Where a peer has claimed
    /// one of the next routing ids, all connections of the control socket are closed: libzmq does
    /// not tell whose the id is, and the others connect again by themselves.
    func performOwn(_ operation: String, _ envelope: Envelope) -> Bool {
        guard sockets.handshakes.routingIDs.isOwn(operation) else { return false }
        if sockets.isRoutingIDClaimed(after: envelope.identity) {
            ConnectionCutter.cutAll(at: sockets.controlPorts)
            counters.add(.peersCut)
            operations.log.write(.peerCut, ConnectionCutter.Reason.claimedRoutingID.rawValue)
        }
        counters.add(.requests, -1)
        answer(envelope) { _ in }
        return true
    }
}

extension Limits {
    /// Peers of the control socket that are let in between two looks at the next routing ids.
    static let newcomersPerLook = 32
    /// The same while a look has to wait, since no requests are read.
    static let newcomersMax = 192
    /// Routing ids at which one look looks: more than peers are let in until the next one.
    static let routingIDsAhead = 1_024
}
