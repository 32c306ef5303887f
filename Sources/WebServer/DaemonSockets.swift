import GesturedClient
import Notation
import ZeroMQ

/// The three sockets to the daemon, which all clients share.
struct DaemonSockets: ~Copyable {
    private let context: Context
    private var updates: PeerConnection
    private var control: PeerConnection
    private var events: PeerConnection
    private var frame = Message()
    /// The prefixes of topics that the daemon takes.
    private var wanted: Set<[UInt8]> = []

    /// Pause between attempts to connect, at most: a daemon that is back is found soon.
    private static let reconnectMillisecondsMax = 500
    /// Bytes of a message of the daemon: its replies may be larger than any request.
    private static let messageBytesMax = 16 * Limits.messageBytesMax
    /// Updates that may wait for a turn of the loop. Large ones take much memory, and the rest
    /// waits at the daemon.
    private static let updatesMax = 1_000

    init(_ endpoints: Endpoints, keys: ClientKeys?) throws(ZeroMQError) {
        let context = try Context()
        let keys = keys?.options ?? []
        // Connected before it subscribes: only then do subscriptions leave in their order.
        let updates = try PeerConnection(
            .sub, in: context, to: endpoints.updates, keys: keys, .lingerMilliseconds(0),
            .messageBytesMax(Self.messageBytesMax), .receiveHighWaterMark(Self.updatesMax),
            .reconnectMillisecondsMax(Self.reconnectMillisecondsMax))
        // A request for a daemon that is not there is refused now, not done later.
        let control = try PeerConnection(
            .dealer, in: context, to: endpoints.control, keys: keys, .lingerMilliseconds(0),
            .messageBytesMax(Self.messageBytesMax), .immediate(true),
            .reconnectMillisecondsMax(Self.reconnectMillisecondsMax))
        let events = try PeerConnection(
            .xpub, in: context, to: endpoints.events, keys: keys, .holdsWhenFull(true),
            .immediate(true), .lingerMilliseconds(500), .messageBytesMax(256),
            .reconnectMillisecondsMax(Self.reconnectMillisecondsMax))
        self.context = context
        self.updates = updates
        self.control = control
        self.events = events
    }

    /// Each becomes readable when its socket may have something.
    var descriptors: [CInt] {
        [updates.socket.descriptor, control.socket.descriptor, events.socket.descriptor]
    }

    /// Whether it shows a key to the daemon.
    var hasKeys: Bool { control.hasKeys }

    /// Connects again what the daemon has refused, once its pause is over. Every tick calls it.
    ///
    /// Returns why the first of such endpoints stays closed; nil: none is refused.
    mutating func mend() throws(ZeroMQError) -> String? {
        let faults = [
            try updates.check().map { ClientError($0, of: updates) },
            try control.check().map { ClientError($0, of: control) },
            try events.check().map { ClientError($0, of: events) },
        ]
        return faults.compactMap { $0 }.first?.description
    }

    mutating func subscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        try updates.socket.set(.subscribe(prefix))
    }

    mutating func unsubscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        try updates.socket.set(.unsubscribe(prefix))
    }

    /// The next update; nil if there is none now.
    mutating func nextUpdate() throws(ZeroMQError) -> (topic: [UInt8], body: [UInt8])? {
        while let frames = try updates.receiveMessage(framesMax: 3, by: &frame) {
            if frames.count == 2 { return (frames[0], frames[1]) }
        }
        return nil
    }

    /// The next reply; nil if there is none now.
    mutating func nextReply() throws(ZeroMQError) -> [UInt8]? {
        try control.receiveMessage(framesMax: 8, by: &frame)?.last
    }

    /// Returns whether the daemon is there to take it.
    mutating func request(_ bytes: [UInt8]) throws(ZeroMQError) -> Bool {
        try control.socket.send(bytes)
    }

    /// Returns whether the daemon is there to take it.
    mutating func publish(_ frames: [[UInt8]]) throws(ZeroMQError) -> Bool {
        try takeSubscriptions()
        guard wanted.contains(where: { frames[0].starts(with: $0) }) else { return false }
        return try events.socket.send(frames: frames)
    }

    /// Whether the daemon is there to take a request.
    var isAsked: Bool { (try? control.socket.isWritable()) == true }

    /// Whether the daemon takes events.
    var isHeard: Bool { !wanted.isEmpty }

    /// Reads what the daemon subscribes to. libzmq withdraws it when the daemon leaves.
    mutating func takeSubscriptions() throws(ZeroMQError) {
        while try events.socket.receive(into: &frame) {
            let bytes = frame.bytes
            switch bytes.first {
            case 1:
                wanted.insert(Array(bytes.dropFirst()))
                events.notePeer()
            case 0: wanted.remove(Array(bytes.dropFirst()))
            default: break
            }
        }
    }
}
