import ZeroMQ

/// The socket for events to one daemon. For one thread.
final class EventSocket {
    private var peer: PeerConnection
    private let endpoint: String
    private let timeoutMilliseconds: Int
    /// Whether the daemon takes what is pushed: then it subscribes to nothing.
    private let pushes: Bool
    /// The prefixes that the daemon has subscribed to.
    private var subscriptions: Set<[UInt8]> = []
    private var frame = Message()

    init(_ connection: Connection, to places: Endpoints) throws(ClientError) {
        endpoint = places.eventsTaker
        pushes = places.push != nil
        timeoutMilliseconds = connection.timeoutMilliseconds
        let timeout = timeoutMilliseconds
        do throws(ZeroMQError) {
            // A full socket waits, because it has one peer and `publish` promises delivery.
            // Nothing is queued for a connection that is being made: otherwise a daemon that left
            // would seem to listen still, and its events would reach the next daemon late.
            peer = try PeerConnection(
                pushes ? .push : .xpub, in: connection.context, to: endpoint,
                keys: connection.keys?.options ?? [],
                .sendTimeoutMilliseconds(timeout), .immediate(true), .lingerMilliseconds(timeout),
                .messageBytesMax(256), .reconnectMillisecondsMax(reconnectMillisecondsMax))
            if !pushes { try peer.socket.set(.holdsWhenFull(true)) }
        } catch {
            throw ClientError(error)
        }
    }

    /// Sends an event once the daemon listens to its topic. Throws `noAnswer` where it does not
    /// within the connection's timeout, or reads nothing.
    func publish(_ frames: [[UInt8]]) throws(ClientError) {
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        try waitForSubscription(to: frames[0], withinMilliseconds: timeoutMilliseconds)
        var poller = Poller()
        peer.watch(in: &poller, for: .writable)
        while try !isSent(frames) {
            let rest = deadline.milliseconds
            guard rest > 0 else { throw noAnswer }
            try transport { () throws(ZeroMQError) in _ = try poller.wait(milliseconds: rest) }
        }
    }

    private func isSent(_ frames: [[UInt8]]) throws(ClientError) -> Bool {
        try transport { () throws(ZeroMQError) in try peer.socket.send(frames: frames) }
    }

    func waitForSubscription(to topic: [UInt8]) throws(ClientError) {
        try waitForSubscription(to: topic, withinMilliseconds: timeoutMilliseconds)
    }

    /// The same within another time.
    func waitForSubscription(
        to topic: [UInt8], withinMilliseconds limit: Int
    ) throws(ClientError) {
        if try isWanted(topic) { return }
        try transport { () throws(ZeroMQError) in try peer.revive() }
        let deadline = Deadline(milliseconds: limit)
        var poller = Poller()
        peer.watch(in: &poller, for: pushes ? .writable : .readable)
        while try !isWanted(topic) {
            if let fault { throw fault }
            let rest = deadline.milliseconds
            guard rest > 0 else { throw noAnswer }
            do throws(ZeroMQError) {
                try poller.wait(milliseconds: rest)
            } catch {
                throw ClientError(error)
            }
            try transport { () throws(ZeroMQError) in _ = try peer.check() }
        }
    }

    /// Why the daemon is kept away, where both ends could not agree who they are.
    var fault: ClientError? { peer.fault.map { ClientError($0, of: peer) } }

    private var noAnswer: ClientError {
        .noAnswer(endpoint: endpoint, milliseconds: timeoutMilliseconds)
    }

    private func isWanted(_ topic: [UInt8]) throws(ClientError) -> Bool {
        if pushes { return try hasRoom() }
        try takeSubscriptions()
        return subscriptions.contains { topic.starts(with: $0) }
    }

    /// Whether the daemon is there and takes a message that is pushed.
    private func hasRoom() throws(ClientError) -> Bool {
        let hasRoom = try transport { () throws(ZeroMQError) in try peer.socket.isWritable() }
        if hasRoom { peer.notePeer() }
        return hasRoom
    }

    /// Reads the subscriptions that have arrived. libzmq withdraws those of a daemon that left.
    private func takeSubscriptions() throws(ClientError) {
        do throws(ZeroMQError) {
            while try peer.socket.receive(into: &frame) {
                let bytes = frame.bytes
                switch bytes.first {
                case 1:
                    subscriptions.insert(Array(bytes.dropFirst()))
                    peer.notePeer()
                case 0: subscriptions.remove(Array(bytes.dropFirst()))
                default: break
                }
            }
        } catch {
            throw ClientError(error)
        }
    }

    /// Readable when the daemon may have come, gone or made room.
    var descriptor: CInt { peer.socket.descriptor }

    /// Whether the daemon takes events now.
    func isHeard() throws(ClientError) -> Bool {
        if try takesSomething() { return true }
        try transport { () throws(ZeroMQError) in _ = try peer.check() }
        return false
    }

    private func takesSomething() throws(ClientError) -> Bool {
        if pushes { return try hasRoom() }
        try takeSubscriptions()
        return !subscriptions.isEmpty
    }

    /// Sends a message unchanged; returns false if the daemon is not there or the queue is full.
    func offer(_ frames: [[UInt8]]) throws(ClientError) -> Bool {
        guard try takesSomething() else { return false }
        return try isSent(frames)
    }
}
