package import Geometry

/// A pair that began or ended to touch in the last step.
package struct ContactEvent: Hashable, Sendable, Codable {
    package enum Phase: Hashable, Sendable, Codable {
        case began
        case ended
    }

    package enum Parties: Hashable, Sendable, Codable {
        /// The older item first. A group counts as one item.
        case items(ItemID, ItemID)
        /// An item, and a boundary by its id.
        case boundary(ItemID, String)
    }

    package var phase: Phase
    package var parties: Parties
    /// Where they touch, or touched last, in points.
    package var point: Vector
    /// The strength of the touch: the sum of the normal impulses in the step in which it began, in
    /// pt/s where mass 1 is a square of 100 pt of density 1. Nil at its end.
    package var impulse: Double?
}
