import ZeroMQ

/// Sends events to the daemon, and waits until the daemon listens before the first one.
///
/// A PUB socket loses events that it sends before the daemon has subscribed; this is an XPUB
/// socket, which sees the subscription arrive. For one thread.
public final class Publisher {
    fileprivate var link: Link
    private let endpoint: String
    private let timeoutMilliseconds: Int
    /// The prefixes that the daemon has subscribed to.
    fileprivate var subscriptions: Set<[UInt8]> = []
    private var frame = Message()

    init(_ connection: Connection) throws(ClientError) {
        endpoint = connection.endpoints.events
        timeoutMilliseconds = connection.timeoutMilliseconds
        let timeout = timeoutMilliseconds
        do throws(ZeroMQError) {
            // A full socket waits, because it has one peer and `publish` promises delivery.
            // Nothing is queued for a connection that is being made: otherwise a daemon that left
            // would seem to listen still, and its events would reach the next daemon late.
            link = try Link(
                .xpub, in: connection.context, to: connection.endpoints.events,
                keys: connection.keys?.options ?? [], .holdsWhenFull(true),
                .sendTimeoutMilliseconds(timeout), .immediate(true), .lingerMilliseconds(timeout),
                .messageBytesMax(256), .reconnectMillisecondsMax(reconnectMillisecondsMax))
        } catch {
            throw ClientError(error)
        }
    }

    /// Sends one event, and waits for the daemon's subscription first if it has to.
    ///
    /// Returns when the event is queued for sending, which does not mean that the daemon accepted
    /// it: refused events are reported on `rejected/<session>`. Events that the daemon has not read
    /// are lost if it dies; to be sure, send the request `publish` by ``Control`` instead. Throws
    /// ``ClientError/noAnswer(endpoint:milliseconds:)`` if the daemon is not there, or reads
    /// nothing, within the connection's timeout.
    public func publish(topic: [UInt8], body: [UInt8]) throws(ClientError) {
        try waitForSubscription(to: topic)
        let isTaken = try transport { () throws(ZeroMQError) in
            try link.socket.send(frames: [topic, body], wait: true)
        }
        guard isTaken else { throw noAnswer }
    }

    /// The same with texts: `topic` as `gesture/alice/tips`, `body` one JSON object.
    public func publish(topic: String, body: String) throws(ClientError) {
        try publish(topic: Array(topic.utf8), body: Array(body.utf8))
    }

    /// Waits until the daemon is subscribed to a topic.
    ///
    /// Throws ``ClientError/noAnswer(endpoint:milliseconds:)`` if that takes longer than the
    /// connection's timeout.
    public func waitForSubscription(to topic: [UInt8]) throws(ClientError) {
        try takeSubscriptions()
        if isWanted(topic) { return }
        try transport { () throws(ZeroMQError) in try link.revive() }
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        var poller = Poller()
        link.watch(in: &poller)
        while !isWanted(topic) {
            if let fault { throw fault }
            let rest = deadline.milliseconds
            guard rest > 0 else { throw noAnswer }
            do throws(ZeroMQError) {
                try poller.wait(milliseconds: rest)
            } catch {
                throw ClientError(error)
            }
            try takeSubscriptions()
            try transport { () throws(ZeroMQError) in _ = try link.check() }
        }
    }

    /// Why the daemon is kept away, where both ends could not agree who they are.
    package var fault: ClientError? { link.fault.map { ClientError($0, of: link) } }

    private var noAnswer: ClientError {
        .noAnswer(endpoint: endpoint, milliseconds: timeoutMilliseconds)
    }

    fileprivate func isWanted(_ topic: [UInt8]) -> Bool {
        subscriptions.contains { topic.starts(with: $0) }
    }

    /// Reads the subscriptions that have arrived. libzmq withdraws those of a daemon that left.
    fileprivate func takeSubscriptions() throws(ClientError) {
        do throws(ZeroMQError) {
            while try link.socket.receive(into: &frame) {
                let bytes = frame.bytes
                switch bytes.first {
                case 1:
                    subscriptions.insert(Array(bytes.dropFirst()))
                    link.notePeer()
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
    /// Readable when the daemon may have come, gone or made room.
    package var descriptor: CInt { link.socket.descriptor }

    /// Whether the daemon takes events now.
    package func isHeard() throws(ClientError) -> Bool {
        try takeSubscriptions()
        if !subscriptions.isEmpty { return true }
        try transport { () throws(ZeroMQError) in _ = try link.check() }
        return false
    }

    /// Sends a message unchanged; returns false if the daemon is not there or the queue is full.
    package func offer(_ frames: [[UInt8]]) throws(ClientError) -> Bool {
        try takeSubscriptions()
        guard !subscriptions.isEmpty else { return false }
        return try transport { () throws(ZeroMQError) in try link.socket.send(frames: frames) }
    }
}
