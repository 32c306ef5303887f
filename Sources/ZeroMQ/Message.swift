import CZeroMQ

/// One frame. Made once and received into again and again, it allocates nothing itself.
///
/// libzmq forbids to copy or move a `zmq_msg_t` as a struct, so it lives on the heap, at one
/// address, behind a value that cannot be copied either.
@safe package struct Message: ~Copyable {
    let raw: UnsafeMutablePointer<zmq_msg_t>

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
        unsafe bytes.withUnsafeBytes { source in
            let target = unsafe UnsafeMutableRawBufferPointer(
                start: zmq_msg_data(raw), count: bytes.count)
            unsafe target.copyMemory(from: source)
        }
    }

    deinit {
        _ = unsafe zmq_msg_close(raw)
        unsafe raw.deallocate()
    }

    /// Bytes in the frame.
    package var count: Int { unsafe zmq_msg_size(raw) }

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
        unsafe UnsafeRawBufferPointer(start: zmq_msg_data(raw), count: zmq_msg_size(raw))
    }
}
