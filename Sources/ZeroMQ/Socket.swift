import CZeroMQ
import Glibc

package enum SocketKind: Equatable, Sendable, CaseIterable {
    case pub, sub, xpub, xsub, dealer, router, req, rep, pair, push, pull

    var raw: CInt {
        switch self {
        case .pub: ZMQ_PUB
        case .sub: ZMQ_SUB
        case .xpub: ZMQ_XPUB
        case .xsub: ZMQ_XSUB
        case .dealer: ZMQ_DEALER
        case .router: ZMQ_ROUTER
        case .req: ZMQ_REQ
        case .rep: ZMQ_REP
        case .pair: ZMQ_PAIR
        case .push: ZMQ_PUSH
        case .pull: ZMQ_PULL
        }
    }
}

/// The C socket, shared by a `Socket` and the pollers that watch it, closed when all are gone.
@safe final class SocketHandle {
    let raw: UnsafeMutableRawPointer
    /// Readable when something may have come to a socket that was drained.
    let descriptor: CInt
    private let context: Context
    /// Whether nobody has used it since it was found empty. Only then does its descriptor
    /// signal every arrival, because libzmq handles commands in any call.
    var isDrained = false

    init(_ kind: SocketKind, in context: Context) throws(ZeroMQError) {
        unsafe raw = try context.makeSocket(kind.raw)
        descriptor = try unsafe Self.number(ZMQ_FD, of: raw)
        self.context = context
    }

    deinit { _ = unsafe zmq_close(raw) }

    /// Whether it can send or receive now. Only this call tells for sure.
    func readiness() throws(ZeroMQError) -> Readiness {
        let events = try unsafe Self.number(ZMQ_EVENTS, of: raw)
        isDrained = events & ZMQ_POLLIN == 0
        return Readiness(rawValue: Int16(truncatingIfNeeded: events))
    }

    private static func number(
        _ option: CInt, of raw: UnsafeMutableRawPointer
    ) throws(ZeroMQError) -> CInt {
        var value: CInt = 0
        var size = MemoryLayout<CInt>.size
        while unsafe zmq_getsockopt(raw, option, &value, &size) != 0 {
            let code = zmq_errno()
            guard code == EINTR else { throw ZeroMQError("zmq_getsockopt", code: code) }
        }
        return value
    }

    func set(_ option: SocketOption) throws(ZeroMQError) {
        isDrained = false
        let (name, value) = option.raw
        let result: CInt
        switch value {
        case .int(var number):
            result = unsafe zmq_setsockopt(raw, name, &number, MemoryLayout<CInt>.size)
        case .int64(var number):
            result = unsafe zmq_setsockopt(raw, name, &number, MemoryLayout<Int64>.size)
        case .bytes(let bytes):
            result = unsafe bytes.withUnsafeBytes {
                unsafe zmq_setsockopt(raw, name, $0.baseAddress, $0.count)
            }
        }
        guard result == 0 else { throw .last("zmq_setsockopt") }
    }
}

