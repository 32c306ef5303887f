package import Notation

/// How much of worlds each step looks at: what a step costs grows with it.
package struct Bulk: Hashable, Sendable {
    package var items = 0
    package var fields = 0
    /// Pairs that may touch: two items of one collision behavior, or an item and a piece of a
    /// boundary.
    package var pairs = 0

    package init() {}

    /// The most that all worlds of a session may have together.
    package static let sessionMax = Bulk(
        items: Limits.sessionItemsMax, fields: Limits.sessionFieldsMax,
        pairs: Limits.sessionPairsMax)

    init(items: Int, fields: Int, pairs: Int) {
        self.items = items
        self.fields = fields
        self.pairs = pairs
    }

    /// Names the bound that it exceeds where `room` is left; nil: it fits.
    package func excess(of room: Bulk) -> String? {
        if items > room.items { return "\(Limits.sessionItemsMax) items" }
        if fields > room.fields { return "\(Limits.sessionFieldsMax) fields" }
        if pairs > room.pairs {
            return "\(Limits.sessionPairsMax) pairs of what may touch: items with each other, and"
                + " items with pieces of boundaries"
        }
        return nil
    }

    package static func + (one: Bulk, other: Bulk) -> Bulk {
        Bulk(
            items: one.items + other.items, fields: one.fields + other.fields,
            pairs: one.pairs + other.pairs)
    }

    package static func - (one: Bulk, other: Bulk) -> Bulk {
        Bulk(
            items: one.items - other.items, fields: one.fields - other.fields,
            pairs: one.pairs - other.pairs)
    }
}

extension Limits {
    /// Items of all worlds of a session: two full worlds.
    package static let sessionItemsMax = 128
    /// Fields of all worlds of a session: two full worlds, of which each acts on every item.
    package static let sessionFieldsMax = 64
    /// Pairs that may touch in all worlds of a session: two full worlds whose items collide with
    /// each other and the viewport's edges. A step that tries twice as many takes twice as long,
    /// and this many take three milliseconds.
    package static let sessionPairsMax = 5_000
}
