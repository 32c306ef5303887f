import Notation

/// The number of unseen things of each kind, in byte order of the kinds.
package struct BadgeCounts: Hashable, Sendable {
    package struct Entry: Hashable, Sendable, Codable {
        package var kind: String
        package var count: Int
    }

    /// Kinds of counts in one session. A kind whose count is 0 makes room for a new one.
    package static let kindsMax = 256
    /// The largest count: what every JSON reader holds exactly.
    package static let countMax = 1 << 53 - 1

    package private(set) var entries: [Entry] = []

    package init() {}

    /// The count of a kind; 0 for one that never occurred.
    package subscript(kind: String) -> Int {
        let index = position(of: kind)
        guard index < entries.count, entries[index].kind == kind else { return 0 }
        return entries[index].count
    }

    package func contains(_ kind: String) -> Bool {
        let index = position(of: kind)
        return index < entries.count && entries[index].kind == kind
    }

    package mutating func set(_ kind: String, to count: Int) {
        let index = position(of: kind)
        if index < entries.count, entries[index].kind == kind {
            entries[index].count = count
        } else {
            entries.insert(Entry(kind: kind, count: count), at: index)
        }
    }

    /// Removes one kind whose count is 0, to make room. False: there is none.
    package mutating func forgetOneAtZero() -> Bool {
        guard let index = entries.firstIndex(where: { $0.count == 0 }) else { return false }
        entries.remove(at: index)
        return true
    }

    /// The first entry not before `kind`, by bisection.
    private func position(of kind: String) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            // Kinds are ASCII, so Swift's order of strings is that of their bytes.
            if entries[middle].kind < kind { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension BadgeCounts: Codable {
    /// Reads the entries in any order.
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        // Inserting each in its place takes too long where there are too many.
        guard let count = list.count, count <= Self.kindsMax else {
            throw decoder.error("must be at most \(Self.kindsMax) counts")
        }
        while !list.isAtEnd {
            let entry = try list.decode(Entry.self)
            guard Name.isValid(entry.kind), !contains(entry.kind) else {
                let kind = TableReader.shortened(entry.kind)
                throw decoder.error("\"\(kind)\" must be \(Name.rule), and stand there once")
            }
            guard (0...Self.countMax).contains(entry.count) else {
                throw decoder.error("\(entry.kind) must be from 0 to \(Self.countMax)")
            }
            set(entry.kind, to: entry.count)
        }
    }

    package func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}
