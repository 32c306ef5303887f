import Glibc
import Notation
import Synchronization

/// Bytes of each connection that the reactor knows of, by descriptor: of replies to it and of its
/// subscriptions, or of its messages.
///
/// Beside a handshake, whatever else passes over a connection is no progress (``SignsOfLife``), or
/// a message that is not at its end (``UnfinishedMessages``). The reactor adds, before a reply is
/// sent and when a message was read; the guard's thread reads. The numbers only grow: the next
/// connection of a descriptor goes on from there.
@safe final class AccountedBytes: Sendable {
    private nonisolated(unsafe) let bytes: UnsafeMutablePointer<Atomic<Int>>

    init() {
        // A page of it is memory only once it is used. Zeros are a valid `Atomic<Int>`.
        guard
            let memory = unsafe calloc(
                Limits.accountedDescriptorsMax, MemoryLayout<Atomic<Int>>.stride)
        else { preconditionFailure("out of memory") }
        unsafe bytes = memory.assumingMemoryBound(to: Atomic<Int>.self)
    }

    deinit { unsafe free(bytes) }

    /// Adds to the bytes of a connection. One thread calls it.
    func add(_ count: Int, on descriptor: CInt) {
        guard descriptor >= 0, descriptor < Limits.accountedDescriptorsMax else { return }
        let place = Int(descriptor)
        // Alone to write, it needs no addition in one step.
        let sum = unsafe bytes[place].load(ordering: .relaxed) &+ count
        unsafe bytes[place].store(sum, ordering: .releasing)
    }

    /// The bytes of a descriptor's connections; nil: it is beyond those that are counted.
    func count(of descriptor: CInt) -> Int? {
        guard descriptor >= 0, descriptor < Limits.accountedDescriptorsMax else { return nil }
        return unsafe bytes[Int(descriptor)].load(ordering: .acquiring)
    }
}

/// All bytes of connections that the reactor knows of.
final class ConnectionBytes: Sendable {
    /// Replies and subscriptions, and a little more than these have.
    let accounted = AccountedBytes()
    /// Messages of events and requests that were read.
    let read = AccountedBytes()
    /// Replies alone, as they are on the wire.
    let replied = AccountedBytes()
    /// Times that the sockets of updates were found empty: all subscriptions have been read.
    let subscriptionsEmptied = Atomic<Int>(0)
    /// Whether each event is asked for its connection; the guard decides it.
    let isExact = Atomic<Bool>(false)
}

extension Limits {
    /// Descriptors whose bytes are counted: more than a process usually may have.
    static let accountedDescriptorsMax = 128 * 1024
    /// Bytes beside a reply's own, at most: the heads of its frames and an empty one, encrypted.
    static let replyFramingBytes = 96
    /// Bytes of a subscription beside its prefix, at most: its head and the name of the command.
    static let subscriptionFramingBytes = 16
}
