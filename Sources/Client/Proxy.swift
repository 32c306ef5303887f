import ZeroMQ

/// Takes events in place of the daemon and hands each of them on.
///
/// Publishers see it as a daemon: they wait for its subscription, and they are held back while it
/// takes nothing. It subscribes only after the daemon has, so no event is lost on the way. Listen
/// once, then call ``next(withinMilliseconds:)`` and ``forward()`` in turn. For one thread.
public final class Proxy {
    private let socket: Socket
    private let publisher: Publisher?
    private let keys: ClientKeys?
    /// The message that was taken and is not handed on yet. Until then no other is taken.
    private var pending: [[UInt8]]?

    init(_ connection: Connection, forwards: Bool) throws(ClientError) {
        publisher = forwards ? try connection.publisher() : nil
        keys = connection.keys
        let context = connection.context
        do throws(ZeroMQError) {
            socket = try Socket(
                .sub, in: context, .lingerMilliseconds(0),
                .messageBytesMax(1_024 * 1_024),
                .reconnectMillisecondsMax(reconnectMillisecondsMax))
        } catch {
            throw ClientError(error)
        }
        try publisher?.waitForSubscription(to: [])
    }

    /// Binds an endpoint for publishers that connect.
    ///
    /// Returns the endpoint, with the port where `*` asked for a free one. Throws
    /// ``ClientError/transport(_:)`` if it cannot be bound.
    public func listen(binding endpoint: String) throws(ClientError) -> String {
        try transport { () throws(ZeroMQError) in
            try socket.set(.subscribe([]))
            return try socket.bind(endpoint)
        }
    }

    /// Connects to a publisher that binds. Returns the endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: a publisher that binds.
    ///   - publisherKey: its own public key, 40 characters, where it speaks CURVE: the connection's
    ///     keys name the daemon's.
    ///
    /// Throws ``ClientError/badKeys(_:)`` for another text, or where the connection has no keys.
    public func listen(
        connecting endpoint: String, publisherKey: String? = nil
    ) throws(ClientError) -> String {
        let trusting = try publisherKey.map { (text) throws(ClientError) in
            guard let keys else { throw .badKeys("a publisher with a key needs keys at this end") }
            return try keys.trusting(text)
        }
        return try transport { () throws(ZeroMQError) in
            try socket.set(.subscribe([]))
            if let trusting, endpoint.hasPrefix("tcp://") {
                for option in trusting.options { try socket.set(option) }
            }
            try socket.connect(endpoint)
            return endpoint
        }
    }

    /// The frames of the next message; nil if none came in time, or if ``forward()`` has not
    /// handed on the last one yet.
    public func next(withinMilliseconds limit: Int) throws(ClientError) -> [[UInt8]]? {
        guard pending == nil else { return nil }
        let deadline = Deadline(milliseconds: limit)
        var poller = Poller()
        poller.watch(socket)
        do throws(ZeroMQError) {
            while true {
                if let frames = try socket.receiveMessage() {
                    pending = frames
                    return frames
                }
                let rest = deadline.milliseconds
                if rest == 0 { return nil }
                try poller.wait(milliseconds: rest)
            }
        } catch {
            throw ClientError(error)
        }
    }

    /// Hands on the message that ``next(withinMilliseconds:)`` returned.
    ///
    /// Returns false if the daemon takes nothing at the moment: try again later.
    public func forward() throws(ClientError) -> Bool {
        guard let frames = pending else { return true }
        if let publisher, try !publisher.offer(frames) { return false }
        pending = nil
        return true
    }
}
