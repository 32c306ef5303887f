import CZeroMQ
import Glibc

/// The states that a poller waits for, or has found.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: Int16(ZMQ_POLLIN))
    package static let writable = Readiness(rawValue: Int16(ZMQ_POLLOUT))
    /// An error or the other end's hang-up, for plain descriptors only. It need not be asked for.
    package static let failed = Readiness(rawValue: Int16(ZMQ_POLLERR))
}

/// Waits for many sockets and plain descriptors at once, on the thread that owns the sockets.
///
/// It keeps its sockets alive; it does not own descriptors. Unlike `zmq_poll`, it asks a drained
/// socket only once its descriptor signals: libzmq's answer costs two system calls, and `zmq_poll`
/// asks each socket twice.
@safe package struct Poller: ~Copyable {
    private struct Item {
        /// Nil for a plain descriptor.
        var handle: SocketHandle?
        var interest: Readiness
        var found: Readiness = []
    }

    private var items: [Item] = []
    /// The same places, in the system's form.
    private var descriptors: [pollfd] = []

    package init() {}

    /// Returns the socket's place, for later calls: 0, 1, 2 …
    @discardableResult
    package mutating func watch(
        _ socket: borrowing Socket, for readiness: Readiness = .readable
    ) -> Int {
        descriptors.append(pollfd(fd: socket.handle.descriptor, events: 0, revents: 0))
        items.append(Item(handle: socket.handle, interest: readiness))
        setInterest(readiness, at: items.count - 1)
        return items.count - 1
    }

    /// Watches an eventfd, a signalfd, standard input …; returns its place.
    @discardableResult
    package mutating func watch(
        descriptor: CInt, for readiness: Readiness = .readable
    ) -> Int {
        descriptors.append(pollfd(fd: descriptor, events: 0, revents: 0))
        items.append(Item(handle: nil, interest: readiness))
        setInterest(readiness, at: items.count - 1)
        return items.count - 1
    }

    /// The number of places.
    package var count: Int { items.count }

    /// Forgets the places from one on; the sockets there may close.
    package mutating func forget(from place: Int) {
        items.removeSubrange(place...)
        descriptors.removeSubrange(place...)
    }

    /// Changes what a place waits for; with `[]` it is left out.
    package mutating func setInterest(_ readiness: Readiness, at place: Int) {
        items[place].interest = readiness
        items[place].found = []
        if items[place].handle == nil {
            descriptors[place].events = readiness.systemEvents
        } else {
            // A socket's descriptor signals only by being readable, whatever has come.
            descriptors[place].events = readiness.isEmpty ? 0 : Int16(POLLIN)
        }
    }

    /// The result of the last `wait` at a place.
    package func ready(at place: Int) -> Readiness { items[place].found }

    /// Waits until a place is ready, at most so long; −1 is for ever, 0 returns at once.
    ///
    /// Returns how many places are ready. A signal that interrupts it does not end the wait.
    @discardableResult
    package mutating func wait(milliseconds: Int) throws(ZeroMQError) -> Int {
        let deadline = milliseconds > 0 ? Self.now() + milliseconds : 0
        var rest = milliseconds
        while true {
            let isAnyReady = try askSockets()
            let told = try poll(milliseconds: isAnyReady ? 0 : rest)
            for place in items.indices { try see(place) }
            let count = items.count { !$0.found.isEmpty }
            if count > 0 || milliseconds == 0 { return count }
            if milliseconds > 0 { rest = max(0, deadline - Self.now()) }
            if told == 0, rest == 0 { return 0 }
        }
    }

    /// Asks the sockets that may have something without a signal of their descriptor.
    private mutating func askSockets() throws(ZeroMQError) -> Bool {
        var isAnyReady = false
        for place in items.indices {
            items[place].found = []
            guard let handle = items[place].handle, !items[place].interest.isEmpty,
                !handle.isDrained || items[place].interest.contains(.writable)
            else { continue }
            items[place].found = try handle.readiness().intersection(items[place].interest)
            if !items[place].found.isEmpty { isAnyReady = true }
        }
        return isAnyReady
    }

    /// Returns how many descriptors signalled; none where a signal interrupted it.
    private mutating func poll(milliseconds: Int) throws(ZeroMQError) -> Int {
        // The mutable pass makes the array unique, so C may write through the pointer.
        let count = unsafe descriptors.withUnsafeMutableBufferPointer {
            unsafe Glibc.poll(
                $0.baseAddress, nfds_t($0.count), CInt(clamping: milliseconds))
        }
        if count >= 0 { return Int(count) }
        for place in descriptors.indices { descriptors[place].revents = 0 }
        guard errno == EINTR else { throw ZeroMQError("poll", code: errno) }
        return -1
    }

    /// Records the system's answer for a place.
    private mutating func see(_ place: Int) throws(ZeroMQError) {
        let events = descriptors[place].revents
        guard events != 0 else { return }
        if let handle = items[place].handle {
            // The socket was asked already.
            guard items[place].found.isEmpty, !items[place].interest.isEmpty else { return }
            items[place].found = try handle.readiness().intersection(items[place].interest)
        } else {
            items[place].found = Readiness(systemEvents: events)
        }
    }

    private static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}

extension Readiness {
    fileprivate var systemEvents: Int16 {
        (contains(.readable) ? Int16(POLLIN) : 0) | (contains(.writable) ? Int16(POLLOUT) : 0)
    }

    fileprivate init(systemEvents events: Int16) {
        self = []
        if events & Int16(POLLIN) != 0 { insert(.readable) }
        if events & Int16(POLLOUT) != 0 { insert(.writable) }
        if events & ~Int16(POLLIN | POLLOUT) != 0 { insert(.failed) }
    }
}
