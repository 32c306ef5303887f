import ZeroMQ

/// Sends events to the daemon, and waits until the daemon takes them before the first one.
///
/// It pushes where the daemon has an endpoint for that. Elsewhere it is an XPUB socket, which sees
/// the daemon's subscription arrive: a PUB socket would lose what it sends before that. In a
/// cluster each event goes to the owner of its session. For one thread.
public final class Publisher {
    /// The socket at one daemon; nil: in a cluster `outlets` has one for each member.
    private let outlet: Outlet?
    private let outlets: Outlets?

    init(_ connection: Connection) throws(ClientError) {
        if connection.endpoints.seeds.isEmpty {
            outlet = try Outlet(connection, to: connection.endpoints)
            outlets = nil
        } else {
            outlet = nil
            outlets = try Outlets(connection)
        }
    }

    /// Sends one event, and waits for the daemon first if it has to.
    ///
    /// Returns when the event is queued for sending, which does not mean that the daemon accepted
    /// it: refused events are reported on `rejected/<session>`. Events that the daemon has not read
    /// are lost if it dies; to be sure, send the request `publish` by ``Control`` instead. Throws
    /// ``ClientError/noAnswer(endpoint:milliseconds:)`` if the daemon is not there, or reads
    /// nothing, within the connection's timeout.
    public func publish(topic: [UInt8], body: [UInt8]) throws(ClientError) {
        try outlet?.publish([topic, body])
        try outlets?.publish(topic: topic, body: body)
    }

    /// The same with texts: `topic` as `gesture/alice/tips`, `body` one JSON object.
    public func publish(topic: String, body: String) throws(ClientError) {
        try publish(topic: Array(topic.utf8), body: Array(body.utf8))
    }

    /// Waits until the daemon takes events of a topic; in a cluster one that takes the topic's
    /// session now.
    ///
    /// Throws ``ClientError/noAnswer(endpoint:milliseconds:)`` if that takes longer than the
    /// connection's timeout.
    public func waitForSubscription(to topic: [UInt8]) throws(ClientError) {
        try outlet?.waitForSubscription(to: topic)
        try outlets?.waitForSubscription(to: topic)
    }

    /// Why the daemon is kept away, where both ends could not agree who they are.
    package var fault: ClientError? { outlet?.fault ?? outlets?.fault }
}

extension Publisher {
    /// Readable when the daemon may have come, gone or made room. In a cluster it may be another
    /// one after ``isHeard()``.
    package var descriptor: CInt { outlet?.descriptor ?? outlets?.descriptor ?? -1 }

    /// Whether the daemon takes events now.
    package func isHeard() throws(ClientError) -> Bool {
        if let outlet { return try outlet.isHeard() }
        return try outlets?.isHeard() ?? false
    }

    /// Sends a message unchanged; returns false if the daemon is not there or the queue is full.
    ///
    /// In a cluster it goes to one member, which passes it on.
    package func offer(_ frames: [[UInt8]]) throws(ClientError) -> Bool {
        if let outlet { return try outlet.offer(frames) }
        return try outlets?.offer(frames) ?? false
    }
}
