import CZeroMQ
import Glibc

/// One frame. Made once and received into again and again, it allocates nothing itself.
///
/// libzmq forbids to copy or move a `zmq_msg_t` as a struct, so it lives on the heap, at one
/// address, behind a value that cannot be copied either.
@safe package struct Message: ~Copyable {
    let raw: UnsafeMutablePointer<zmq_msg_t>
    /// Bytes in the frame. libzmq tells them with each frame that it gives or takes, so that nobody
    /// asks it again.
    package internal(set) var count = 0

    /// An empty frame.
    package init() {
        unsafe raw = .allocate(capacity: 1)
        let result = unsafe zmq_msg_init(raw)
        precondition(result == 0, "zmq_msg_init cannot fail")
    }

    /// A frame of its own, with a copy of the bytes.
    package init(copying bytes: [UInt8]) {
        unsafe raw = .allocate(capacity: 1)
        let result = unsafe zmq_msg_init_size(raw, bytes.count)
        precondition(result == 0, "out of memory for a frame of \(bytes.count) bytes")
        count = bytes.count
        unsafe bytes.withUnsafeBytes { source in
            let target = unsafe UnsafeMutableRawBufferPointer(
                start: zmq_msg_data(raw), count: bytes.count)
            unsafe target.copyMemory(from: source)
        }
    }

    /// The same, which counts as `cost` bytes in `held` until libzmq lets go of it.
    package init(copying bytes: UnsafeRawBufferPointer, counting cost: Int, in held: HeldBytes) {
        unsafe raw = .allocate(capacity: 1)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe copy.copyMemory(from: bytes)
        let hint = unsafe HeldFrame.begin(cost, in: held)
        let result = unsafe zmq_msg_init_data(
            raw, copy.baseAddress, copy.count, { unsafe HeldFrame.end($0, $1) }, hint)
        precondition(result == 0, "out of memory for a frame of \(bytes.count) bytes")
        count = bytes.count
    }

    deinit {
        _ = unsafe zmq_msg_close(raw)
        unsafe raw.deallocate()
    }

    /// Gives back the bytes that were received. libzmq reads many frames into one block, and can
    /// use it again only when none of them is held.
    package mutating func release() {
        _ = unsafe zmq_msg_close(raw)
        _ = unsafe zmq_msg_init(raw)
        count = 0
    }

    /// Another frame of the same message follows, and is there already.
    package var hasMore: Bool { unsafe zmq_msg_more(raw) != 0 }

    /// The frame's bytes where they are; they are gone when the closure returns.
    @inlinable
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(buffer)
    }

    /// A copy of the frame's bytes.
    package var bytes: [UInt8] { unsafe Array(buffer) }

    @usableFromInline
    var buffer: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: count)
    }
}

/// The connection over which a message came.
package struct Sender: Hashable, Sendable {
    /// The number that the handshake's handler gave the connection; no other one of the context
    /// has it.
    package let number: Int
    /// The descriptor of libzmq's that it has; another connection may have it later.
    package let descriptor: CInt
    /// The client's number, where its key is known; −1: it has shown none.
    package let client: Int

    package init(number: Int, descriptor: CInt, client: Int = -1) {
        self.number = number
        self.descriptor = descriptor
        self.client = client
    }

    /// The text by which the handshake's handler names a connection.
    package static func text(number: Int, client: Int) -> String {
        client < 0 ? "\(number)" : "\(number) \(client)"
    }
}

extension Message {
    /// The connection over which it came; nil where libzmq made the message itself.
    ///
    /// A ROUTER knows it of no message's first frame.
    package var sender: Sender? {
        guard let text = unsafe zmq_msg_gets(raw, "User-Id") else { return nil }
        var end: UnsafeMutablePointer<CChar>? = nil
        let number = unsafe strtol(text, &end, 10)
        guard number > 0, let end = unsafe end else { return nil }
        let client = unsafe end.pointee == 0 ? -1 : strtol(end, nil, 10)
        return Sender(number: number, descriptor: descriptor, client: client)
    }

    /// The number of the client over whose connection it came; −1: that has shown no key. Cheaper
    /// than `sender`; a ROUTER knows it of no message's first frame.
    package var client: Int {
        guard let text = unsafe zmq_msg_gets(raw, "User-Id"),
            let space = unsafe strchr(text, 0x20)
        else { return -1 }
        return unsafe strtol(space, nil, 10)
    }

    /// The host that it came from over tcp, known also where the connection has ended since.
    package var host: String? {
        guard let text = unsafe zmq_msg_gets(raw, "Peer-Address") else { return nil }
        let host = unsafe String(cString: text)
        return host.isEmpty ? nil : host
    }

    /// The descriptor of its connection; −1 where it has none. Cheaper than `sender`.
    package var descriptor: CInt { unsafe zmq_msg_get(raw, ZMQ_SRCFD) }
}
