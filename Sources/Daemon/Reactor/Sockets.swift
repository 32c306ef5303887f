import Notation
import Sessions
import ZeroMQ

/// The three bound sockets. The reactor's thread owns them.
struct Sockets: ~Copyable {
    let events: Socket
    let updates: Socket
    let control: Socket
    /// With the ports that the system chose.
    let eventsEndpoints: [String]
    let updatesEndpoints: [String]
    let controlEndpoints: [String]

    init(_ configuration: Configuration, in context: Context) throws(ZeroMQError) {
        let events = try Socket(.sub, in: context)
        let updates = try Socket(.xpub, in: context)
        let control = try Socket(.router, in: context)
        try Self.setUp(events, configuration, messageBytesMax: Limits.messageBytesMax)
        try Self.setUp(control, configuration, messageBytesMax: Limits.messageBytesMax)
        // Only subscriptions come in here, and their number has no bound.
        try Self.setUp(updates, configuration, messageBytesMax: Limits.subscriptionBytesMax)
        // A second subscription to a topic is answered as the first one is.
        try updates.set(.verboseSubscriptions(true))
        try control.set(.mandatoryRouting(true))
        try events.set(.subscribe([]))
        let eventsEndpoints = try Self.bind(events, to: configuration.events)
        let updatesEndpoints = try Self.bind(updates, to: configuration.updates)
        let controlEndpoints = try Self.bind(control, to: configuration.control)
        for endpoint in configuration.eventsConnect { try events.connect(endpoint) }
        self.events = events
        self.updates = updates
        self.control = control
        self.eventsEndpoints = eventsEndpoints
        self.updatesEndpoints = updatesEndpoints
        self.controlEndpoints = controlEndpoints
    }

    private static func setUp(
        _ socket: borrowing Socket, _ configuration: Configuration, messageBytesMax: Int
    ) throws(ZeroMQError) {
        try socket.set(.messageBytesMax(messageBytesMax))
        try socket.set(.sendHighWaterMark(configuration.sendHighWaterMark))
        try socket.set(.receiveHighWaterMark(configuration.receiveHighWaterMark))
        try socket.set(.lingerMilliseconds(configuration.lingerMilliseconds))
        try socket.set(.handshakeMilliseconds(3_000))
        try socket.set(.reconnectMillisecondsMax(5_000))
        if configuration.ipv6 { try socket.set(.ipv6(true)) }
    }

    private static func bind(
        _ socket: borrowing Socket, to endpoints: [String]
    ) throws(ZeroMQError) -> [String] {
        var bound: [String] = []
        for endpoint in endpoints { bound.append(try socket.bind(endpoint)) }
        return bound
    }
}

extension Limits {
    /// Bytes of a subscription: a topic and its command byte, with room to spare.
    static let subscriptionBytesMax = 256
}
