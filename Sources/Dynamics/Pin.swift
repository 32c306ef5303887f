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

    func joint(of behavior: BehaviorID) -> Joint {
        Joint(pinning: offset.reachable, to: anchor.reachable, behavior: behavior)
    }
}
