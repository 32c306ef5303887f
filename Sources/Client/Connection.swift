import Notation
import ZeroMQ

/// One daemon, as its clients see it: the way to publish, to subscribe and to ask.
///
/// A connection makes four kinds of objects, each with a socket of its own: ``Publisher`` sends
/// events, ``Subscriber`` shows state and then every change, ``Control`` asks and waits for the
/// answer, ``Proxy`` stands between publishers and the daemon. The connection may be shared by
/// threads; each of the objects is for one thread at a time. All of them throw ``ClientError`` and
/// nothing else.
///
/// Topics and bodies are those of the project's `docs/protocol`: names joined by `/`, and JSON
/// objects as UTF-8. This opens a session, dismisses its tips and prints their states until they
/// have been at rest for a second:
///
/// ```swift
/// let connection = try Connection(to: endpoints)
/// try connection.control().open("alice", scene: "phone")
/// let subscriber = try connection.subscriber(to: ["state/alice/tips"])
/// try connection.publisher().publish(
///     topic: "command/alice/tips", body: #"{"command":"dismiss"}"#)
/// while let event = try subscriber.next(withinMilliseconds: 1_000) {
///     guard case .update(let update) = event else { continue }
///     print(update.topic, String(decoding: update.body, as: UTF8.self))
/// }
/// ```
///
/// Several daemons that share their sessions are given by `Endpoints(cluster:)`: then requests and
/// events go to the owner of their session, and updates come from all members.
///
/// A daemon beyond this machine, or on one with strangers, speaks CURVE: give the connection
/// ``ClientKeys``, and every `tcp://` endpoint takes them.
///
/// In the folder, `Control` and `Publisher` stand alone; `Subscriber` uses `Control` for snapshots
/// and `UpdateFilter` to judge what it receives; `Proxy` uses `Publisher`. `UpdateFilter` and
/// `SnapshotScope` touch no socket and hold the join rule: change that rule there. `Cluster` has
/// what a cluster needs: `Route` says which member a request goes to, `MemberUpdateSockets` hears
/// all members, `MemberEventSockets` publishes to the owners, `SessionEpoch` tells what is late.
/// The library links Protocol, Security and ZeroMQ, and nothing of the engine.
public final class Connection: Sendable {
    public let endpoints: Endpoints
    /// The time that any wait for the daemon may take, in milliseconds.
    public let timeoutMilliseconds: Int
    /// The keys for `tcp://` endpoints; nil: it connects without.
    public let keys: ClientKeys?
    let context: Context

    /// Prepares a connection to a daemon; its objects connect when they are made.
    ///
    /// Throws ``ClientError/transport(_:)`` if libzmq cannot start.
    public init(
        to endpoints: Endpoints = Endpoints(), timeoutMilliseconds: Int = 5_000,
        keys: ClientKeys? = nil
    ) throws(ClientError) {
        self.endpoints = endpoints
        self.keys = keys
        self.timeoutMilliseconds = timeoutMilliseconds
        context = try transport { () throws(ZeroMQError) in try Context() }
    }

    /// A way to ask the daemon. Throws ``ClientError/transport(_:)`` for a bad endpoint.
    public func control() throws(ClientError) -> Control { try Control(self) }

    /// A way to send events. Throws ``ClientError/transport(_:)`` for a bad endpoint.
    public func publisher() throws(ClientError) -> Publisher { try Publisher(self) }

    /// A proxy for publishers. If it `forwards`, this waits for the daemon, and throws
    /// ``ClientError/noAnswer(endpoint:milliseconds:)`` if the daemon is not there in time.
    public func proxy(forwards: Bool) throws(ClientError) -> Proxy {
        try Proxy(self, forwards: forwards)
    }

    /// A subscriber to all topics that begin with one of `prefixes`; an empty prefix means all.
    ///
    /// Throws ``ClientError/transport(_:)`` for a bad endpoint; it does not wait for the daemon.
    public func subscriber(to prefixes: [String]) throws(ClientError) -> Subscriber {
        try Subscriber(self, prefixes: prefixes)
    }
}

/// Bytes of a message that a client accepts: 16 times the daemon's own limit for input, because a
/// reply (a snapshot, a list) may be larger than any request.
let messageBytesMax = 16 * 1_024 * 1_024
/// The longest pause between two attempts to connect.
let reconnectMillisecondsMax = 1_000
