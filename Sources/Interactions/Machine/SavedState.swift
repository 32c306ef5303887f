package import Notation

/// A component as its kind saves it. Its coding keys are the store's format.
package protocol SavedValue: Encodable, Hashable, Sendable {
    /// Reads what was encoded. It asks for every key that may be there, for no other is allowed.
    init(_ table: inout TableReader) throws(TableError)
}

/// Where a component of any kind would settle if nothing more came: what outlives the process.
///
/// It stands in a document as one table: the `kind`, then the members of the kind's `Saved`.
package struct SavedState: Hashable, Sendable {
    /// The kind's name in scenes.
    package let kind: String
    /// The kind's `Saved`.
    package let value: any SavedValue

    package init<Kind: Machine>(_: Kind.Type, _ value: Kind.Saved) {
        kind = Kind.kind
        self.value = value
    }

    package static func == (one: SavedState, other: SavedState) -> Bool {
        one.kind == other.kind && AnyHashable(one.value) == AnyHashable(other.value)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        value.hash(into: &hasher)
    }
}

extension SavedState: Encodable {
    private enum CodingKeys: String, CodingKey { case kind }

    package func encode(to encoder: any Encoder) throws {
        var table = encoder.container(keyedBy: CodingKeys.self)
        try table.encode(kind, forKey: .kind)
        try value.encode(to: encoder)
    }
}

extension SavedState {
    /// Reads what was encoded. Errors name no table.
    package init(_ node: Node) throws(TableError) {
        var table = try TableReader(node, path: "")
        try table.require("kind")
        let name = try table.string("kind", default: "")
        guard let kind = Kinds.named(name) else {
            throw table.error("kind", "\"\(TableReader.shortened(name))\" is not known")
        }
        self = try Self.read(kind, &table)
        // A member that nobody asked for is of a later version.
        try table.finish()
    }

    private static func read<Kind: Machine>(
        _: Kind.Type, _ table: inout TableReader
    ) throws(TableError) -> SavedState {
        SavedState(Kind.self, try Kind.Saved(&table))
    }
}

extension Machine {
    /// The state that outlives the process.
    package var savedState: SavedState { SavedState(Self.self, saved) }

    /// Starts where a former component left off, if it was of this kind.
    package mutating func restore(
        _ state: SavedState, counts: BadgeCounts, into effects: inout Effects
    ) -> Bool {
        guard let own = state.value as? Saved, state.kind == Self.kind else { return false }
        restore(own, counts: counts, into: &effects)
        return true
    }
}
