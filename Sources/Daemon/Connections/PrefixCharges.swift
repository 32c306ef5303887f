import Notation

/// Updates, by their bytes on the wire and their number.
struct UpdateCharge: Equatable, Sendable {
    var bytes = 0
    var updates = 0

    static func + (one: Self, other: Self) -> Self {
        Self(bytes: one.bytes + other.bytes, updates: one.updates + other.updates)
    }

    static func - (one: Self, other: Self) -> Self {
        Self(bytes: one.bytes - other.bytes, updates: one.updates - other.updates)
    }
}

/// Counts for each of some subscribers the updates that its prefixes match.
///
/// The prefixes of all of them stand in the order of their bytes. Each knows the longest other one
/// that it begins with: so an update finds all that it matches by one search, however many they
/// are. A subscriber's charge only grows, from one choice of subscribers to the next, too.
struct PrefixCharges {
    private struct Prefix {
        let bytes: [UInt8]
        /// The place of the longest other one that this one begins with; -1: there is none.
        let parent: Int
        var charge = UpdateCharge()
    }

    private struct Reader {
        /// Its charge without what its prefixes have counted.
        var base: UpdateCharge
        /// The places of its prefixes of which no other one of its own is the beginning, so that
        /// an update matches one of them at most; nil: it is charged with all updates.
        var places: [Int]?
        /// All updates, when its charge was `base`.
        var totalBefore: UpdateCharge
    }

    private var prefixes: [Prefix] = []
    private var readers: [CInt: Reader] = [:]
    private var total = UpdateCharge()

    var isEmpty: Bool { readers.isEmpty }

    /// Chooses the subscribers, by descriptor, with the keys of their prefixes. Nil: what it wants
    /// is unknown, and it is charged with all updates.
    mutating func choose(_ wanted: [(descriptor: CInt, keys: Set<String>?)]) {
        let former = Dictionary(
            uniqueKeysWithValues: readers.keys.map { ($0, charge(of: $0) ?? total) })
        // Those of few prefixes come first: one that wants very many takes no room from them.
        var left = Limits.chargedPrefixesMax
        var chosen: [(descriptor: CInt, prefixes: [[UInt8]]?)] = []
        for one in wanted.sorted(by: { ($0.keys?.count ?? 0) < ($1.keys?.count ?? 0) }) {
            guard let keys = one.keys, keys.count <= left else {
                chosen.append((one.descriptor, nil))
                continue
            }
            left -= keys.count
            chosen.append((one.descriptor, Self.shortest(keys.map(SubscriptionBook.bytes))))
        }
        let places = setPrefixes(Set(chosen.flatMap { $0.prefixes ?? [] }))
        readers.removeAll(keepingCapacity: true)
        for one in chosen {
            readers[one.descriptor] = Reader(
                base: former[one.descriptor] ?? total,
                places: one.prefixes.map { $0.compactMap { places[$0] } }, totalBefore: total)
        }
    }

    /// Has a subscriber pay for all updates until the next choice: what it wants has changed.
    mutating func doubt(_ descriptor: CInt) {
        guard let charge = charge(of: descriptor) else { return }
        readers[descriptor] = Reader(base: charge, places: nil, totalBefore: total)
    }

    /// Counts an update.
    mutating func count(topic: Span<UInt8>, bytes: Int) {
        let charge = UpdateCharge(bytes: bytes, updates: 1)
        total = total + charge
        // All prefixes between one that the topic begins with and the topic begin with that one.
        var place = end(of: topic) - 1
        while place >= 0 {
            if Self.begins(topic, with: prefixes[place].bytes) {
                prefixes[place].charge = prefixes[place].charge + charge
            }
            place = prefixes[place].parent
        }
    }

    /// A subscriber's charge; nil: it is not among the chosen.
    func charge(of descriptor: CInt) -> UpdateCharge? {
        guard let reader = readers[descriptor] else { return nil }
        guard let places = reader.places else {
            return reader.base + (total - reader.totalBefore)
        }
        return places.reduce(reader.base) { $0 + prefixes[$1].charge }
    }

    /// Sets the prefixes, and returns their places.
    private mutating func setPrefixes(_ wanted: Set<[UInt8]>) -> [[UInt8]: Int] {
        prefixes.removeAll(keepingCapacity: true)
        var places: [[UInt8]: Int] = [:]
        for bytes in wanted.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            var parent = prefixes.count - 1
            while parent >= 0, !bytes.starts(with: prefixes[parent].bytes) {
                parent = prefixes[parent].parent
            }
            places[bytes] = prefixes.count
            prefixes.append(Prefix(bytes: bytes, parent: parent))
        }
        return places
    }

    /// Those of which no other one is the beginning.
    private static func shortest(_ prefixes: [[UInt8]]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for prefix in prefixes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if let last = found.last, prefix.starts(with: last) { continue }
            found.append(prefix)
        }
        return found
    }

    /// The number of prefixes that are not behind a topic.
    private func end(of topic: Span<UInt8>) -> Int {
        var (low, high) = (0, prefixes.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.isBehind(prefixes[middle].bytes, topic) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    private static func isBehind(_ prefix: [UInt8], _ topic: Span<UInt8>) -> Bool {
        let prefix = prefix.span
        for place in 0..<min(prefix.count, topic.count) where prefix[place] != topic[place] {
            return prefix[place] > topic[place]
        }
        return prefix.count > topic.count
    }

    private static func begins(_ topic: Span<UInt8>, with prefix: [UInt8]) -> Bool {
        let prefix = prefix.span
        guard prefix.count <= topic.count else { return false }
        for place in 0..<prefix.count where prefix[place] != topic[place] { return false }
        return true
    }
}

extension Limits {
    /// Prefixes of all subscribers that are behind, by which updates are counted for each. To
    /// choose them takes a millisecond or two. A subscriber for which there is no room is charged
    /// with all updates.
    static let chargedPrefixesMax = 2_048
}
