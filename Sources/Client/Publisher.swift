import ZeroMQ

/// Sends events to the daemon, and waits until the daemon takes them before the first one.
///
/// It pushes where the daemon has an endpoint for that. Elsewhere it is an XPUB socket, which sees
/// the daemon's subscription arrive: a PUB socket would lose what it sends before that. In a
/// cluster each event goes to the owner of its session. For one thread.
public final class Publisher {
    /// The socket at one daemon; nil: in a cluster `memberSockets` has one for each member.
    private let eventSocket: EventSocket?
    private let memberSockets: MemberEventSockets?

    init(_ connection: Connection) throws(ClientError) {
        if connection.endpoints.seeds.isEmpty {
            eventSocket = try EventSocket(connection, to: connection.endpoints)
            memberSockets = nil
        } else {
            eventSocket = nil
            memberSockets = try MemberEventSockets(connection)
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
        try eventSocket?.publish([topic, body])
        try memberSockets?.publish(topic: topic, body: body)
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
        try eventSocket?.waitForSubscription(to: topic)
        try memberSockets?.waitForSubscription(to: topic)
    }

    /// Why the daemon is kept away, where both ends could not agree who they are.
    package var fault: ClientError? { eventSocket?.fault ?? memberSockets?.fault }
}

extension Publisher {
    /// Readable when the daemon may have come, gone or made room. In a cluster it may be another
    /// one after ``isHeard()``.
    package var descriptor: CInt { eventSocket?.descriptor ?? memberSockets?.descriptor ?? -1 }

    /// Whether the daemon takes events now.
    package func isHeard() throws(ClientError) -> Bool {
        if let eventSocket { return try eventSocket.isHeard() }
        return try memberSockets?.isHeard() ?? false
    }

    /// Sends a message unchanged; returns false if the daemon is not there or the queue is full.
    ///
    /// In a cluster it goes to one member, which passes it on.
    package func offer(_ frames: [[UInt8]]) throws(ClientError) -> Bool {
        if let eventSocket { return try eventSocket.offer(frames) }
        return try memberSockets?.offer(frames) ?? false
    }
}
