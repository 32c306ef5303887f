import CZeroMQ
import Glibc
import Synchronization

/// Why two ends could not agree who they are. libzmq does not connect again by itself after these.
package enum HandshakeFault: Equatable, Sendable {
    /// The peer lets this end not in: the status of its handler of ZAP, 300, 400 or 500.
    case refused(status: Int)
    /// One end alone speaks CURVE.
    case mismatch
    /// The peer broke the protocol: libzmq's number of the error.
    case broken(Int)
}

/// A socket that is connected to one endpoint, with keys where that is a `tcp://` one.
///
/// It learns at once that the peer refuses its key, and connects again after a pause: a key may be
/// let in later. For one thread.
package struct Link: ~Copyable {
    package let socket: Socket
    package private(set) var endpoint: String
    private let keys: [SocketOption]
    private let monitor: HandshakeMonitor
    /// The fault of the newest handshake; nil: none has failed since something came.
    package private(set) var fault: HandshakeFault?
    /// When it connects again; nil: libzmq looks after the connection.
    private var nextTry: ContinuousClock.Instant?

    /// Between a refusal and the next attempt: short for a person, long for the peer.
    private static let pause = Duration.milliseconds(250)

    /// - Parameter keys: options for `tcp://` endpoints alone.
    package init(
        _ kind: SocketKind, in context: Context, to endpoint: String, keys: [SocketOption],
        _ options: SocketOption...
    ) throws(ZeroMQError) {
        let socket = try Socket(kind, in: context)
        for option in options { try socket.set(option) }
        let monitor = try HandshakeMonitor(socket, in: context)
        try Self.connect(socket, to: endpoint, keys)
        self.socket = socket
        self.endpoint = endpoint
        self.keys = keys
        self.monitor = monitor
    }

    /// Whether it shows a key to its peer.
    package var hasKeys: Bool { !keys.isEmpty && Self.takesKeys(endpoint) }

    private static func takesKeys(_ endpoint: String) -> Bool { endpoint.hasPrefix("tcp://") }

    private static func connect(
        _ socket: borrowing Socket, to endpoint: String, _ keys: [SocketOption]
    ) throws(ZeroMQError) {
        if takesKeys(endpoint) { for option in keys { try socket.set(option) } }
        try socket.connect(endpoint)
    }

    /// Whether the peer has let it not in.
    package var isRefused: Bool {
        if case .refused = fault { true } else { false }
    }

    /// Waits for messages, and for handshakes that fail.
    package func watch(in poller: inout Poller) {
        poller.watch(socket)
        poller.watch(monitor.reader)
    }

    /// Takes the news of handshakes, and connects again where a pause is over. Waits for nothing.
    ///
    /// Returns the fault that keeps it from its peer; nil: there is none.
    @discardableResult
    package mutating func check() throws(ZeroMQError) -> HandshakeFault? {
        while let fault = try monitor.next() {
            self.fault = fault
            nextTry = .now + Self.pause
        }
        if let nextTry, nextTry <= .now { try reconnect() }
        return fault
    }

    /// Connects again where a handshake has failed, once its pause is over: at most 250 ms.
    package mutating func revive() throws(ZeroMQError) {
        guard try check() != nil else { return }
        if let nextTry {
            let rest = (nextTry - .now) / .microseconds(1)
            if rest > 0 { usleep(UInt32(rest)) }
            try reconnect()
        }
        fault = nil
    }

    /// Leaves its endpoint for another one.
    package mutating func move(to endpoint: String) throws(ZeroMQError) {
        socket.disconnect(self.endpoint)
        self.endpoint = endpoint
        fault = nil
        nextTry = nil
        try Self.connect(socket, to: endpoint, keys)
    }

    private mutating func reconnect() throws(ZeroMQError) {
        let fault = fault
        try move(to: endpoint)
        // It stands until the new connection shows otherwise.
        self.fault = fault
    }

    /// Receives as the socket does.
    package mutating func receiveMessage(framesMax: Int = 8) throws(ZeroMQError) -> [[UInt8]]? {
        var message = Message()
        return try receiveMessage(framesMax: framesMax, by: &message)
    }

    package mutating func receiveMessage(
        framesMax: Int, by message: inout Message
    ) throws(ZeroMQError) -> [[UInt8]]? {
        let frames = try socket.receiveMessage(framesMax: framesMax, by: &message)
        if frames != nil { notePeer() }
        return frames
    }

    /// Something came from the peer, whatever failed before.
    package mutating func notePeer() { fault = nil }
}

/// Hears of a socket's handshakes that failed for good.
///
/// libzmq's threads wait for the reader of a full monitor. Each connection that a `Link` makes ends
/// with at most one of these events, and the link takes it before it makes another.
final class HandshakeMonitor {
    private static let numbers = Atomic(0)

    private let watched: SocketHandle
    let reader: Socket

    init(_ socket: borrowing Socket, in context: Context) throws(ZeroMQError) {
        watched = socket.handle
        let number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
        let address = "inproc://handshakes-\(number)"
        let events = ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
        guard unsafe zmq_socket_monitor(watched.raw, address, events) == 0 else {
            throw .last("zmq_socket_monitor")
        }
        reader = try Socket(.pair, in: context, .lingerMilliseconds(0))
        try reader.connect(address)
    }

    // Before the reader closes: without one, libzmq's thread would wait for it.
    deinit { _ = unsafe zmq_socket_monitor(watched.raw, nil, 0) }

    func next() throws(ZeroMQError) -> HandshakeFault? {
        while let frames = try reader.receiveMessage() {
            // 16 bits of the event, then 32 of its value, in this machine's order.
            guard frames[0].count == 6 else { continue }
            let event = unsafe frames[0].withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: 0, as: UInt16.self)
            }
            let value = unsafe frames[0].withUnsafeBytes {
                Int(unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
            }
            if CInt(event) == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH { return .refused(status: value) }
            let isMismatch = value == Int(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
            return isMismatch ? .mismatch : .broken(value)
        }
        return nil
    }
}
