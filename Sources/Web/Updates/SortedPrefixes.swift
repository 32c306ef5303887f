/// The prefixes of one client in the order of their bytes, where all that begin alike stand one
/// behind the other. So no question looks at each of them.
struct SortedPrefixes: Sendable {
    private(set) var all: [[UInt8]] = []

    var isEmpty: Bool { all.isEmpty }

    func contains(_ prefix: [UInt8]) -> Bool {
        let place = place(of: prefix)
        return place < all.count && all[place] == prefix
    }

    /// Returns false if it is there already.
    mutating func insert(_ prefix: [UInt8]) -> Bool {
        let place = place(of: prefix)
        if place < all.count, all[place] == prefix { return false }
        all.insert(prefix, at: place)
        return true
    }

    /// Returns false if it is not there.
    mutating func remove(_ prefix: [UInt8]) -> Bool {
        let place = place(of: prefix)
        guard place < all.count, all[place] == prefix else { return false }
        all.remove(at: place)
        return true
    }

    /// Takes out those that begin with a prefix, and returns them.
    mutating func removeAll(beginningWith prefix: [UInt8]) -> [[UInt8]] {
        let range = place(of: prefix)..<end(of: prefix)
        guard !range.isEmpty else { return [] }
        let taken = Array(all[range])
        all.removeSubrange(range)
        return taken
    }

    /// Whether one of them begins a text, where none of them begins another one: then it is the
    /// last one that is not behind the text.
    func aloneCovers(_ text: [UInt8]) -> Bool {
        let place = place(of: text)
        if place < all.count, all[place] == text { return true }
        return place > 0 && text.starts(with: all[place - 1])
    }

    /// Those that begin with a prefix, and of which no other one of these is the beginning.
    func shortest(beginningWith prefix: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var place = place(of: prefix)
        let end = end(of: prefix)
        while place < end {
            found.append(all[place])
            place = self.end(of: all[place])
        }
        return found
    }

    /// The first place whose prefix is not before a text.
    private func place(of text: [UInt8]) -> Int {
        first { Self.order($0, text) >= 0 }
    }

    /// The first place behind all that begin with a text.
    private func end(of text: [UInt8]) -> Int {
        first { Self.order($0, text, atMost: text.count) > 0 }
    }

    /// The first place from which on something is true of all.
    private func first(where isBehind: ([UInt8]) -> Bool) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(all[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Compares bytes, so many of them at most: below 0 where the first ones come before.
    private static func order(_ one: [UInt8], _ other: [UInt8], atMost max: Int = .max) -> Int {
        let (one, other) = (one.span, other.span)
        let counts = (min(one.count, max), min(other.count, max))
        for place in 0..<min(counts.0, counts.1) where one[place] != other[place] {
            return one[place] < other[place] ? -1 : 1
        }
        return counts.0 - counts.1
    }
}
