import Notation
import Sessions

/// The sequence numbers of `sync/…`, which go on if a nonce is used again.
///
/// Bounded by `Limits.syncNoncesMax`; the oldest nonce is forgotten and begins anew.
struct SyncNumbers {
    private var seqs: [String: Int] = [:]
    private var ring: [String] = []
    private var oldest = 0

    mutating func next(for nonce: String) -> Int {
        if let seq = seqs[nonce] {
            seqs[nonce] = seq + 1
            return seq + 1
        }
        if ring.count < Limits.syncNoncesMax {
            ring.append(nonce)
        } else {
            seqs[ring[oldest]] = nil
            ring[oldest] = nonce
            oldest = (oldest + 1) % Limits.syncNoncesMax
        }
        seqs[nonce] = 1
        return 1
    }
}

extension Limits {
    /// Nonces of `sync/` whose numbers are remembered.
    static let syncNoncesMax = 4_096
}
