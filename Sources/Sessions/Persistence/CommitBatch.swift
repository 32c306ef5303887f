package import Geometry

/// A place in the table of a ``WriteBehind``: it stands for one open session, and is used again
/// once nothing refers to that session any more.
package struct SaveSlot: Hashable, Sendable {
    package let index: Int
}

/// The store's mark of a session.
package struct SavedMark: Hashable, Sendable {
    /// How many ids the session had applied.
    package var seenTotal: Int
    /// The version of its counts.
    package var version: Int
    /// The daemon's step of its last event.
    package var lastUse: Step

    package init(seenTotal: Int, version: Int, lastUse: Step) {
        self.seenTotal = seenTotal
        self.version = version
        self.lastUse = lastUse
    }
}

/// A session that is gone and whose row the store must delete.
package struct Removal: Hashable, Sendable {
    /// The last version of its counts that was published.
    package var version: Int
    /// The last version that was stored.
    package var savedVersion: Int
    /// Tells two removals of one name apart, whose versions may be equal.
    let number: Int
}

/// The rows of one commit, and how many publishers it answers.
package struct CommitBatch: Hashable, Sendable {
    /// One session that is written whole.
    package struct Row: Hashable, Sendable {
        package let slot: SaveSlot
        /// Ids that the store has already: only marks of later ones are written.
        package let seenTotal: Int
        /// The removal of the session that had this name before, if it must precede the row: its
        /// own commit may yet fail.
        package let former: Removal?
        /// The store's mark after the commit. The writer of the row sets it; nil: the session
        /// cannot be written.
        package var saved: SavedMark?
    }

    /// Rows to delete, by name. Deletions precede all rows.
    package var removals: [String: Removal]
    package var rows: [Row]
    /// How many of the oldest pending replies this commit decides.
    package var replies: Int
    /// Whether parts went before it that may have what its publishers wait for: where it is
    /// refused, what they asked for may be durable all the same.
    package var followsParts = false
    /// Whether it has large rows alone, which go one such batch after the other.
    var isLarge = false

    /// How many sessions change.
    package var count: Int { removals.count + rows.count }
}