/// One socket, owned and used by one thread. It cannot be copied, so it cannot be shared.
///
/// No call blocks unless it is told to wait. It closes when it and every `Poller` that watches
/// it are gone.
package struct Socket: ~Copyable {
    package let kind: SocketKind
    let handle: SocketHandle

    /// A socket without connections, that lingers for half a second (libzmq's own is for ever).
    package init(
        _ kind: SocketKind, in context: Context, _ options: SocketOption...
    ) throws(ZeroMQError) {
        let handle = try SocketHandle(kind, in: context)
        try handle.set(.lingerMilliseconds(500))
        for option in options { try handle.set(option) }
        self.kind = kind
        self.handle = handle
    }

    /// Readable when something may have come, once the socket was received from until it was empty,
    /// after its last send too: for a loop that is not a `Poller`.
    package var descriptor: CInt { handle.descriptor }

    package func set(_ option: SocketOption) throws(ZeroMQError) { try handle.set(option) }

    /// Whether a message could be sent now.
    package func isWritable() throws(ZeroMQError) -> Bool {
        try handle.readiness().contains(.writable)
    }

    /// Returns the real endpoint: with the port where `*` asked for a free one.
    @discardableResult
    package func bind(_ endpoint: String) throws(ZeroMQError) -> String {
        handle.isDrained = false
        try Endpoint.check(endpoint, for: "zmq_bind")
        // libzmq would remove a file that is no socket.
        if endpoint.hasPrefix("ipc://"),
            let flaw = BindingFlaw.found(in: endpoint, ipv6: false),
            flaw.kind == .impossible || flaw.kind == .notYet
        {
            throw ZeroMQError("zmq_bind", code: ENOENT, endpoint: endpoint).explained(flaw)
        }
        guard unsafe zmq_bind(handle.raw, endpoint) == 0 else {
            let error = ZeroMQError.last("zmq_bind", endpoint: endpoint)
            throw error.explained(BindingFlaw.of(error, at: endpoint))
        }
        var text = [CChar](repeating: 0, count: 1_024)
        var count = text.count
        guard unsafe zmq_getsockopt(handle.raw, ZMQ_LAST_ENDPOINT, &text, &count) == 0 else {
            throw .last("zmq_getsockopt", endpoint: endpoint)
        }
        // The count includes the zero at the end.
        return String(
            decoding: text.prefix(max(0, count - 1)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Begins to connect. Only a message from the peer shows that it is there.
    package func connect(_ endpoint: String) throws(ZeroMQError) {
        handle.isDrained = false
        try Endpoint.check(endpoint, for: "zmq_connect")
        guard unsafe zmq_connect(handle.raw, endpoint) == 0 else {
            throw .last("zmq_connect", endpoint: endpoint)
        }
    }

    /// Ends the connection to an endpoint, and what waits for it. Nothing happens without one.
    package func disconnect(_ endpoint: String) {
        handle.isDrained = false
        _ = unsafe zmq_disconnect(handle.raw, endpoint)
    }

    /// Unbinds an endpoint that `bind` returned.
    package func unbind(_ endpoint: String) throws(ZeroMQError) {
        handle.isDrained = false
        guard unsafe zmq_unbind(handle.raw, endpoint) == 0 else {
            throw .last("zmq_unbind", endpoint: endpoint)
        }
    }
}

extension Socket {
    /// Receives the next frame into a message and replaces its content. Allocates nothing.
    ///
    /// Returns false when nothing is there. A message's frames arrive together: after a frame
    /// that `hasMore`, the next one is there.
    package func receive(into message: inout Message) throws(ZeroMQError) -> Bool {
        handle.isDrained = false
        message.count = 0
        while true {
            let count = unsafe zmq_msg_recv(message.raw, handle.raw, ZMQ_DONTWAIT)
            if count >= 0 {
                message.count = Int(count)
                return true
            }
            let code = zmq_errno()
            if code == EAGAIN {
                handle.isDrained = true
                return false
            }
            guard code == EINTR else { throw ZeroMQError("zmq_msg_recv", code: code) }
        }
    }

    /// Receives a whole message, at most `framesMax` of its frames; it drops the rest.
    package func receiveMessage(framesMax: Int = 8) throws(ZeroMQError) -> [[UInt8]]? {
        var message = Message()
        return try receiveMessage(framesMax: framesMax, by: &message)
    }

    /// The same, through a frame that is reused for many messages.
    package func receiveMessage(
        framesMax: Int, by message: inout Message
    ) throws(ZeroMQError) -> [[UInt8]]? {
        guard try receive(into: &message) else { return nil }
        var frames = [message.bytes]
        while message.hasMore, try receive(into: &message) {
            if frames.count < framesMax { frames.append(message.bytes) }
        }
        return frames
    }

    /// Sends a copy of one frame; `more` says that the message goes on with the next one.
    ///
    /// Returns false when libzmq refuses it: every peer's queue is full, or none is connected.
    /// With `wait` it blocks until there is room, at most for the socket's send timeout. Once the
    /// first frame of a message is taken, the others are too.
    package func send(
        _ bytes: UnsafeRawBufferPointer, more: Bool = false, wait: Bool = false
    ) throws(ZeroMQError) -> Bool {
        let flags = (more ? ZMQ_SNDMORE : 0) | (wait ? 0 : ZMQ_DONTWAIT)
        handle.isDrained = false
        while unsafe zmq_send(handle.raw, bytes.baseAddress, bytes.count, flags) < 0 {
            let code = zmq_errno()
            if code == EAGAIN { return false }
            guard code == EINTR else { throw ZeroMQError("zmq_send", code: code) }
        }
        return true
    }

    package func send(
        _ bytes: [UInt8], more: Bool = false, wait: Bool = false
    ) throws(ZeroMQError) -> Bool {
        // A closure of `withUnsafeBytes` would widen the typed error; the pointer does not leave.
        let taken: Result<Bool, ZeroMQError> = unsafe bytes.withUnsafeBytes { buffer in
            do throws(ZeroMQError) {
                return .success(try unsafe send(buffer, more: more, wait: wait))
            } catch {
                return .failure(error)
            }
        }
        return try taken.get()
    }

    /// Sends a received or made frame on without copying it; the message is empty afterwards.
    ///
    /// Where it returns false or throws, the message still holds its bytes.
    package func send(
        _ message: inout Message, more: Bool = false, wait: Bool = false
    ) throws(ZeroMQError) -> Bool {
        let flags = (more ? ZMQ_SNDMORE : 0) | (wait ? 0 : ZMQ_DONTWAIT)
        handle.isDrained = false
        while unsafe zmq_msg_send(message.raw, handle.raw, flags) < 0 {
            let code = zmq_errno()
            if code == EAGAIN { return false }
            guard code == EINTR else { throw ZeroMQError("zmq_msg_send", code: code) }
        }
        message.count = 0
        return true
    }

    /// Sends a message of one or more frames, all or none. Where its connection ends between two
    /// frames, libzmq drops all of it; it counts as sent, and is lost with the connection.
    package func send(frames: [[UInt8]], wait: Bool = false) throws(ZeroMQError) -> Bool {
        for (index, frame) in frames.enumerated() {
            let more = index < frames.count - 1
            guard try send(frame, more: more, wait: wait) else { return index > 0 }
        }
        return true
    }
}
