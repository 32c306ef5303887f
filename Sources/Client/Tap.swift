import ZeroMQ

/// Stands between publishers and a daemon: takes what they publish, and hands it on.
///
/// Publishers see it as a daemon: they wait for its subscription, and they are held back when it
/// takes nothing. It subscribes only once the daemon has, so that nothing is lost on the way. For
/// one thread.
public final class Tap {
    private let socket: Socket
    private let publisher: Publisher?
    /// Taken, and not handed on yet. While it is there nothing else is taken.
    private var pending: [[UInt8]]?

    init(_ connection: Connection, forwards: Bool) throws(ClientError) {
        publisher = forwards ? try connection.publisher() : nil
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

    /// Takes what comes to an endpoint; returns it with the port where `*` asked for a free one.
    public func listen(binding endpoint: String) throws(ClientError) -> String {
        try transport { () throws(ZeroMQError) in
            try socket.set(.subscribe([]))
            return try socket.bind(endpoint)
        }
    }

    /// Fetches from a publisher that binds.
    public func listen(connecting endpoint: String) throws(ClientError) -> String {
        try transport { () throws(ZeroMQError) in
            try socket.set(.subscribe([]))
            try socket.connect(endpoint)
            return endpoint
        }
    }

    /// The frames of the next message; nil when none came in time, or when the last one could not
    /// be handed on yet.
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

    /// Hands on what was taken last; false: the daemon takes nothing now, try again.
    public func forward() throws(ClientError) -> Bool {
        guard let frames = pending else { return true }
        if let publisher, try !publisher.offer(frames) { return false }
        pending = nil
        return true
    }
}
