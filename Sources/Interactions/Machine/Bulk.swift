package import Notation

/// How much a component has that commands and scenes can make large: what a step looks at in a
/// world, and the cards that `present` brought.
package struct Bulk: Hashable, Sendable {
    package var items = 0
    package var fields = 0
    /// Pairs that may touch: two items of one collision behavior, or an item and a piece of a
    /// boundary.
    package var pairs = 0
    /// Bytes of cards that `present` brought: their texts, their content as JSON, and
    /// `Limits.valueBytes` for each card and each value of its content.
    package var cardBytes = 0
    /// Rows with ids, which commands add.
    package var rows = 0
    /// Bytes of all content of such rows, as JSON.
    package var rowBytes = 0

    package init() {}

    /// The most that all components of a session may have together.
    package static let sessionMax = Bulk(
        items: Limits.sessionItemsMax, fields: Limits.sessionFieldsMax,
        pairs: Limits.sessionPairsMax, cardBytes: Limits.sessionCardBytesMax,
        rows: Limits.sessionRowsMax, rowBytes: Limits.contentBytesMax)

    init(
        items: Int, fields: Int, pairs: Int, cardBytes: Int = 0, rows: Int = 0, rowBytes: Int = 0
    ) {
        self.items = items
        self.fields = fields
        self.pairs = pairs
        self.cardBytes = cardBytes
        self.rows = rows
        self.rowBytes = rowBytes
    }

    /// Names the bound that it exceeds where `room` is left; nil: it fits.
    package func excess(of room: Bulk) -> String? {
        if items > room.items { return "\(Limits.sessionItemsMax) items" }
        if fields > room.fields { return "\(Limits.sessionFieldsMax) fields" }
        if pairs > room.pairs {
            return "\(Limits.sessionPairsMax) pairs of what may touch: items with each other, and"
                + " items with pieces of boundaries"
        }
        // A component without cards fits where a former version has stored too many of others.
        if cardBytes > 0, cardBytes > room.cardBytes {
            return "\(Limits.sessionCardBytesMax) bytes of cards that `present` brought, of which "
                + "each card and each value of its content takes \(Limits.valueBytes)"
        }
        if rows > 0, rows > room.rows { return "\(Limits.sessionRowsMax) rows with ids" }
        if rowBytes > 0, rowBytes > room.rowBytes {
            return "\(Limits.contentBytesMax) bytes of rows' content"
        }
        return nil
    }

    package static func + (one: Bulk, other: Bulk) -> Bulk {
        Bulk(
            items: one.items + other.items, fields: one.fields + other.fields,
            pairs: one.pairs + other.pairs, cardBytes: one.cardBytes + other.cardBytes,
            rows: one.rows + other.rows, rowBytes: one.rowBytes + other.rowBytes)
    }

    package static func - (one: Bulk, other: Bulk) -> Bulk {
        Bulk(
            items: one.items - other.items, fields: one.fields - other.fields,
            pairs: one.pairs - other.pairs, cardBytes: one.cardBytes - other.cardBytes,
            rows: one.rows - other.rows, rowBytes: one.rowBytes - other.rowBytes)
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
    /// Bytes of cards that `present` brought to all components of a session, in memory and in the
    /// store: eight times the text that one `present` may bring, and one with as many cards as
    /// there may be.
    package static let sessionCardBytesMax = 128 * 1_024
    /// Rows with ids of all lists of a session: two full lists.
    package static let sessionRowsMax = 20_000
    /// Bytes of all content of a scene, as JSON: looks and texts of 10,000 rows, no pictures. The
    /// rows that commands bring have as many with those of the scene.
    package static let contentBytesMax = 256 * 1_024
    /// Bytes of the content of one thing, as JSON: a component, an item, a row. An update of some
    /// hundred rows stays below the bound of all.
    package static let contentOfOneBytesMax = 16 * 1_024
    /// Bytes that a value takes beside its text, as for scenes.
    package static let valueBytes = 64
}
