import Notation

/// How often each view of a component was placed anew instead of moved, by the view's name.
///
/// A kind calls ``grow(_:)`` whenever a view's place, rotation, scale or alpha changes otherwise
/// than by motion, and whenever a view leaves: it has then grown when the view returns. Absence
/// forgets nothing. Beyond `Limits.viewCutsMax` names the oldest is forgotten, and every name
/// without an entry counts from the highest that was forgotten, so that no count ever falls.
package struct ViewCuts: Hashable, Sendable {
    private struct Entry: Hashable, Sendable, Codable {
        var name: String
        var count: Int

        /// Only a count that was imported comes near the bound, and its export is imported again.
        @inline(__always)
        mutating func grow() { count = min(count + 1, Limits.viewCutMax) }
    }

    /// The first two names, which are all that most components have. They are in place, for each
    /// frame of a component reads them.
    private var first: Entry?
    private var second: Entry?
    /// Empty unless both are taken.
    private var others: [Entry] = []
    /// The count of every view without an entry.
    private var floor = 0

    package init() {}

    package var isEmpty: Bool { first == nil && floor == 0 }

    /// All of them, the oldest first.
    private var entries: [Entry] {
        get { [first, second].compactMap(\.self) + others }
        set {
            first = newValue.first
            second = newValue.dropFirst().first
            others = Array(newValue.dropFirst(2))
        }
    }

    /// The view's `cut`.
    package subscript(name: String) -> Int {
        @inline(__always) get { first == nil ? floor : count(of: name) }
    }

    private func count(of name: String) -> Int {
        if let first, first.name == name { return first.count }
        guard let second else { return floor }
        if second.name == name { return second.count }
        return others.first { $0.name == name }?.count ?? floor
    }

    /// The view was placed anew, or has left.
    package mutating func grow(_ name: String) {
        if first?.name == name {
            first?.grow()
        } else if second?.name == name {
            second?.grow()
        } else if let place = others.firstIndex(where: { $0.name == name }) {
            others[place].grow()
        } else {
            var entries = entries
            if entries.count == Limits.viewCutsMax {
                floor = max(floor, entries.removeFirst().count)
            }
            var entry = Entry(name: name, count: floor)
            entry.grow()
            entries.append(entry)
            self.entries = entries
        }
    }
}

extension ViewCuts: Codable {
    private enum CodingKeys: String, CodingKey { case entries, floor }

    package init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        let entries = try table.decode([Entry].self, forKey: .entries)
        floor = try table.decode(Int.self, forKey: .floor)
        let counts = entries.map(\.count) + [floor]
        guard entries.count <= Limits.viewCutsMax,
            counts.allSatisfy((0...Limits.viewCutMax).contains),
            entries.allSatisfy({ Name.isValid($0.name) })
        else { throw decoder.error("must be counts of views, from 0 to \(Limits.viewCutMax)") }
        self.entries = entries
    }

    package func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(entries, forKey: .entries)
        try table.encode(floor, forKey: .floor)
    }
}

// A component that was encoded before there were cuts has none; one without any writes none.

extension KeyedDecodingContainer {
    package func decode(_: ViewCuts.Type, forKey key: Key) throws -> ViewCuts {
        try decodeIfPresent(ViewCuts.self, forKey: key) ?? ViewCuts()
    }
}

extension KeyedEncodingContainer {
    package mutating func encode(_ cuts: ViewCuts, forKey key: Key) throws {
        if !cuts.isEmpty { try encodeIfPresent(cuts, forKey: key) }
    }
}

extension Limits {
    /// Names of views whose cuts a component remembers: a full stack of screens.
    package static let viewCutsMax = 256
    /// The cut that a decoded view may have reached: far below what JSON holds exactly.
    package static let viewCutMax = 1 << 48
}
