// ZeroMQ: the only calls of libzmq. It knows no topics and no JSON.
//
// A `Context` owns libzmq's threads. A `Socket` belongs to one thread; it cannot be copied, so
// it cannot be shared. `Message` is one frame and is reused for the next one. `Poller` waits for
// sockets and plain descriptors together. Errors are values of `ZeroMQError`, read at once after
// the call.
//
// Only what libzmq can do belongs here. A socket's silence rests on one rule, which `Poller`
// states: keep it when you add a call.

import CZeroMQ
import Glibc

/// libzmq's I/O threads and all that its sockets share. Any thread may use it.
///
/// Every socket retains its context, so it ends when the last of both is gone. The end waits for
/// sent messages, at most as long as the sockets linger.
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

    /// Signals never come to libzmq's threads. It sees to that itself, but in the threads, once
    /// they run: until then a signal that this process expects elsewhere would end it there. So
    /// the threads begin without signals, as the one does that makes the first socket.
    func makeSocket(_ kind: CInt) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        var (all, former) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        guard let socket = unsafe zmq_socket(raw, kind) else { throw .last("zmq_socket") }
        return unsafe socket
    }
}
