import Notation
import Synchronization

/// Peers whose last answer found nobody: what they alone would have read is not worked out.
///
/// The reactor writes it, lanes read it. Bounded by `Limits.unreachablePeersMax`: beyond it all are
/// forgotten, and their requests are worked out for nobody.
final class UnreachablePeers: Sendable {
    private let identities = Mutex<Set<[UInt8]>>([])
    /// Most of the time there is none, and nobody takes the lock.
    private let count = Atomic<Int>(0)

    /// An answer to a peer found nobody.
    func insert(_ identity: [UInt8]) {
        identities.withLock { identities in
            if identities.count >= Limits.unreachablePeersMax { identities.removeAll() }
            identities.insert(identity)
            count.store(identities.count, ordering: .relaxed)
        }
    }

    /// A peer asks, so it is there, perhaps again.
    func remove(_ identity: @autoclosure () -> [UInt8]) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        let identity = identity()
        identities.withLock { identities in
            identities.remove(identity)
            count.store(identities.count, ordering: .relaxed)
        }
    }

    func contains(_ identity: [UInt8]) -> Bool {
        count.load(ordering: .relaxed) > 0 && identities.withLock { $0.contains(identity) }
    }
}

extension Limits {
    /// Peers that are known to be gone: each may have left requests on every lane.
    static let unreachablePeersMax = 1_024
}
