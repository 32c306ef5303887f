import Notation
import Protocol
import ZeroMQ

/// The updates of one daemon. For one thread.
final class UpdateSocket {
    /// A daemon that is near answers within this time; else it is asked for the endpoint.
    private static let firstMilliseconds = 300
    /// Messages that libzmq holds for a reader that is busy or stands still. It counts no bytes,
    /// and a message has up to `messageBytesMax`; most have less than a KiB. Further ones wait at
    /// the daemon or are lost, and show as a gap.
    static let heldMax = 1_000

    private var peer: PeerConnection
    private let timeoutMilliseconds: Int
    /// The returns of its connection that a join has made good, or is about to.
    private var returnsTaken = 0
    var lastHeard = ContinuousClock.now

    init(_ connection: Connection, topics: [String]) throws(ClientError) {
        timeoutMilliseconds = connection.timeoutMilliseconds
        do throws(ZeroMQError) {
            // Connected before it subscribes: only then do subscriptions leave in their order.
            peer = try PeerConnection(
                .sub, in: connection.context, to: connection.endpoints.updates,
                keys: connection.keys?.options ?? [], .lingerMilliseconds(0),
                .messageBytesMax(messageBytesMax), .receiveHighWaterMark(Self.heldMax),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
            for topic in topics { try peer.socket.set(.subscribe(Array(topic.utf8))) }
        } catch {
            throw ClientError(error)
        }
    }

    /// Whether it shows a key to the daemon.
    var hasKeys: Bool { peer.hasKeys }

    /// Whether its connection was lost, and is there again since the last call.
    func takeReturn() -> Bool { takeReturns(peer.returns) }

    private func takeReturns(_ count: Int) -> Bool {
        defer { returnsTaken = max(count, returnsTaken) }
        return count > returnsTaken
    }

    struct Sync {
        /// The update that says so.
        let update: ReceivedUpdate
        /// Whether its connection was lost, and was there again before it asked: whoever joins now
        /// joins everything.
        let hasReturned: Bool
    }

    /// Waits until all subscriptions are in force. Updates that come meanwhile are added to
    /// `waiting`, up to its bounds.
    func synchronize(
        _ control: Control, keeping waiting: inout WaitingUpdates
    ) throws(ClientError) -> Sync {
        // A new connection sends its subscriptions in no order: the sync must follow it.
        try transport { () throws(ZeroMQError) in try peer.revive() }
        guard peer.hasKeys else {
            return try synchronize(withinMilliseconds: timeoutMilliseconds, keeping: &waiting)
        }
        // A client that may not read everything has an endpoint of its own, and a daemon refuses it
        // elsewhere without a word.
        do throws(ClientError) {
            return try synchronize(
                withinMilliseconds: min(timeoutMilliseconds, Self.firstMilliseconds),
                keeping: &waiting)
        } catch {
            guard error.isAbsence else { throw error }
        }
        let given = peer.endpoint
        let hasMoved = try moveToOwnEndpoint(control)
        do throws(ClientError) {
            return try synchronize(withinMilliseconds: timeoutMilliseconds, keeping: &waiting)
        } catch {
            // The ports that the daemon names may be others than those that are reached from here.
            if hasMoved { try transport { () throws(ZeroMQError) in try peer.move(to: given) } }
            throw error
        }
    }

    private func synchronize(
        withinMilliseconds limit: Int, keeping waiting: inout WaitingUpdates
    ) throws(ClientError) -> Sync {
        // A return that shows only later leaves it open which connection answered.
        let returns = try transport { () throws(ZeroMQError) in try peer.settle() }
        let topic = "sync/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try subscribe(topic)
        let deadline = Deadline(milliseconds: limit)
        let result = Result { () throws(ClientError) in
            while let update = try receive(before: deadline) {
                if update.topic == topic { return update }
                waiting.append(update)
            }
            throw ClientError.noAnswer(
                endpoint: peer.endpoint, milliseconds: timeoutMilliseconds)
        }
        try unsubscribe(topic)
        return Sync(update: try result.get(), hasReturned: takeReturns(returns))
    }

    private func subscribe(_ topic: String) throws(ClientError) {
        try transport { () throws(ZeroMQError) in
            try peer.socket.set(.subscribe(Array(topic.utf8)))
        }
    }

    private func unsubscribe(_ topic: String) throws(ClientError) {
        try transport { () throws(ZeroMQError) in
            try peer.socket.set(.unsubscribe(Array(topic.utf8)))
        }
    }

    /// The next message that is an update; nil if there is none before the deadline.
    func receive(before deadline: Deadline?) throws(ClientError) -> ReceivedUpdate? {
        var poller = Poller()
        peer.watch(in: &poller)
        let fault: HandshakeFault
        do throws(ZeroMQError) {
            while true {
                while let frames = try peer.receiveMessage() {
                    lastHeard = .now
                    if frames.count == 2,
                        let update = ReceivedUpdate(topic: frames[0], body: frames[1])
                    {
                        return update
                    }
                }
                if let found = try peer.check() {
                    fault = found
                    break
                }
                let rest = deadline?.milliseconds ?? -1
                if rest == 0 { return nil }
                try poller.wait(milliseconds: rest)
            }
        } catch {
            throw ClientError(error)
        }
        throw ClientError(fault, of: peer)
    }

    /// Connects to the endpoint of updates that the daemon has for this client; returns whether it
    /// is another one than before.
    ///
    /// The daemon may be bound to all of its addresses, so the host stays and the port changes.
    private func moveToOwnEndpoint(_ control: Control) throws(ClientError) -> Bool {
        let hello = try control.request("hello")
        let own = (hello["endpoints"]?["updates"]?.array ?? []).compactMap(\.string)
        let ports = own.compactMap(Endpoint.tcpPort(of:))
        guard let port = ports.first, let colon = peer.endpoint.lastIndex(of: ":"),
            !ports.contains(where: { Endpoint.tcpPort(of: peer.endpoint) == $0 })
        else { return false }
        let endpoint = "\(peer.endpoint[...colon])\(port)"
        try transport { () throws(ZeroMQError) in try peer.move(to: endpoint) }
        return true
    }
}
