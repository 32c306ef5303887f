import Notation
import ZeroMQ

/// Chooses the small updates that are counted, each for those since the last one.
///
/// To count each would cost more than to send it. Where the marks of all subscribers allow little
/// memory, none is counted.
struct UpdateSamples {
    /// Bytes of libzmq's entries for one update that waits for all subscribers; 0: they are so few
    /// that nothing is counted.
    private var entryBytes = 0
    /// The updates for which the next one counts, and how many of them are still to come.
    private var weight = Self.period
    private var left = Self.period
    private var noise: UInt32 = 1

    private static let period = 256

    /// Where an update counts, and its bytes.
    struct Count {
        let held: HeldBytes
        let cost: Int
    }

    /// Takes note of the number of subscribers, each of which libzmq keeps `mark` updates for.
    mutating func set(subscribers: Int, mark: Int) {
        let bytes = subscribers * Limits.updateEntryBytes
        entryBytes = bytes * mark > Limits.smallUpdatesBytesMax ? bytes : 0
    }

    /// Where an update with a body of so many bytes counts; nil: nowhere.
    mutating func next(_ bytes: Int, in outbox: Outbox) -> Count? {
        if bytes >= Limits.largeUpdateBytes {
            return Count(held: outbox.largeUpdates, cost: bytes + entryBytes)
        }
        guard entryBytes > 0 else { return nil }
        left -= 1
        guard left <= 0 else { return nil }
        let cost = weight * (bytes + entryBytes)
        // At no regular distance, which updates of many sessions might keep, too.
        noise = noise &* 1_664_525 &+ 1_013_904_223
        weight = Self.period / 2 + Int(noise >> 24)
        left = weight
        return Count(held: outbox.smallUpdates, cost: cost)
    }
}

extension Limits {
    /// Bytes that libzmq takes for an update that waits for a subscriber, whatever its size: two
    /// entries of 64, for its topic and its body.
    static let updateEntryBytes = 128
}
