import CZeroMQ
import Glibc

/// The version of the libzmq that is linked, as `4.3.4`.
package func libraryVersion() -> String {
    var major: CInt = 0
    var minor: CInt = 0
    var patch: CInt = 0
    unsafe zmq_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
}

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
