import Notation
import Synchronization
import Threads
import ZeroMQ

/// The reactor's reading from its peers, for the thread that watches their connections.
///
/// The reactor adds once a round. Only while an unfinished message is looked for does it also note
/// whose messages come. The lock guards the set; the compiler cannot check that.
final class PeerTraffic: @unchecked Sendable {
    /// Whether the TCP endpoints speak CURVE.
    let isEncrypted: Bool
    /// The events that a person taps.
    let tap: TapLog
    /// Bytes of events and requests that the reactor has read, with the heads of their frames.
    let bytes = Atomic<Int>(0)
    /// Those of events alone.
    let eventBytes = Atomic<Int>(0)
    /// Decides which peers may connect.
    let admission = Admission()
    /// The bytes of each connection that the reactor knows of.
    let connections = ConnectionBytes()
    /// Messages of events that were read from the SUB and from the PULL, and of requests; each time
    /// a socket was found empty counts as very many.
    let events = Atomic<Int>(0)
    let pushes = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
    /// Bytes of updates that the reactor has sent.
    let updateBytes = Atomic<Int>(0)
    /// The subscribers that leave something unread.
    let lateReaders: LateReaders
    /// Rounds that the reactor has begun.
    let rounds = Atomic<Int>(0)
    /// Whether the connections that complete messages are noted.
    let isAuditing = Atomic<Bool>(false)
    private var noted = Noted()
    private let lock = Lock()

    /// Used under the lock alone.
    private struct Noted {
        var senders: Set<CInt> = []
        var listing = Listing()
    }

    /// The connections at the guard's last look at all descriptors.
    struct Listing: Sendable {
        var samples: [ConnectionJudge.Sample] = []
        /// All that are open, and some that are not.
        var descriptors: [CInt] = []
    }

    /// Called by the guard's thread, some times a second.
    func set(_ listing: Listing) { lock.withLock { noted.listing = listing } }

    var lastListing: Listing { lock.withLock { noted.listing } }

    /// The progress that an empty socket counts for: all complete messages have been read.
    static let emptied = 1_000_000

    init(isEncrypted: Bool = false, tap: TapLog = TapLog()) {
        self.isEncrypted = isEncrypted
        self.tap = tap
        lateReaders = LateReaders(WireFraming(isEncrypted: isEncrypted))
    }

    /// Adds to the messages of events that were read from a socket. Called by the reactor.
    func addEvents(_ count: Int, from source: EventSource) {
        switch source {
        case .events: events.wrappingAdd(count, ordering: .relaxed)
        case .pushes: pushes.wrappingAdd(count, ordering: .relaxed)
        }
    }

    /// Notes that a message came over a descriptor. Called by the reactor while it is auditing.
    func note(_ descriptor: CInt) { lock.withLock { _ = noted.senders.insert(descriptor) } }

    /// The descriptors that were noted since the last call.
    func takeSenders() -> Set<CInt> {
        lock.withLock {
            defer { noted.senders.removeAll(keepingCapacity: true) }
            return noted.senders
        }
    }

    /// Bytes of a frame on the wire. CURVE wraps each into a message of its own.
    func bytes(of frame: borrowing Message) -> Int {
        bytes(ofFrame: frame.count)
    }

    /// The same of a frame with so many bytes.
    func bytes(ofFrame count: Int) -> Int {
        WireFraming(isEncrypted: isEncrypted).bytes(ofFrame: count)
    }
}

/// The size of frames on the wire.
struct WireFraming: Sendable {
    /// Whether CURVE wraps each frame into a message of its own.
    var isEncrypted = false

    /// The bytes of a frame with so many bytes of content.
    func bytes(ofFrame count: Int) -> Int {
        let sealed = count + (isEncrypted ? Limits.curveFrameBytes : 0)
        return sealed + (sealed > 255 ? 9 : 2)
    }
}

extension Limits {
    /// Bytes that CURVE adds to a frame: a name of 8, a nonce of 8, the flags, and 16 that seal it.
    static let curveFrameBytes = 33
}
