import Glibc
import Notation
import Sessions
import ZeroMQ

/// The three bound sockets, and the handshakes of all. The reactor's thread owns them.
struct Sockets: ~Copyable {
    var handshakes: Handshakes
    let events: Socket
    let updates: Socket
    let control: Socket
    /// With the ports that the system chose.
    let eventsEndpoints: [String]
    let updatesEndpoints: [String]
    let controlEndpoints: [String]

    /// The TCP ports at which subscribers connect.
    var updatesPorts: [Int] { updatesEndpoints.compactMap(Endpoint.tcpPort(of:)) }

    init(_ configuration: Configuration, in context: Context) throws(ZeroMQError) {
        // It must be there before the first peer asks.
        let handshakes = try Handshakes(in: context)
        let events = try Socket(.sub, in: context)
        let updates = try Socket(.xpub, in: context)
        let control = try Socket(.router, in: context)
        try Self.setUp(events, configuration, "events", messageBytesMax: Limits.messageBytesMax)
        try Self.setUp(control, configuration, "control", messageBytesMax: Limits.messageBytesMax)
        // Only subscriptions come in here, and their number has no bound.
        try Self.setUp(
            updates, configuration, "updates", messageBytesMax: Limits.subscriptionBytesMax)
        try events.set(.receiveHighWaterMark(configuration.receiveHighWaterMark))
        try control.set(.receiveHighWaterMark(Limits.requestsUnreadMax))
        // A peer may ask very much before it reads; `ReplyBudget` bounds the bytes.
        try control.set(.sendHighWaterMark(configuration.sendHighWaterMark))
        try updates.set(.receiveHighWaterMark(Limits.subscriptionsUnreadMax))
        try updates.set(.sendHighWaterMark(configuration.sendHighWaterMark))
        // A second subscription to a topic is answered as the first one is. Each end is reported
        // too, so that the daemon knows who holds what.
        try updates.set(.verboseSubscriptionsAndEnds(true))
        try control.set(.mandatoryRouting(true))
        try events.set(.subscribe([]))
        let eventsEndpoints = try Self.bind(events, to: configuration.events)
        let updatesEndpoints = try Self.bind(updates, to: configuration.updates)
        let controlEndpoints = try Self.bind(control, to: configuration.control)
        for endpoint in configuration.eventsConnect { try events.connect(endpoint) }
        self.handshakes = handshakes
        self.events = events
        self.updates = updates
        self.control = control
        self.eventsEndpoints = eventsEndpoints
        self.updatesEndpoints = updatesEndpoints
        self.controlEndpoints = controlEndpoints
    }

    private static func setUp(
        _ socket: borrowing Socket, _ configuration: Configuration, _ domain: String,
        messageBytesMax: Int
    ) throws(ZeroMQError) {
        try socket.set(.zapDomain(domain))
        try socket.set(.messageBytesMax(messageBytesMax))
        try socket.set(.lingerMilliseconds(configuration.lingerMilliseconds))
        try socket.set(.handshakeMilliseconds(3_000))
        try socket.set(.reconnectMillisecondsMax(5_000))
        if configuration.ipv6 { try socket.set(.ipv6(true)) }
    }

    private static func bind(
        _ socket: borrowing Socket, to endpoints: [String]
    ) throws(ZeroMQError) -> [String] {
        var bound: [String] = []
        for endpoint in endpoints {
            // The socket of this endpoint stands in a new folder of the user's own, whose mode the
            // mask would spoil.
            let isPrivate = endpoint == "ipc://*"
            let former = isPrivate ? nil : umask(Self.socketMask)
            defer { if let former { _ = umask(former) } }
            bound.append(try socket.bind(endpoint))
        }
        return bound
    }

    /// The mask under which libzmq makes the files of `ipc://` sockets: 0660, whoever starts the
    /// daemon. Files that the store's thread makes meanwhile lose rights at most for others.
    private static let socketMask: mode_t = 0o117
}

extension Limits {
    /// Bytes of a subscription: a topic and its command byte, with room to spare.
    static let subscriptionBytesMax = 256
    /// Subscriptions of one connection that are received and not yet read. libzmq takes in all that
    /// there are in one call, which must stay short.
    static let subscriptionsUnreadMax = 32
    /// Requests of one connection that are received and not yet read: each may have 1 MiB.
    static let requestsUnreadMax = 32
}
