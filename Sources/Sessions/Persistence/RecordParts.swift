/// Parts of a session's record: its components by their places, and what is of none of them.
package struct RecordParts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Counts, ids and the generator.
    package static let own = RecordParts(rawValue: 1 << 63)
    package static let all = RecordParts(rawValue: .max)

    package static func component(_ index: Int) -> RecordParts {
        precondition((0..<Limits.componentsMax).contains(index), "component \(index)")
        return RecordParts(rawValue: 1 << UInt64(index))
    }
}
