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
    }

    private var entries: [Entry] = []
    /// The count of every view without an entry.
    private var floor = 0

    package init() {}

    package var isEmpty: Bool { entries.isEmpty && floor == 0 }

    /// The view's `cut`.
    package subscript(name: String) -> Int {
        @inline(__always) get { entries.isEmpty ? floor : count(of: name) }
    }

    private func count(of name: String) -> Int {
        entries.first { $0.name == name }?.count ?? floor
    }

    /// The view was placed anew, or has left.
    package mutating func grow(_ name: String) {
        if let place = entries.firstIndex(where: { $0.name == name }) {
            entries[place].count += 1
            return
        }
        if entries.count == Limits.viewCutsMax { floor = max(floor, entries.removeFirst().count) }
        entries.append(Entry(name: name, count: floor + 1))
    }
}

extension ViewCuts: Codable {
    private enum CodingKeys: String, CodingKey { case entries, floor }

    package init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        entries = try table.decode([Entry].self, forKey: .entries)
        floor = try table.decode(Int.self, forKey: .floor)
        let counts = entries.map(\.count) + [floor]
        guard entries.count <= Limits.viewCutsMax,
            counts.allSatisfy((0...Limits.viewCutMax).contains),
            entries.allSatisfy({ Name.isValid($0.name) })
        else { throw decoder.error("must be counts of views") }
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
