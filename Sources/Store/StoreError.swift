/// What went wrong with the store, in one line.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The file is no database, or what it holds contradicts itself.
        case damaged
        /// Made by a later version of this program.
        case newer
        /// There is no room; there may be some again.
        case full
        /// The disk is gone, or somebody else writes; it may recover.
        case unavailable
        /// Begun with another secret, or with none.
        case otherKey
        /// Not allowed to be written.
        case forbidden
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
