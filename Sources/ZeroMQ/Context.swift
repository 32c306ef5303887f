import CZeroMQ
import Glibc

/// libzmq's I/O threads and all that its sockets share. Any thread may use it.
///
/// Every socket retains its context, so it ends when the last of both is gone, and that end waits
/// for what was sent, at most as long as the sockets linger.
@safe package final class Context: Sendable {
    // libzmq's contexts are thread-safe by its own promise.
    private nonisolated(unsafe) let raw: UnsafeMutableRawPointer

    /// Starts `ioThreads` threads when the first socket is made.
    package init(ioThreads: Int = 1) throws(ZeroMQError) {
        guard let raw = unsafe zmq_ctx_new() else { throw .last("zmq_ctx_new") }
        unsafe self.raw = unsafe raw
        guard unsafe zmq_ctx_set(raw, ZMQ_IO_THREADS, CInt(clamping: ioThreads)) == 0 else {
            throw .last("zmq_ctx_set")
        }
    }

    deinit {
        // A signal may end the wait early; only another call ends the context.
        while unsafe zmq_ctx_term(raw) != 0 && zmq_errno() == EINTR {}
    }

    func makeSocket(_ kind: CInt) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        guard let socket = unsafe zmq_socket(raw, kind) else { throw .last("zmq_socket") }
        return unsafe socket
    }
}
