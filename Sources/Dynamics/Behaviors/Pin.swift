package import Geometry

/// Nails a point of an item to a fixed point, about which it then turns.
package struct Pin: Hashable, Sendable {
    package var item: ItemID
    /// The nailed point from the item's center, in the item's own coordinates (points).
    package var offset: Vector
    /// In points.
    package var anchor: Vector

    package init(item: ItemID, offset: Vector, anchor: Vector) {
        self.item = item
        self.offset = offset
        self.anchor = anchor
    }

    /// `held` is the nailed point as one of the body.
    func joint(of behavior: BehaviorID, at held: Vector) -> Joint {
        Joint(pinning: held, to: anchor.reachable, behavior: behavior)
    }
}
