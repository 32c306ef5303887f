/// The contacts that make gestures together on one component.
///
/// Contacts on one thing belong together, whoever they are of. A kind with no things of its own has
/// one arena for all: its first contact counts.
package enum Hand: Hashable, Sendable, Codable {
    /// All contacts of a component without things, and gestures that a publisher recognized.
    case shared
    /// The contacts on a thing.
    case on(Thing)
    /// A contact that landed on no thing, and one that joined it to make a pair.
    case beside(PointerNumber)
    /// A token that lies there, by its symbol.
    case object(Int)

    /// A thing that contacts can hold.
    package struct Thing: Hashable, Sendable, Codable {
        /// The name of what moves: an item or a group.
        package let name: String
        /// The name of the part on which the first contact landed.
        package let part: String

        package init(name: String, part: String) {
            self.name = name
            self.part = part
        }
    }

    /// Whether it is a token, and no contacts.
    package var isObject: Bool {
        if case .object = self { true } else { false }
    }

    /// Whether it is contacts beside all things.
    package var isBeside: Bool {
        if case .beside = self { true } else { false }
    }

    /// Whether both are the same arena. The parts of a thing are one.
    package func isSame(as other: Hand) -> Bool {
        switch (self, other) {
        case (.shared, .shared): true
        case (.on(let one), .on(let other)): one.name == other.name
        case (.beside(let one), .beside(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.shared, _), (.on, _), (.beside, _), (.object, _): false
        }
    }
}
