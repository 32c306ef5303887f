import Notation
import Protocol
import Synchronization
import Threads

/// The subscribers that leave something unread, and the updates that are for each of them.
///
/// libzmq does not tell which updates wait for whom. Updates for others must not count against a
/// subscriber whose connection is slow: so while it is behind, the reactor counts the updates
/// that its prefixes match. While none is behind, this costs a look at one number.
///
/// The guard's thread tells who is behind, and asks for the charges; the reactor counts. The lock
/// guards the state; the compiler cannot check that.
final class LateReaders: @unchecked Sendable {
    /// A connection: the next one of its descriptor has another identity.
    struct Peer: Hashable, Sendable {
        let descriptor: CInt
        let identity: Int
    }

    private let framing: WireFraming
    private let lock = Lock()
    private var wanted: Set<Peer> = []
    /// The connections that are counted for.
    private var counted: [CInt: Int] = [:]
    private var charges = PrefixCharges()
    /// Whether the choice is to be made again, and when it was made.
    private var isStale = false
    private var chosen = 0
    private let isAnyLate = Atomic<Bool>(false)

    /// Whether some subscriber is behind, or is counted for. Otherwise the reactor has nothing to
    /// tell and nothing to count.
    var areAny: Bool { isAnyLate.load(ordering: .relaxed) }

    init(_ framing: WireFraming = WireFraming()) { self.framing = framing }

    // MARK: The guard's thread

    /// Sets who is behind.
    func set(_ peers: Set<Peer>) {
        lock.withLock {
            guard peers != wanted else { return }
            wanted = peers
            isStale = true
            isAnyLate.store(true, ordering: .relaxed)
        }
    }

    /// The updates that were sent for a connection, beside those before it was counted for; nil:
    /// it is not counted for.
    func charge(of peer: Peer) -> UpdateCharge? {
        guard areAny else { return nil }
        return lock.withLock {
            counted[peer.descriptor] == peer.identity ? charges.charge(of: peer.descriptor) : nil
        }
    }

    // MARK: The reactor

    /// Takes note of connections whose subscriptions have changed, and of those that are behind.
    /// `keys` tells those of a descriptor's prefixes; nil: they are unknown.
    func refresh(changed: Set<CInt>, at now: Int, keys: (CInt) -> Set<String>?) {
        lock.withLock {
            for descriptor in changed where counted[descriptor] != nil {
                charges.doubt(descriptor)
                isStale = true
            }
            guard isStale, now - chosen >= Limits.lateReadersChoiceNanoseconds else { return }
            chosen = now
            isStale = false
            charges.choose(wanted.map { ($0.descriptor, keys($0.descriptor)) })
            counted = Dictionary(
                wanted.map { ($0.descriptor, $0.identity) }, uniquingKeysWith: { $1 })
            isAnyLate.store(!wanted.isEmpty, ordering: .relaxed)
        }
    }

    /// Counts the updates that are about to be sent.
    func count(_ chunk: Chunk) {
        lock.withLock {
            guard !charges.isEmpty else { return }
            for record in chunk.records {
                guard case .update(let topicEnd, _, _) = record.content else { continue }
                let body = framing.bytes(ofFrame: record.range.upperBound - topicEnd)
                let topic = framing.bytes(ofFrame: topicEnd - record.range.lowerBound)
                unsafe chunk.bytes.withUnsafeBytes(record.range.lowerBound..<topicEnd) {
                    let bytes = unsafe $0.bindMemory(to: UInt8.self)
                    charges.count(topic: unsafe bytes.span, bytes: topic + body)
                }
            }
        }
    }
}

extension Limits {
    /// Nanoseconds after which it may be chosen again for whom updates are counted: subscribers
    /// that come to be behind, or change their subscriptions, all the time cost little.
    static let lateReadersChoiceNanoseconds = 50_000_000
}
