import CZeroMQ
import Glibc
import Synchronization

/// Why two ends could not agree who they are.
package enum HandshakeFault: Equatable, Sendable {
    /// The peer lets this end not in: the status of its handler of ZAP, 300, 400 or 500.
    case refused(status: Int)
    /// One end alone speaks CURVE.
    case mismatch
    /// The peer closes the connection without a word: it refuses this key so that libzmq tries
    /// again, or its own key is another than this end knows. Only a trial tells it.
    case lost
    /// The peer broke the protocol: libzmq's number of the error.
    case broken(Int)
}

/// A socket that is connected to one endpoint, with keys where that is a `tcp://` one.
///
/// It learns at once that the peer refuses its key, and connects again after a pause: a key may be
/// let in later. For one thread.
package struct PeerConnection: ~Copyable {
    package let socket: Socket
    package private(set) var endpoint: String
    private let keys: [SocketOption]
    private let monitor: HandshakeMonitor
    /// The fault of the newest handshake; nil: none has failed since something came.
    package private(set) var fault: HandshakeFault?
    /// Handshakes that succeeded at this endpoint; counted with keys alone.
    private var successes = 0
    /// How often its connection was lost and was there again: messages in between are lost.
    package private(set) var returns = 0
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
        let counts = !keys.isEmpty && Self.takesKeys(endpoint)
        let monitor = try HandshakeMonitor(
            socket, in: context,
            events: HandshakeMonitor.final | (counts ? ZMQ_EVENT_HANDSHAKE_SUCCEEDED : 0))
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

    /// Waits for messages, or for room for one, and for handshakes that fail.
    package func watch(in poller: inout Poller, for readiness: Readiness = .readable) {
        poller.watch(socket, for: readiness)
        poller.watch(monitor.reader)
    }

    /// Takes the news of handshakes, and connects again where a pause is over. Waits for nothing.
    ///
    /// Returns the fault that keeps it from its peer; nil: there is none.
    @discardableResult
    package mutating func check() throws(ZeroMQError) -> HandshakeFault? {
        while let event = try monitor.next() {
            switch event {
            case .succeeded:
                successes += 1
                if successes > 1 { returns += 1 }
            case .failed(let fault):
                self.fault = fault
                nextTry = .now + Self.pause
            case .lost: break
            }
        }
        if let nextTry, nextTry <= .now { try reconnect() }
        return fault
    }

    /// Counts its returns up to now; a subscription made next follows all others on the connection
    /// of the last one.
    package mutating func settle() throws(ZeroMQError) -> Int {
        try check()
        // The socket sends its subscriptions to a new connection when it hears of that, which was
        // before the handshake.
        _ = try socket.handle.readiness()
        return returns
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
        successes = 0
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

/// Hears of a socket's handshakes.
///
/// libzmq's threads wait for the reader of a full monitor, so its queue has no bound: it gets a few
/// bytes at each connection.
final class HandshakeMonitor {
    enum Event {
        case succeeded
        case failed(HandshakeFault)
        /// The peer closed the connection without a word.
        case lost
    }

    /// Those after which libzmq gives up.
    static let final = ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
    static let all =
        final | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL

    private static let numbers = Atomic(0)

    private let watched: SocketHandle
    let reader: Socket

    init(
        _ socket: borrowing Socket, in context: Context, events: CInt = HandshakeMonitor.final
    ) throws(ZeroMQError) {
        watched = socket.handle
        let number = Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue
        let address = "inproc://handshakes-\(number)"
        guard unsafe zmq_socket_monitor(watched.raw, address, events) == 0 else {
            throw .last("zmq_socket_monitor")
        }
        reader = try Socket(.pair, in: context, .lingerMilliseconds(0), .receiveHighWaterMark(0))
        try reader.connect(address)
    }

    // Before the reader closes: without one, libzmq's thread would wait for it.
    deinit { _ = unsafe zmq_socket_monitor(watched.raw, nil, 0) }

    func next() throws(ZeroMQError) -> Event? {
        while let frames = try reader.receiveMessage() {
            // 16 bits of the event, then 32 of its value, in this machine's order.
            guard frames[0].count == 6 else { continue }
            let event = unsafe frames[0].withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: 0, as: UInt16.self)
            }
            let value = unsafe frames[0].withUnsafeBytes {
                Int(unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
            }
            switch CInt(event) {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .succeeded
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: return .lost
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .failed(.refused(status: value))
            default:
                let isMismatch = value == Int(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
                return .failed(isMismatch ? .mismatch : .broken(value))
            }
        }
        return nil
    }
}

extension PeerConnection {
    /// Shakes hands with a peer and leaves it. Returns what keeps both apart; nil: nothing does, or
    /// nobody answered in time.
    ///
    /// A peer that closes the connection several times, or once after it held it, says nothing of
    /// its reason: that is `lost`.
    package static func trial(
        in context: Context, at endpoint: String, keys: [SocketOption], within limit: Duration
    ) throws(ZeroMQError) -> HandshakeFault? {
        let end = ContinuousClock.now + limit
        let socket = try Socket(
            .dealer, in: context, .lingerMilliseconds(0),
            .reconnectMilliseconds(trialPauseMilliseconds))
        let monitor = try HandshakeMonitor(socket, in: context, events: HandshakeMonitor.all)
        try connect(socket, to: endpoint, keys)
        var poller = Poller()
        poller.watch(monitor.reader)
        var lost = 0
        var last = ContinuousClock.now
        while end > .now {
            while let event = try monitor.next() {
                switch event {
                case .succeeded: return nil
                case .failed(let fault): return fault
                case .lost: lost += 1
                }
                // A peer that refuses by ZAP's status 300 holds the connection a while.
                if lost == trialsMax || .now - last > trialHeld { return .lost }
                last = .now
            }
            let rest = (end - .now) / .milliseconds(1)
            try poller.wait(milliseconds: max(1, Int(rest)))
        }
        return nil
    }

    /// A daemon that ends or starts may close one, and cuts all at a reload.
    private static let trialsMax = 3
    private static let trialPauseMilliseconds = 50
    /// The daemon ends a handshake that goes no further after 3 s.
    private static let trialHeld = Duration.seconds(2)
}
