package import Notation

/// The ids that were applied last, so that an event that is sent twice counts once.
///
/// Kept as hashes of 128 bits under a key that no peer knows. Nothing is allocated before the
/// first; beyond `Limits.idsRememberedMax` the oldest is forgotten.
package struct SeenIDs: Hashable, Sendable {
    /// One id at its place in the ring.
    package struct Mark: Hashable, Sendable {
        package var place: Int
        package var hash: UInt128

        package init(place: Int, hash: UInt128) {
            self.place = place
            self.hash = hash
        }
    }

    private var set: Set<UInt128> = []
    /// In order of arrival, as a ring once it is full.
    private var ring: [UInt128] = []
    /// How many ids there were, forgotten ones included.
    package private(set) var total = 0

    package init() {}

    /// The ids of a saved session: `total` and the marks of its ring, in any order. Skips marks
    /// that cannot be of that ring.
    package init(total: Int, marks: [Mark]) {
        for mark in marks.sorted(by: { $0.place < $1.place }) {
            guard mark.place == ring.count, ring.count < min(total, Limits.idsRememberedMax),
                set.insert(mark.hash).inserted
            else { continue }
            ring.append(mark.hash)
        }
        // A ring with a gap begins anew behind its marks.
        self.total = ring.count < Limits.idsRememberedMax ? ring.count : total
    }

    package func contains(_ hash: UInt128) -> Bool { set.contains(hash) }

    package mutating func insert(_ hash: UInt128) {
        guard set.insert(hash).inserted else { return }
        if ring.count < Limits.idsRememberedMax {
            ring.append(hash)
        } else {
            let place = total % Limits.idsRememberedMax
            set.remove(ring[place])
            ring[place] = hash
        }
        total += 1
    }

    /// The remembered ids from the one that came when there had been `total`.
    package func marks(since total: Int) -> [Mark] {
        let first = max(total, self.total - ring.count)
        guard first < self.total else { return [] }
        return (first..<self.total).map {
            let place = $0 % Limits.idsRememberedMax
            return Mark(place: place, hash: ring[place])
        }
    }
}

extension SeenIDs: Codable {
    private enum CodingKeys: String, CodingKey { case total, ring }

    package init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        let total = try table.decode(Int.self, forKey: .total)
        let ring = try table.decode([String].self, forKey: .ring)
        let hashes = ring.compactMap { UInt128($0, radix: 16) }
        guard hashes.count == ring.count, Set(hashes).count == ring.count, total >= ring.count,
            ring.count == min(total, Limits.idsRememberedMax)
        else { throw decoder.error("must be a ring of hashes") }
        self.init()
        self.ring = hashes
        self.total = total
        set = Set(hashes)
    }

    package func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(total, forKey: .total)
        try table.encode(ring.map { String($0, radix: 16) }, forKey: .ring)
    }
}

extension Limits {
    /// Applied ids that a session remembers: minutes of notifications, 100 KiB at the worst.
    package static let idsRememberedMax = 1_024
}
