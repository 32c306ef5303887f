import ZeroMQ

/// Sends events to a daemon, and none before the daemon listens.
///
/// A PUB socket loses what it sends before its subscriber is there; this is an XPUB, which sees
/// the daemon's subscriptions come. For one thread.
public final class Publisher {
    fileprivate let socket: Socket
    private let endpoint: String
    private let timeoutMilliseconds: Int
    /// What the daemon has subscribed to.
    fileprivate var subscriptions: Set<[UInt8]> = []
    private var frame = Message()

    init(_ connection: Connection) throws(ClientError) {
        endpoint = connection.endpoints.events
        timeoutMilliseconds = connection.timeoutMilliseconds
        let context = connection.context
        let (endpoint, timeout) = (endpoint, timeoutMilliseconds)
        do throws(ZeroMQError) {
            // It holds when full because it has one peer, and `publish` promises delivery to it.
            // Nothing waits for a connection that is being made, or a daemon that left would seem
            // to listen still, and what it missed would come to the next one late.
            socket = try Socket(
                .xpub, in: context, .holdsWhenFull(true), .sendTimeoutMilliseconds(timeout),
                .immediate(true), .lingerMilliseconds(timeout), .messageBytesMax(256),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
            try socket.connect(endpoint)
        } catch {
            throw ClientError(error)
        }
    }

    /// Sends one event, after waiting for the daemon's subscription if need be.
    ///
    /// Returns when it is on its way: what a daemon has not read when it dies is gone with it, and
    /// what must not be lost is published by a request of `Control`. Throws `noAnswer` when the
    /// daemon is not there, or takes nothing, for as long as the timeout.
    public func publish(topic: [UInt8], body: [UInt8]) throws(ClientError) {
        try waitForSubscription(to: topic)
        let isTaken = try transport { () throws(ZeroMQError) in
            try socket.send(frames: [topic, body], wait: true)
        }
        guard isTaken else { throw noAnswer }
    }

    public func publish(topic: String, body: String) throws(ClientError) {
        try publish(topic: Array(topic.utf8), body: Array(body.utf8))
    }

    /// Waits until the daemon takes events of a topic.
    public func waitForSubscription(to topic: [UInt8]) throws(ClientError) {
        try takeSubscriptions()
        if isWanted(topic) { return }
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        var poller = Poller()
        poller.watch(socket)
        while !isWanted(topic) {
            let rest = deadline.milliseconds
            guard rest > 0 else { throw noAnswer }
            do throws(ZeroMQError) {
                try poller.wait(milliseconds: rest)
            } catch {
                throw ClientError(error)
            }
            try takeSubscriptions()
        }
    }

    private var noAnswer: ClientError {
        .noAnswer(endpoint: endpoint, milliseconds: timeoutMilliseconds)
    }

    fileprivate func isWanted(_ topic: [UInt8]) -> Bool {
        subscriptions.contains { topic.starts(with: $0) }
    }

    /// Reads what has come. A daemon that leaves takes its subscriptions back by itself.
    fileprivate func takeSubscriptions() throws(ClientError) {
        do throws(ZeroMQError) {
            while try socket.receive(into: &frame) {
                let bytes = frame.bytes
                switch bytes.first {
                case 1: subscriptions.insert(Array(bytes.dropFirst()))
                case 0: subscriptions.remove(Array(bytes.dropFirst()))
                default: break
                }
            }
        } catch {
            throw ClientError(error)
        }
    }
}

extension Publisher {
    /// Sends any message as it is, if the daemon listens and takes it now.
    func offer(_ frames: [[UInt8]]) throws(ClientError) -> Bool {
        try takeSubscriptions()
        guard !subscriptions.isEmpty else { return false }
        return try transport { () throws(ZeroMQError) in try socket.send(frames: frames) }
    }
}
