import CSystem
import Notation
import Protocol
import Sessions
import Synchronization
import Threads
import ZeroMQ

/// Encoded messages on their way to the sockets.
///
/// A lane or the store writes it, the outbox owns it, the reactor reads it, and it is reused. It
/// has one owner at a time and changes hands under the outbox's lock; the compiler cannot check
/// that.
final class Chunk: @unchecked Sendable {
    /// One message's place in the bytes. It is numbers alone, for most are updates, and thousands
    /// of them are written, read and dropped in a round.
    struct Record {
        enum Content {
            /// The body begins where the topic ends. `tellsMove`: it says that a session has gone
            /// to another member, which is true even when this one is lost. `touchesBytes`: so many
            /// bytes before the last one tell the contacts in a frame, which some may not read.
            case update(topicEnd: Int, tellsMove: Bool, touchesBytes: UInt32)
            /// With its place among ``Chunk/others``.
            case other(Int)
        }

        var content: Content
        var range: Range<Int>

        /// Whether only the sessions' owner may send it.
        var isOwners: Bool {
            switch content {
            case .update(_, let tellsMove, _): !tellsMove
            case .other: false
            }
        }
    }

    enum Other {
        case reply(Envelope)
        /// A rejection without an open session: the reactor numbers and writes it.
        case nowhere(RejectionReport)
        /// A barrier that has passed all lanes.
        case barrier(Barrier)
    }

    var bytes = ByteBuffer(capacity: Limits.chunkBytes + 16 * 1024)
    private(set) var records: [Record] = []
    /// Bytes of the updates in it.
    private(set) var updateBytes = 0
    /// Messages that are no updates, as records name them.
    private(set) var others: [Other] = []
    var updateCount: Int { records.count - others.count }
    /// When the frames of motion in it were due, on the monotonic clock.
    var frameDues: [Int] = []

    /// Ends an update that begins at `start`.
    func endUpdate(from start: Int, topicEnd: Int, tellsMove: Bool, touchesBytes: Int = 0) {
        records.append(
            Record(
                content: .update(
                    topicEnd: topicEnd, tellsMove: tellsMove, touchesBytes: UInt32(touchesBytes)),
                range: start..<bytes.count))
        updateBytes += bytes.count - start
    }

    /// Ends what is no update, and begins at `start`.
    func end(_ other: Other, from start: Int) {
        records.append(Record(content: .other(others.count), range: start..<bytes.count))
        others.append(other)
    }

    /// Leaves out what only the sessions' owner may send.
    func dropOwners() { records.removeAll(where: \.isOwners) }

    func removeAll() {
        bytes.removeAll()
        updateBytes = 0
        others.removeAll(keepingCapacity: true)
        frameDues.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
    }
}

/// Encoded messages from lanes and store to the reactor, and empty chunks on their way back.
///
/// Bounded by `Limits.outboxBytesMax`: lanes look at `isFull` before they encode what can wait.
/// The lock guards the state; the compiler cannot check that.
final class Outbox: @unchecked Sendable {
    private struct State {
        var waiting = Contents()
        var spare: [Chunk] = []
        /// Whether the reactor is awake already, or will be.
        var isWakeupPending = false
    }

    private var state = State()
    private let lock = Lock()
    private let bytesWaiting = Atomic<Int>(0)
    /// The bytes that the reactor sends in `Limits.outboxMillisecondsMax`, by what it sent last.
    private let bytesInTime = Atomic<Int>(Limits.outboxBytesMax)
    /// The bytes of large updates that libzmq holds for subscribers.
    let largeUpdates = HeldBytes()
    /// About the bytes of small updates that it holds, with its entries of each, where subscribers
    /// are many.
    let smallUpdates = HeldBytes()
    /// Bytes of replies that wait for their peers.
    let replies = HeldBytes()
    /// Bytes of large events that wait for other members of the cluster.
    let passedOn = HeldBytes()
    /// The spacing that ``Restraint`` has decided.
    let publishSpacing = Atomic<Int>(1)
    /// The spacing of sessions with large updates, which ``LargeRestraint`` has decided.
    let largeSpacing = Atomic<Int>(1)
    /// The number of updates that were sent. The reactor adds to it.
    let updatesSent = Atomic<Int>(0)
    /// The peers that the reactor could not answer.
    let unreachable = UnreachablePeers()
    /// Readable while something waits.
    let descriptor: CInt

    init() throws(StartError) {
        descriptor = gs_eventfd_open()
        guard descriptor >= 0 else { throw StartError("cannot open an eventfd") }
    }

    /// Bytes that wait to be sent.
    var bytes: Int { bytesWaiting.load(ordering: .relaxed) }

    /// Bytes of all that waits to be sent, here or in libzmq, as far as it is counted.
    var allBytes: Int {
        bytes + largeUpdates.count + smallUpdates.count + replies.count + passedOn.count
    }

    var isFull: Bool { bytes >= Limits.outboxBytesMax }

