import Interactions
import Notation

/// The numbers of the topics of components that closed, in case one of their ids comes back: no
/// number of a topic falls within an epoch, nor does the `cut` of a view.
///
/// Beyond `Limits.closedNumbersMax` ids the oldest is forgotten. Every id that is not known then
/// counts from the highest numbers that were forgotten.
struct ClosedTopics: Hashable, Sendable {
    struct Numbers: Hashable, Sendable, Codable {
        /// Sent last with a state, and with a transition.
        var state = 0
        var transition = 0
        /// At least the `cut` that each view has when it comes back.
        var cut = 0
        /// Sent last with rows; nil: it told none.
        var rows: Int?
    }

    private struct Entry: Hashable, Sendable, Codable {
        var id: String
        var numbers: Numbers
    }

    private var entries: [Entry] = []
    /// The numbers of every id without an entry.
    private var floor = Numbers()

    init() {}

    var isEmpty: Bool { entries.isEmpty && floor == Numbers() }

    mutating func close(_ id: String, _ numbers: Numbers) {
        entries.removeAll { $0.id == id }
        if entries.count == Limits.closedNumbersMax {
            let oldest = entries.removeFirst().numbers
            floor.state = max(floor.state, oldest.state)
            floor.transition = max(floor.transition, oldest.transition)
            floor.cut = max(floor.cut, oldest.cut)
            if let rows = oldest.rows { floor.rows = max(floor.rows ?? 0, rows) }
        }
        entries.append(Entry(id: id, numbers: numbers))
    }

    /// The numbers after which a component that opens goes on.
    mutating func open(_ id: String) -> Numbers {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return floor }
        return entries.remove(at: place).numbers
    }
}

extension ClosedTopics: Codable {
    private enum CodingKeys: String, CodingKey { case entries, floor }

    init(from decoder: any Decoder) throws {
        let table = try decoder.container(keyedBy: CodingKeys.self)
        entries = try table.decode([Entry].self, forKey: .entries)
        floor = try table.decode(Numbers.self, forKey: .floor)
        let isSound = (entries.map(\.numbers) + [floor]).allSatisfy {
            (0...Limits.versionImportedMax).contains(max($0.state, $0.transition))
                && min($0.state, $0.transition) >= 0
                && (0...Limits.viewCutMax).contains($0.cut)
                && (0...Limits.versionImportedMax).contains($0.rows ?? 0)
        }
        guard isSound, entries.count <= Limits.closedNumbersMax,
            entries.allSatisfy({ Name.isValid($0.id) })
        else { throw decoder.error("must be numbers of topics") }
    }
}

// A session that was encoded before scenes changed has none; one without any writes none.

extension KeyedDecodingContainer {
    func decode(_: ClosedTopics.Type, forKey key: Key) throws -> ClosedTopics {
        try decodeIfPresent(ClosedTopics.self, forKey: key) ?? ClosedTopics()
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ topics: ClosedTopics, forKey key: Key) throws {
        if !topics.isEmpty { try encodeIfPresent(topics, forKey: key) }
    }
}

extension Limits {
    /// Ids of closed components whose numbers a session remembers: four scenes of the largest.
    package static let closedNumbersMax = 128
}
