import Notation
import ZeroMQ

/// One daemon, from a client's side. Its parts are made from it, each for one thread's use.
public final class Connection: Sendable {
    public let endpoints: Endpoints
    /// How long an answer is waited for.
    public let timeoutMilliseconds: Int
    let context: Context

    /// Connects nothing yet. Throws when libzmq cannot start.
    public init(
        to endpoints: Endpoints = Endpoints(), timeoutMilliseconds: Int = 5_000
    ) throws(ClientError) {
        self.endpoints = endpoints
        self.timeoutMilliseconds = timeoutMilliseconds
        context = try transport { () throws(ZeroMQError) in try Context() }
    }

    public func control() throws(ClientError) -> Control { try Control(self) }
    public func publisher() throws(ClientError) -> Publisher { try Publisher(self) }

    /// Something between publishers and the daemon; where it `forwards`, the daemon must be there.
    public func tap(forwards: Bool) throws(ClientError) -> Tap {
        try Tap(self, forwards: forwards)
    }

    /// A subscriber of all topics that begin with one of `prefixes`.
    public func subscriber(to prefixes: [String]) throws(ClientError) -> Subscriber {
        try Subscriber(self, prefixes: prefixes)
    }
}

/// The bound of any message that a client takes: the daemon's own, `Limits.messageBytesMax`,
/// times 16, since a reply (a snapshot, a list) may be larger than what the daemon takes in.
let messageBytesMax = 16 * 1_024 * 1_024
/// The longest pause between attempts to connect.
let reconnectMillisecondsMax = 1_000