    /// Whether what waits takes the reactor so long that sessions with very many subscribers
    /// should add nothing.
    var isSlow: Bool { bytes >= bytesInTime.load(ordering: .relaxed) }

    /// Notes how long the reactor took to send so many bytes. Called by the reactor.
    func noteSent(bytes: Int, nanoseconds: Int) {
        // Few say little.
        guard bytes >= Limits.chunkBytes / 4 else { return }
        let now = bytes * Limits.outboxMillisecondsMax * 1_000_000 / max(1, nanoseconds)
        let former = bytesInTime.load(ordering: .relaxed)
        let mean = (3 * former + min(now, Limits.outboxBytesMax)) / 4
        bytesInTime.store(max(mean, Limits.chunkBytes), ordering: .relaxed)
    }

    /// Whether sessions with very many subscribers are to publish less than they could.
    var restrains: Bool { isSlow || publishSpacing.load(ordering: .relaxed) > 1 }

    /// Whether subscribers leave so many bytes of large updates unread that no more should come of
    /// sessions whose updates are large.
    var hasManyLarge: Bool { largeUpdates.count >= Limits.largeUpdatesBytesMax }

    /// Whether they leave so many that none should come of any session: it may have become large.
    var hasTooManyLarge: Bool { largeUpdates.count >= 2 * Limits.largeUpdatesBytesMax }

    /// An empty chunk, a used one if there is one.
    func chunk() -> Chunk { lock.withLock { state.spare.popLast() } ?? Chunk() }

    /// Hands a chunk to the reactor. `completion` runs on the reactor once everything posted until
    /// then is sent.
    func post(_ chunk: Chunk?, completion: (@Sendable () -> Void)? = nil) {
        if let chunk { bytesWaiting.wrappingAdd(chunk.bytes.count, ordering: .relaxed) }
        let hasToWake = lock.withLock {
            if let chunk { state.waiting.chunks.append(chunk) }
            if let completion { state.waiting.completions.append(completion) }
            defer { state.isWakeupPending = true }
            return !state.isWakeupPending
        }
        if hasToWake { wake() }
    }

    /// Saves wake-ups until the next exchange, which follows in a moment. Called by the reactor.
    func suppressWakeup() { lock.withLock { state.isWakeupPending = true } }

    func wake() { gs_eventfd_signal(descriptor) }

    /// The posted chunks and completions, in their order.
    struct Contents {
        var chunks: [Chunk] = []
        var completions: [@Sendable () -> Void] = []

        /// Keeps the memory of a usual round, and gives back the rest.
        mutating func removeAll() {
            chunks.removeAll(keepingCapacity: chunks.capacity <= 4 * Limits.spareChunksMax)
            completions.removeAll(
                keepingCapacity: completions.capacity <= 4 * Limits.spareChunksMax)
        }
    }

    /// Clears the wake-up. Clear it before the exchange, or a wake-up is lost. Called by the
    /// reactor.
    func clearWakeup() { gs_eventfd_clear(descriptor) }

    /// Exchanges everything that waits for what is empty. Called by the reactor.
    func exchange(with contents: inout Contents) {
        precondition(
            contents.chunks.isEmpty && contents.completions.isEmpty,
            "exchanged again before its contents are sent")
        lock.withLock {
            swap(&state.waiting, &contents)
            state.isWakeupPending = false
        }
    }

    /// Takes a sent chunk back for reuse.
    func recycle(_ chunk: Chunk) {
        bytesWaiting.wrappingSubtract(chunk.bytes.count, ordering: .relaxed)
        // One that had to grow far goes back to the system instead.
        guard chunk.bytes.count <= 2 * Limits.chunkBytes else { return }
        chunk.removeAll()
        lock.withLock {
            if state.spare.count < Limits.spareChunksMax { state.spare.append(chunk) }
        }
    }

    /// Frees the chunks that are kept for reuse.
    func freeSpares() {
        var chunks: [Chunk] = []
        lock.lock()
        swap(&state.spare, &chunks)
        // They are freed when the lock is open again.
        withExtendedLifetime(chunks) { lock.unlock() }
    }
}

extension Limits {
    /// Bytes that wait to be sent; beyond it states and badges are held back.
    static let outboxBytesMax = 16 * 1024 * 1024
    /// Milliseconds that the reactor may take to send what waits; beyond it states and badges of
    /// sessions with very many subscribers are held back, since a message for each takes the time.
    static let outboxMillisecondsMax = 25
    /// Bytes of a body from which on an update is large: it counts until all its subscribers have
    /// it. ZeroMQ bounds how many smaller ones wait.
    static let largeUpdateBytes = 4 * 1024
    /// Bytes of large updates that wait for subscribers; beyond it the sessions whose updates are
    /// large publish no states, frames and badges.
    static let largeUpdatesBytesMax = 96 * 1024 * 1024
    /// Bytes after which a lane hands over what it has encoded: sending and encoding overlap.
    static let chunkBytes = 64 * 1024
    /// Emptied buffers that are kept for reuse until a surge has ended. With their lists they have
    /// 10 MiB where replies are small.
    static let spareChunksMax = 64
}
