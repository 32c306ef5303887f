import CMosquitto
import Glibc

/// A broker, and how to come to it.
struct Broker {
    var host: String
    var port: Int
    var identity: String
    var username: String?
    var password: String?
    /// A file of certificates; empty: the system's; nil: no TLS.
    var authorities: String?

    var url: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(authorities == nil ? "mqtt" : "mqtts")://\(host):\(port)"
    }
}

/// One connection to a broker. For one thread.
///
/// Nothing leaves but by `write`, not even acknowledgements.
// The pointer is this object's own from its opening to its end.
@safe final class MQTTClient {
    struct Message {
        var topic: String
        var payload: [UInt8]
        /// The packet's number; 0 for QoS 0.
        var number: Int
        var isRetained: Bool
        /// Nil: not known.
        var isRepeated: Bool?
        /// By which subscriptions it comes; empty: not known.
        var subscriptions: Subscriptions
        /// The name of the bridge that retained it; nil: not known.
        var publisher: String?
    }

    /// The subscriptions of a bridge. A bit's number is the identifier at the broker.
    struct Subscriptions: OptionSet {
        let rawValue: UInt32
        /// Messages for the daemon: acknowledged, and kept while the bridge is away.
        static let input = Subscriptions(rawValue: 1 << 1)
        /// Messages for sessions that this bridge does not carry.
        static let others = Subscriptions(rawValue: 1 << 2)
        /// Values that bridges have retained.
        static let values = Subscriptions(rawValue: 1 << 3)

        fileprivate var identifier: UInt32 { UInt32(rawValue.trailingZeroBitCount) }
    }

    enum Event {
        case connected(isSessionPresent: Bool, hasIdentifiers: Bool)
        case refused(reason: String)
        case subscribed(number: Int, isAllowed: Bool)
        case published(number: Int, isAllowed: Bool)
        case message(Message)
    }

    struct Fault: Error {
        var reason: String
    }

    /// Seconds of silence until the broker is asked for a sign of life.
    private static let keepaliveSeconds: CInt = 20
    /// Milliseconds that the broker's host may take to accept.
    private static let connectMilliseconds: CInt = 3_000
    /// Seconds that the broker keeps what comes while the bridge is away: a week's holiday.
    private static let sessionSeconds: UInt32 = 7 * 86_400
    /// Bytes of a packet: the daemon's largest body, with its topic and MQTT's head.
    private static let packetBytesMax: UInt32 = 66_560

    private let raw: OpaquePointer

    /// Connects; the broker's answer comes as an event.
    init(
        _ broker: Broker, unacknowledgedMax: Int, will: (topic: String, payload: String)
    ) throws(Fault) {
        var settings = unsafe gm_settings()
        unsafe settings.port = CInt(broker.port)
        unsafe settings.keepalive_seconds = Self.keepaliveSeconds
        unsafe settings.connect_milliseconds = Self.connectMilliseconds
        unsafe settings.session_seconds = Self.sessionSeconds
        unsafe settings.unacknowledged_max = CInt(unacknowledgedMax)
        unsafe settings.packet_bytes_max = Self.packetBytesMax
        var reason = [CChar](repeating: 0, count: 256)
        let texts = [
            broker.host, broker.identity, broker.username, broker.password, broker.authorities,
            will.topic, will.payload,
        ]
        // C copies them, so they may go when it returns.
        let copies = unsafe texts.map { unsafe $0.flatMap { unsafe strdup($0) } }
        defer { unsafe copies.forEach { unsafe free($0) } }
        unsafe settings.host = UnsafePointer(copies[0])
        unsafe settings.identity = UnsafePointer(copies[1])
        unsafe settings.username = UnsafePointer(copies[2])
        unsafe settings.password = UnsafePointer(copies[3])
        unsafe settings.authorities = UnsafePointer(copies[4])
        unsafe settings.will_topic = UnsafePointer(copies[5])
        unsafe settings.will = UnsafePointer(copies[6])
        guard let client = unsafe gm_open(&settings, &reason, reason.count) else {
            let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Fault(reason: String(decoding: text, as: UTF8.self))
        }
        unsafe raw = client
    }

    /// Without a farewell: the broker publishes the will and keeps what was not acknowledged.
    deinit { unsafe gm_close(raw) }

    var descriptor: CInt { unsafe gm_descriptor(raw) }
    var wantsWrite: Bool { unsafe gm_wants_write(raw) != 0 }

    func read() throws(Fault) { try check(unsafe gm_read(raw)) }
    func write() throws(Fault) { try check(unsafe gm_write(raw)) }
    func tick() throws(Fault) { try check(unsafe gm_tick(raw)) }

    /// The next of what was read.
    func next() -> Event? {
        var event = unsafe gm_event()
        guard unsafe gm_next(raw, &event) != 0 else { return nil }
        let number = unsafe Int(event.number)
        let isAllowed = unsafe event.is_failed == 0
        let text = unsafe event.text.map { unsafe String(cString: $0) } ?? ""
        switch unsafe event.kind {
        case gm_connected:
            return .connected(
                isSessionPresent: unsafe event.is_present != 0,
                hasIdentifiers: unsafe event.has_identifiers != 0)
        case gm_refused: return .refused(reason: text)
        case gm_subscribed: return .subscribed(number: number, isAllowed: isAllowed)
        case gm_published: return .published(number: number, isAllowed: isAllowed)
        default:
            let payload = unsafe UnsafeBufferPointer(start: event.payload, count: event.count)
            return .message(
                Message(
                    topic: text, payload: unsafe Array(payload), number: number,
                    isRetained: unsafe event.is_retained != 0,
                    isRepeated: unsafe event.is_repeated < 0 ? nil : event.is_repeated == 1,
                    subscriptions: unsafe Subscriptions(rawValue: event.subscriptions),
                    publisher: unsafe event.publisher.map { unsafe String(cString: $0) }))
        }
    }

    /// Queues a subscription and returns its number. Only `input` is kept while the bridge is away.
    func subscribe(
        _ topic: String, _ what: Subscriptions, hasIdentifiers: Bool
    ) throws(Fault) -> Int {
        var subscription = gm_subscription(
            quality: what == .input ? 1 : 0, identifier: hasIdentifiers ? what.identifier : 0,
            are_retained_sent: what == .values ? 1 : 0)
        var number: CInt = 0
        try check(unsafe gm_subscribe(raw, topic, &subscription, &number))
        return Int(number)
    }

    /// Queues the end of a subscription. The broker need not have it.
    func unsubscribe(_ topic: String) throws(Fault) { try check(unsafe gm_unsubscribe(raw, topic)) }

    /// Queues a message and returns its number.
    ///
    /// - Parameter publisher: the bridge's name, which the broker keeps with a retained message.
    func publish(
        _ topic: String, _ payload: [UInt8], isRetained: Bool = true, publisher: String? = nil
    ) throws(Fault) -> Int {
        var number: CInt = 0
        try check(
            unsafe gm_publish(
                raw, topic, payload, payload.count, isRetained ? 1 : 0, publisher, &number))
        return Int(number)
    }

    /// Queues the farewell, at which the broker publishes the will.
    func leave() throws(Fault) { try check(unsafe gm_leave(raw)) }

    private func check(_ result: CInt) throws(Fault) {
        guard result != 0 else { return }
        throw Fault(reason: unsafe String(cString: gm_reason(result)))
    }
}
