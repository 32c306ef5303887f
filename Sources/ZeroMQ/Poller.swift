import CZeroMQ
import Glibc

/// What can be waited for, or has come.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: Int16(ZMQ_POLLIN))
    package static let writable = Readiness(rawValue: Int16(ZMQ_POLLOUT))
    /// Of plain descriptors only: an error or the other end's hang-up. It need not be asked for.
    package static let failed = Readiness(rawValue: Int16(ZMQ_POLLERR))
}

/// Waits for many sockets and plain descriptors at once, on the thread that owns the sockets.
///
/// It keeps the sockets it watches alive; descriptors it does not own.
@safe package struct Poller: ~Copyable {
    private var items: [zmq_pollitem_t]
    private var handles: [SocketHandle] = []

    package init() { unsafe items = [] }

    /// Returns the place by which the socket is asked for from now on: 0, 1, 2 …
    @discardableResult
    package mutating func watch(
        _ socket: borrowing Socket, for readiness: Readiness = .readable
    ) -> Int {
        handles.append(socket.handle)
        unsafe items.append(
            zmq_pollitem_t(
                socket: socket.handle.raw, fd: 0, events: readiness.rawValue, revents: 0))
        return unsafe items.count - 1
    }

    /// The same for an eventfd, a signalfd, standard input …
    @discardableResult
    package mutating func watch(
        descriptor: CInt, for readiness: Readiness = .readable
    ) -> Int {
        unsafe items.append(
            zmq_pollitem_t(socket: nil, fd: descriptor, events: readiness.rawValue, revents: 0))
        return unsafe items.count - 1
    }

    /// Changes what a place waits for; nothing (`[]`) lets it rest.
    package mutating func setInterest(_ readiness: Readiness, at place: Int) {
        unsafe items[place].events = readiness.rawValue
        unsafe items[place].revents = 0
    }

    /// What the last `wait` found there.
    package func ready(at place: Int) -> Readiness {
        unsafe Readiness(rawValue: items[place].revents)
    }

    /// Waits until a place is ready, at most so long; −1 is for ever, 0 only looks.
    ///
    /// Returns how many places are ready. A signal that interrupts it does not end the wait.
    @discardableResult
    package mutating func wait(milliseconds: Int) throws(ZeroMQError) -> Int {
        let deadline = milliseconds > 0 ? Self.now() + milliseconds : 0
        var rest = milliseconds
        while true {
            // The mutable pass makes the array unique, so C may write through the pointer.
            let count = unsafe items.withUnsafeMutableBufferPointer {
                unsafe zmq_poll($0.baseAddress, CInt($0.count), rest)
            }
            if count >= 0 { return Int(count) }
            let code = zmq_errno()
            guard code == EINTR else { throw ZeroMQError("zmq_poll", code: code) }
            if milliseconds > 0 { rest = max(0, deadline - Self.now()) }
        }
    }

    private static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
