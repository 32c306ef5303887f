import Notation

/// Parts of a session's record: its components by their places, and what is of none of them.
package struct SavedParts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Counts, ids and the generator.
    package static let own = SavedParts(rawValue: 1 << 63)
    package static let all = SavedParts(rawValue: .max)

    package static func component(_ index: Int) -> SavedParts {
        precondition((0..<Limits.componentsMax).contains(index), "component \(index)")
        return SavedParts(rawValue: 1 << UInt64(index))
    }
}
