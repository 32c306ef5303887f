/// A failure of the store, in one line.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Kind: CaseIterable, Sendable {
        /// The file is no database, or its content contradicts itself.
        case damaged
        /// Made by a later version of this program.
        case newer
        /// There is no room; there may be some again.
        case full
        /// Somebody else writes, or the system refuses the file; it may recover.
        case unavailable
        /// The disk failed to read or to write. The content may be sound; it may recover.
        case disk
        /// The folder has another file or none under the name of the one that is open.
        case displaced
        /// Begun with another secret, or with none.
        case otherKey
        /// Writing is not allowed.
        case forbidden
        /// Somebody holds a later fence.
        case notOwner
    }

    /// The possible answer of the changes' owner.
    package enum Recovery: Sendable {
        /// Commit the same changes again after a while.
        case retry
        /// Give up what it holds: the changes are another owner's.
        case notOwner
        /// Nothing but wait for a person; trying again does no harm.
        case broken
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    package var recovery: Recovery {
        switch kind {
        case .full, .unavailable, .disk, .displaced: .retry
        case .notOwner: .notOwner
        case .damaged, .newer, .otherKey, .forbidden: .broken
        }
    }
}
